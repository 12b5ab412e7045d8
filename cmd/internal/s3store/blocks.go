package s3store

import (
	"slices"
	"sync"
)

// Sizes in bytes. Records and documents of a small dataset fit the first block. A page of a
// Parquet file has about 100 KiB, a column of a row group some MiB.
const (
	firstBlock = 256 << 10
	maxBlock   = 8 << 20  // reads that continue each other double the block up to this
	maxCached  = 16 << 20 // of one object
	tailBlock  = 64 << 10 // the footer of a Parquet file is smaller, unless it has very many row groups
	gap        = 1 << 20  // reads this close behind each other count as continued
)

// blocks are the ranges of an object that are in memory. Several goroutines may use them.
type blocks struct {
	mu     sync.Mutex
	list   []block // the one used last at the end
	cached int64   // bytes
	next   int64   // offset after the last block that was fetched
	size   int64   // of that block
}

type block struct {
	offset int64
	data   []byte
}

func (b *block) end() int64 { return b.offset + int64(len(b.data)) }

// add keeps a block and drops those that were not used for longest.
func (b *blocks) add(offset int64, data []byte) {
	b.list = append(b.list, block{offset, data})
	b.next, b.size = offset+int64(len(data)), int64(len(data))
	for b.cached += b.size; b.cached > maxCached && len(b.list) > 1; b.list = b.list[1:] {
		b.cached -= int64(len(b.list[0].data))
	}
}

// read copies bytes at offset, which is inside the object, to p. It returns at least one.
func (b *blocks) read(p []byte, offset int64, o *object) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.list, func(b block) bool { return b.offset <= offset && offset < b.end() })
	if i < 0 {
		start, size := b.plan(offset, int64(len(p)), o.size)
		data, err := o.fetch(start, size)
		if err != nil {
			return 0, err
		}
		b.add(start, data)
		i = len(b.list) - 1
	}
	found := b.list[i]
	b.list = append(slices.Delete(b.list, i, i+1), found)
	return copy(p, found.data[offset-found.offset:]), nil
}

// plan returns the range to fetch for n bytes at offset.
func (b *blocks) plan(offset, n, end int64) (start, size int64) {
	if tail := max(0, end-tailBlock); offset >= tail && b.next < tail {
		return tail, end - tail
	}
	size = firstBlock
	if offset >= b.next && offset-b.next < gap {
		size = max(size, 2*b.size)
	}
	size = max(min(size, maxBlock), min(n, maxCached))
	return offset, min(size, end-offset)
}

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
