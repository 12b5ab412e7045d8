package scan

import (
	"errors"
	"iter"
	"runtime"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// TestAheadEndsAtAnError: it yields complete tables in order up to the error, and nothing
// after it, although later shards were read already.
func TestAheadEndsAtAnError(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const shards, tables = 6, 5
	var parts []*record.Part
	for i := range shards {
		parts = append(parts, &record.Part{Shard: i})
	}
	errDamaged := errors.New("damaged")
	for damaged := range shards + 1 {
		read := func(c *record.Part) iter.Seq2[*encode.Table, error] {
			return func(yield func(*encode.Table, error) bool) {
				t := encode.NewTable([]encode.Column{{Name: "n", Kind: encode.Uint8}})
				for i := range tables {
					if c.Shard == damaged && i == 2 {
						yield(nil, errDamaged)
						return
					}
					t.Reset()
					t.Rows = 1
					if t.AddUint8(0, byte(c.Shard*tables+i)); !yield(t, nil) {
						return
					}
				}
			}
		}
		for range 50 {
			next := 0
			var last error
			for table, err := range ahead(t.Context(), parts, read) {
				if last = err; err != nil {
					break
				}
				if n := int(table.Data[0][0]); n != next || table.part.Shard != n/tables {
					t.Fatalf("table %d of shard %d, want table %d", n, table.part.Shard, next)
				}
				next++
			}
			if damaged < shards && (!errors.Is(last, errDamaged) || next > damaged*tables+2) || damaged == shards && (last != nil || next != shards*tables) {
				t.Fatalf("shard %d is damaged: %d tables, %v", damaged, next, last)
			}
		}
	}
}

// TestAheadTurnsAPanicIntoAnError: of the shard that was read.
func TestAheadTurnsAPanicIntoAnError(t *testing.T) {
	parts := []*record.Part{{Shard: 0}, {Shard: 1}, {Shard: 2}}
	read := func(c *record.Part) iter.Seq2[*encode.Table, error] {
		return func(func(*encode.Table, error) bool) {
			if c.Shard == 1 {
				panic("no such column")
			}
		}
	}
	var last error
	for _, err := range ahead(t.Context(), parts, read) {
		last = err
	}
	if caught := (*goroutine.PanicError)(nil); !errors.As(last, &caught) || last.Error() != "read shard 00001: panic: no such column" {
		t.Errorf("%v, want the panic of shard 1", last)
	}
}

// TestPartCounterCountsGamesWithoutRows: when the end of the part comes. Games with rows count at once.
func TestPartCounterCountsGamesWithoutRows(t *testing.T) {
	rowsOf := func(games ...uint64) *encode.Table {
		t := encode.NewTable([]encode.Column{{Name: encode.GameColumn, Kind: encode.Uint64}})
		for _, g := range games {
			t.AddUint64(0, g)
			t.Rows++
		}
		return t
	}
	var n Counter
	s := n.Part(&record.Part{Part: plan.Part{Games: 10}})
	for _, step := range []struct {
		do          func()
		games, rows uint64
	}{
		{func() { s.Rows(rowsOf()) }, 0, 0},
		{func() { s.Rows(rowsOf(102, 102)) }, 1, 2},
		{func() { s.Rows(rowsOf(102, 105)) }, 2, 4},
		{s.End, 10, 4},
	} {
		step.do()
		if games, rows := n.Progress(); games != step.games || rows != step.rows {
			t.Errorf("%d games and %d rows, want %d and %d", games, rows, step.games, step.rows)
		}
	}
}
