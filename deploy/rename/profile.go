package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"regexp"
)

// The profile for the compiler is a gzipped protocol buffer
// (github.com/google/pprof, proto/profile.proto). Its string table has the names of functions,
// with the path of their package.
const stringTable = 6 // the number of the field

// Wire types of fields.
const (
	varintType = 0
	bytesType  = 2
)

var errProfile = errors.New("not a profile")

// profile renames functions of the module in a profile.
func (r renaming) profile(zipped []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	// A path begins a name, or follows what cannot be part of a longer path.
	path := regexp.MustCompile(`(^|[^\w/.])` + regexp.QuoteMeta(r.from) + `/`)
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	for len(rest) > 0 {
		field, value, size, err := nextField(rest)
		if err != nil {
			return nil, err
		}
		if field == stringTable {
			renamed := path.ReplaceAll(value, []byte("${1}"+r.to+"/"))
			head := binary.AppendUvarint(nil, stringTable<<3|bytesType)
			_, _ = w.Write(append(binary.AppendUvarint(head, uint64(len(renamed))), renamed...)) // into memory
		} else {
			_, _ = w.Write(rest[:size])
		}
		rest = rest[size:]
	}
	err = w.Close()
	return out.Bytes(), err
}

// nextField returns the number of the first field of a message, its value if that is a sequence
// of bytes, and its size.
func nextField(message []byte) (field uint64, value []byte, size int, err error) {
	tag, n := binary.Uvarint(message)
	if n <= 0 {
		return 0, nil, 0, errProfile
	}
	length, m := binary.Uvarint(message[n:])
	switch {
	case m <= 0:
		return 0, nil, 0, errProfile
	case tag&7 == varintType:
		return tag >> 3, nil, n + m, nil
	case tag&7 != bytesType || length > uint64(len(message)-n-m):
		return 0, nil, 0, errProfile
	}
	end := n + m + int(length)
	return tag >> 3, message[n+m : end], end, nil
}
