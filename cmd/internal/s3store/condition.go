package s3store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"

	"selfplay/datasets/disk"
)

// condition is a header on which a PUT depends: the store answers 412 if it does not hold.
type condition struct{ header, value string }

var (
	unconditional = condition{}
	ifFree        = condition{"If-None-Match", "*"} // the name has no object
	// ifStrange holds for no object: it is the ETag of none.
	ifStrange = condition{"If-Match", `"00000000000000000000000000000000"`}
)

func (c condition) set(o *minio.PutObjectOptions) {
	switch value := strings.Trim(c.value, `"`); c.header {
	case ifFree.header:
		o.SetMatchETagExcept(value)
	case ifStrange.header:
		o.SetMatchETag(value)
	}
}

// probe is the test, made once, that the store knows a condition.
type probe struct {
	once sync.Once
	err  error
}

// The object of a dataset on which conditions are tested.
const (
	probeName = disk.ProbeName
	probeText = "objects of this dataset are created once\n"
)

// probe returns an error unless the store knows a condition. Otherwise a PUT could overwrite what
// another writer has published.
func (s *store) probe(when condition) error {
	switch when.header {
	case ifFree.header:
		s.createOnly.once.Do(func() { s.createOnly.err = s.test(ifFree) })
		return s.createOnly.err
	case ifStrange.header:
		s.swaps.once.Do(func() { s.swaps.err = s.test(ifStrange) })
		return s.swaps.err
	}
	return nil
}

// test puts an object twice: the store must refuse the second one, and may refuse the first.
func (s *store) test(when condition) error {
	for range 2 {
		err := s.put(probeName, strings.NewReader(probeText), int64(len(probeText)), when)
		if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return s.explain("put", s.key(probeName), fmt.Errorf("the store ignores %s, so two writers could overwrite each other's files; "+
		"use a store that knows it", when.header))
}
