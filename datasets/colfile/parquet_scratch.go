package colfile

import (
	"bytes"
	"sync"
)

// scratch is memory that a writer borrows while it adds rows. The slices that it returns are
// valid until the next call.
type scratch struct {
	body         []byte // a page before compression
	packed       []byte // a page after compression
	labels       []byte // the last page of labels before compression
	packedLabels []byte // and after it
}

// scratches are shared by all writers: of many open shards only a few add rows at a time.
var scratches = sync.Pool{New: func() any { return new(scratch) }}

// pack returns a compressed page.
func (s *scratch) pack(body []byte) []byte {
	s.packed = zstdEncoder().EncodeAll(body, s.packed[:0])
	return s.packed
}

// packLabels is pack for a page of labels. In games without a search the pages of the best
// actions are those of the actions, so an equal page is compressed only once.
func (s *scratch) packLabels(body []byte) []byte {
	if !bytes.Equal(body, s.labels) {
		s.labels = append(s.labels[:0], body...)
		s.packedLabels = zstdEncoder().EncodeAll(body, s.packedLabels[:0])
	}
	return s.packedLabels
}
