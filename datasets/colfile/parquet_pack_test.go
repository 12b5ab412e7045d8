package colfile

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
)

// TestParquetFileDoesNotDependOnProcessors writes the same file with one processor, where pages are
// compressed at once, and by several writers on several processors, where other goroutines compress them.
func TestParquetFileDoesNotDependOnProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	columns := everyColumn()
	table := randomTable(rand.New(rand.NewPCG(3, 4)), columns, 20_000)
	s := Spec{Format: Parquet, Columns: columns, GroupRows: 7_000}
	want := writeIn(t, s, table, 512)
	for _, processors := range []int{2, 8} {
		runtime.GOMAXPROCS(processors)
		got := make([][]byte, 3)
		var group sync.WaitGroup
		for i := range got {
			group.Go(func() { got[i] = writeIn(t, s, table, 512) })
		}
		group.Wait()
		for i := range got {
			if !bytes.Equal(got[i], want) {
				t.Errorf("%d processors: writer %d makes another file", processors, i)
			}
		}
	}
	if n := busy.Load(); n != 0 {
		t.Errorf("%d goroutines count as busy after all writers are closed", n)
	}
}

// TestPagesArePackedByOtherGoroutines: the test above would pass without any.
func TestPagesArePackedByOtherGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	busy.Add(1) // as a writer that adds rows does
	defer busy.Add(-1)
	if startPacking([]byte("page")) != nil {
		t.Error("one processor: another goroutine packs a page")
	}
	runtime.GOMAXPROCS(2)
	p := startPacking([]byte("page"))
	if p == nil {
		t.Fatal("two processors: no other goroutine packs a page")
	}
	if p.wait(); !bytes.Equal(p.packed, new(scratch).pack([]byte("page"))) {
		t.Error("the page has other bytes")
	}
}
