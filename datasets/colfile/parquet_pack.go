package colfile

import (
	"runtime"
	"sync"
	"sync/atomic"

	"selfplay/internal/goroutine"
)

// Compression takes a third of the time of random rows, and a shard has one goroutine that adds its
// rows. So pages are compressed by other goroutines while processors are idle: few shards keep many
// processors busy. Pages keep their order, so the bytes of a file do not depend on it.

// busy counts the goroutines that add rows, compress pages or read files back, of all files.
var busy atomic.Int64

// reserve counts one more busy goroutine and returns true, if a processor is idle.
func reserve() bool {
	if busy.Add(1) <= int64(runtime.GOMAXPROCS(0)) {
		return true
	}
	busy.Add(-1)
	return false
}

// packing is a page that another goroutine compresses.
type packing struct {
	body, packed []byte
	complete     atomic.Bool
	group        goroutine.Group // of the goroutine
}

// packings are shared by all writers. There are never more in use than processors.
var packings = sync.Pool{New: func() any { return new(packing) }}

// startPacking begins to compress a page, of which it keeps a copy. It returns nil if all processors are
// busy.
func startPacking(body []byte) *packing {
	if !reserve() {
		return nil
	}
	p := packings.Get().(*packing)
	p.body = append(p.body[:0], body...)
	p.complete.Store(false)
	p.group = goroutine.New()
	p.group.Go(p.pack)
	return p
}

func (p *packing) pack() error {
	defer p.complete.Store(true)
	defer busy.Add(-1)
	p.packed = zstdEncoder().EncodeAll(p.body, p.packed[:0])
	return nil
}

// wait waits until the page is compressed. A panic of the other goroutine is one of the caller.
func (p *packing) wait() {
	if err := p.group.Wait(); err != nil {
		panic(err)
	}
}

// settle appends the pages that other goroutines compress, in their order. If wait is false, it stops
// at the first one that is not complete.
func (c *chunk) settle(wait bool) {
	for n := len(c.pending); n > 0; n-- {
		p := c.pending[0]
		if !wait && !p.complete.Load() {
			return
		}
		p.wait()
		c.data = append(c.data, p.packed...)
		c.pages[len(c.pages)-n].end = len(c.data)
		packings.Put(p)
		c.pending = append(c.pending[:0], c.pending[1:]...)
	}
}
