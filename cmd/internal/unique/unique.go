// Package unique finds positions that are the same, exactly and in bounded memory, in
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
package unique

import (
	"context"
	"iter"

	"github.com/zeebo/xxh3"

	"selfplay/cmd/internal/rows"
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
	begin []uint64 // the first row of each game
	first []uint64 // bits, by row
}

// Find reads games and finds the rows that a dataset of this shape has of them. It
// takes about so many bytes of memory, besides 8 a game and a bit a row.
func Find(ctx context.Context, s *rows.Shape, games Games, size Size, memory int64) (*Index, error) {
	x := &Index{begin: make([]uint64, 0, size.Games), first: make([]uint64, (size.Rows+63)/64)}
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
			x.begin = append(x.begin, keys.n)
			err = at.each(r, func(key xxh3.Uint128) error { return keys.add(key, keys.n) })
		}
		if err != nil {
			return nil, err
		}
	}
	var seen map[xxh3.Uint128]struct{}
	return x, keys.each(func() { seen = map[xxh3.Uint128]struct{}{} }, func(key xxh3.Uint128, row uint64) {
		if _, twice := seen[key]; !twice {
			seen[key] = struct{}{}
			x.first[row/64] |= 1 << (row % 64)
		}
	})
}

// isFirst reports whether row n of a game is the first of its position.
func (x *Index) isFirst(game uint64, n int) bool {
	row := x.begin[game] + uint64(n)
	return x.first[row/64]>>(row%64)&1 != 0
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
	for i, c := range r.table.Columns {
		switch c.Name {
		case "board":
			r.board = i
		case "side":
			r.side = i
		}
	}
	return r
}

// each calls visit for every row of a record, in order.
func (r *reader) each(rec *engine.Record, visit func(xxh3.Uint128) error) error {
	r.table.Reset()
	if err := r.replayer.Append(rec, r.table, r.dropped); err != nil {
		return err
	}
	for row := range r.table.Rows {
		r.scratch = r.key(r.scratch[:0], r.table.Cell(r.board, row), engine.Side(r.table.Cell(r.side, row)[0]))
		if err := visit(xxh3.Hash128(r.scratch)); err != nil {
			return err
		}
	}
	return nil
}
