package s3store

import (
	"slices"
	"sync"
)

// maxRecent is the number of objects whose ranges stay in memory after they are closed.
const maxRecent = 8

// recent keeps the ranges of objects that were opened last. A check of a file opens it several
// times: for its SHA-256, for its rows, for a replay. Opening makes a request in any case; if the
// ETag is another one, nothing is taken over.
type recent struct {
	mu   sync.Mutex
	list []recentObject // the one opened last at the end
}

type recentObject struct {
	key, etag string
	blocks    *blocks
}

// blocksOf returns the ranges of an object that is opened, given its first one.
func (r *recent) blocksOf(key string, first part) *blocks {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := recentObject{key, first.etag, nil}
	if i := slices.IndexFunc(r.list, func(o recentObject) bool { return o.key == key }); i >= 0 {
		if r.list[i].etag == first.etag {
			o.blocks = r.list[i].blocks
		}
		r.list = slices.Delete(r.list, i, i+1)
	}
	if o.blocks == nil {
		o.blocks = new(blocks)
		o.blocks.add(0, first.data)
	}
	if first.size > firstBlock && first.etag != "" { // else one request gives all of it
		r.list = append(r.list, o)
		r.list = r.list[max(0, len(r.list)-maxRecent):]
	}
	return o.blocks
}
