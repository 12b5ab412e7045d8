// Package dedup finds positions that are the same, exactly and in bounded memory, in
// one dataset or in several that are read as one.
//
// Two positions are the same if their keys are, see encode.Layout.Key. Compared are
// not the keys, of 30 to 273 bytes, but 128 bits of XXH3 of them: a row takes 24 bytes
// on disk, and among ten thousand million positions two different ones get the same
// sum with a chance of less than one in 10^18: a flipped bit is more likely.
//
//	unique.go  which rows of some games are the first of their position
//	keys.go    sums of keys, in memory or in temporary files
//	rows.go    rows of the games, without the others
//	overlap.go how much of a dataset is twice there, and in both splits
package dedup

import (
	"context"
	"fmt"
	"iter"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// Games yields records in the order of their numbers, from 0 on without a gap. A
// record is valid until the next one; an error ends the sequence.
type Games iter.Seq2[*engine.Record, error]

// Size is how much there is at most.
type Size struct {
	Games uint64
	Rows  uint64
}

// Index tells of every row of some games whether no row before it has its position.
type Index struct {
	begin []uint64 // the first row of each game, and where the last one ends
	first []uint64 // bits, by row
}

// Find reads games and finds the rows that a dataset of this shape has of them. It
// takes about so many bytes of memory, besides 8 a game and a bit a row.
func Find(ctx context.Context, s *rows.Shape, games Games, size Size, memory int64) (*Index, error) {
	x := &Index{begin: make([]uint64, 1, size.Games+1), first: make([]uint64, (size.Rows+63)/64)}
	keys, err := newKeys(memory, size.Rows)
	if err != nil {
		return nil, err
	}
	defer keys.close()
	at := newReader(s)
	for r, err := range games {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = x.add(r, at, keys)
		}
		if err != nil {
			return nil, err
		}
	}
	if keys.n > size.Rows {
		return nil, fmt.Errorf("compare positions: %d rows came, want %d or fewer", keys.n, size.Rows)
	}
	var seen map[xxh3.Uint128]struct{}
	return x, keys.each(func() { seen = map[xxh3.Uint128]struct{}{} }, func(key xxh3.Uint128, row uint64) {
		if _, twice := seen[key]; !twice {
			seen[key] = struct{}{}
			x.first[row/64] |= 1 << (row % 64)
		}
	})
}

// add adds the rows of a game. Which of its rows are the first depends on every game
// before it: where one is missing there is no answer.
func (x *Index) add(r *engine.Record, at *reader, keys *keys) error {
	if next := uint64(len(x.begin) - 1); r.Game != next {
		return fmt.Errorf("compare positions: game %d comes where game %d should", r.Game, next)
	}
	if err := at.read(r); err != nil {
		return err
	}
	for row := range at.table.Rows {
		if err := keys.add(at.sum(row), keys.n); err != nil {
			return err
		}
	}
	x.begin = append(x.begin, keys.n)
	return nil
}

// firsts returns what reports whether row n of a game is the first of its position. A
// game that Find did not see, or not with so many rows, is an error.
func (x *Index) firsts(game uint64, rows int) (func(n int) bool, error) {
	if game >= uint64(len(x.begin)-1) {
		return nil, fmt.Errorf("compare positions: game %d is none of the %d that were read", game, len(x.begin)-1)
	}
	begin := x.begin[game]
	if n := x.begin[game+1] - begin; n != uint64(rows) {
		return nil, fmt.Errorf("compare positions: game %d has %d rows, had %d before", game, rows, n)
	}
	return func(n int) bool {
		row := begin + uint64(n)
		return x.first[row/64]>>(row%64)&1 != 0
	}, nil
}

// reader makes keys of the rows of records.
type reader struct {
	replayer *encode.Replayer
	table    *encode.Table
	dropped  []uint64
	board    int
	side     int
	key      func(dst, values []byte, turn engine.Side) []byte
	scratch  []byte
}

// newReader returns a reader of the rows that a shape has, in the layout that tells
// positions apart and seen by nobody.
func newReader(s *rows.Shape) *reader {
	view := encode.View{Layout: s.Game.Identity(), Filter: s.Filter, Seed: s.Seed}
	r := &reader{
		replayer: encode.NewReplayer(s.Game, s.Variant, view),
		table:    encode.NewTable(view.Columns()),
		dropped:  make([]uint64, len(s.Filter.Texts())),
		key:      view.Layout.Key(),
	}
	r.board, r.side = encode.ColumnNamed(r.table.Columns, encode.BoardColumn), encode.ColumnNamed(r.table.Columns, encode.SideColumn)
	return r
}

// read makes the rows of a record those of the table.
func (r *reader) read(rec *engine.Record) error {
	r.table.Reset()
	return r.replayer.Append(rec, r.table, r.dropped)
}

// sum returns the sum of the key of a row.
func (r *reader) sum(row int) xxh3.Uint128 {
	r.scratch = r.key(r.scratch[:0], r.table.Cell(r.board, row), engine.Side(r.table.Cell(r.side, row)[0]))
	return xxh3.Hash128(r.scratch)
}
