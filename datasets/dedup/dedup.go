// Package dedup finds equal positions, exactly and in bounded memory, in one dataset or
// in several that are read as one.
//
// Two positions are equal if their keys are equal; see encode.Layout.Key. A key has 30
// to 273 bytes. The package compares the 128-bit XXH3 hashes of the keys instead: one row
// takes 24 bytes on disk. Among 10^10 different positions the probability that any two
// have the same hash is below 10^-18.
package dedup

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"

	"github.com/zeebo/xxh3"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/spill"
	"selfplay/encode"
	"selfplay/engine"
)

// Games yields records in the order of their numbers, from 0 without a gap. A record is
// valid until the next one. An error ends the sequence.
type Games = iter.Seq2[*engine.Record, error]

// Size is an upper bound of the number of games and rows.
type Size struct {
	Games uint64
	Rows  uint64
}

// Index knows for every row of a sequence of games whether it is the first row with its
// position. It is read-only: several goroutines may use it.
type Index struct {
	begin []uint64 // number of the first row of each game, then the number of all rows
	first []uint64 // one bit per row
}

// Find reads games and finds the first row of every position, among the rows that a
// dataset of shape s has. It takes about memory bytes, and in addition 8 bytes per game
// and one bit per row. It counts games in n as it goes. The error is spill.ErrMemory if
// memory is too small.
func Find(ctx context.Context, s *rows.Shape, games Games, size Size, memory int64, n *scan.Counter) (*Index, error) {
	x := &Index{begin: make([]uint64, 1, size.Games+1), first: make([]uint64, (size.Rows+63)/64)}
	keys, err := newKeys(memory, size.Rows)
	if err != nil {
		return nil, err
	}
	defer keys.close()
	reader, done := newReader(s), steps{n: n}
	for r, err := range games {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = x.add(r, reader, keys)
		}
		if err != nil {
			return nil, err
		}
		done.read(uint64(reader.table.Rows))
	}
	if keys.n > size.Rows {
		return nil, fmt.Errorf("compare positions: read %d rows, want at most %d", keys.n, size.Rows)
	}
	var seen map[xxh3.Uint128]struct{}
	return x, keys.each(func() { seen = map[xxh3.Uint128]struct{}{} }, func(key xxh3.Uint128, row uint64) {
		if _, duplicate := seen[key]; !duplicate {
			seen[key] = struct{}{}
			x.first[row/64] |= 1 << (row % 64)
		}
		done.compare()
	})
}

// add adds the rows of a game. Games must be complete and in order, because whether a row
// is the first depends on every game before it.
func (x *Index) add(r *engine.Record, reader *reader, keys *keys) error {
	if next := uint64(len(x.begin) - 1); r.Game != next {
		return fmt.Errorf("compare positions: read game %d, want game %d", r.Game, next)
	}
	if err := reader.read(r); err != nil {
		return err
	}
	for row := range reader.table.Rows {
		if err := keys.add(reader.hash(row), keys.n); err != nil {
			return err
		}
	}
	x.begin = append(x.begin, keys.n)
	return nil
}

// firsts returns a function that reports whether row n of a game is the first with its
// position. It returns an error if Find did not see the game, or saw it with another
// number of rows.
func (x *Index) firsts(game uint64, rows int) (func(n int) bool, error) {
	if game >= uint64(len(x.begin)-1) {
		return nil, fmt.Errorf("compare positions: game %d is not among the %d games that were read", game, len(x.begin)-1)
	}
	begin := x.begin[game]
	if n := x.begin[game+1] - begin; n != uint64(rows) {
		return nil, fmt.Errorf("compare positions: game %d has %d rows now, %d when it was read", game, rows, n)
	}
	return func(n int) bool {
		row := begin + uint64(n)
		return x.first[row/64]>>(row%64)&1 != 0
	}, nil
}

// reader makes the rows of records and hashes their positions.
type reader struct {
	replayer *encode.Replayer
	table    *encode.Table
	dropped  []uint64
	board    int // column
	side     int // column
	key      func(dst, values []byte, turn engine.Side) []byte
	scratch  []byte
}

// newReader returns a reader of the rows that a shape keeps. It uses the game's identity
// layout without a perspective, so that keys do not depend on the layout of the shape.
func newReader(s *rows.Shape) *reader {
	view := encode.View{Layout: s.Game.Identity(), Filter: s.Filter, Seed: s.Seed}
	r := &reader{
		replayer: encode.NewReplayer(s.Game, s.Variant, view),
		table:    encode.NewTable(view.Columns()),
		dropped:  make([]uint64, len(s.Filter.Texts())),
		key:      view.Layout.Key(),
	}
	r.board = encode.ColumnNamed(r.table.Columns, encode.BoardColumn)
	r.side = encode.ColumnNamed(r.table.Columns, encode.SideColumn)
	return r
}

// read replaces the table with the rows of a record.
func (r *reader) read(rec *engine.Record) error {
	r.table.Reset()
	return r.replayer.Append(rec, r.table, r.dropped)
}

// hash returns the hash of the key of a row of the table.
func (r *reader) hash(row int) xxh3.Uint128 {
	r.scratch = r.key(r.scratch[:0], r.table.Cell(r.board, row), engine.Side(r.table.Cell(r.side, row)[0]))
	return xxh3.Hash128(r.scratch)
}

// Bytes that a key takes.
const (
	keyBytes  = 24 // stored: hash and tag
	seenBytes = 40 // in a map, with the room that a growing map needs
)

// MinMemory is the least memory, in bytes, that positions can be compared in.
const MinMemory = 1 << 20

// keys collects the hashes of keys, each with a tag, and returns them part by part. Equal
// hashes are in the same part, in the order in which they were added. If they do not fit
// into memory, each part is a temporary file in $TMPDIR, and one part at a time is
// processed in memory. Results do not depend on the number of parts.
type keys struct {
	n     uint64 // added so far
	parts *spill.Parts
}

// newKeys returns keys for at most the given number of rows, in about memory bytes.
func newKeys(memory int64, rows uint64) (*keys, error) {
	parts, err := spill.New(spill.Options{
		Memory: memory, Minimum: MinMemory, Data: rows * seenBytes, Reserve: rows * keyBytes,
		Share: 2, Buffer: 64 << 10, Pattern: "selfplay-keys-",
	})
	return &keys{parts: parts}, err
}

// add adds a hash and its tag.
func (k *keys) add(key xxh3.Uint128, tag uint64) error {
	k.n++
	var b [keyBytes]byte
	binary.LittleEndian.PutUint64(b[0:], key.Hi)
	binary.LittleEndian.PutUint64(b[8:], key.Lo)
	binary.LittleEndian.PutUint64(b[16:], tag)
	return k.parts.Write(key.Hi, b[:])
}

// each calls begin before every part, and then visit for every hash in the part.
func (k *keys) each(begin func(), visit func(key xxh3.Uint128, tag uint64)) error {
	buffered := bufio.NewReaderSize(nil, 64<<10)
	for i := range k.parts.Len() {
		r, err := k.parts.Reader(i)
		if err != nil {
			return err
		}
		begin()
		buffered.Reset(r)
		if err := visitAll(buffered, visit); err != nil {
			return err
		}
	}
	return nil
}

func visitAll(r io.Reader, visit func(key xxh3.Uint128, tag uint64)) error {
	b := make([]byte, keyBytes)
	for {
		if _, err := io.ReadFull(r, b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		hash := xxh3.Uint128{Hi: binary.LittleEndian.Uint64(b), Lo: binary.LittleEndian.Uint64(b[8:])}
		visit(hash, binary.LittleEndian.Uint64(b[16:]))
	}
}

// close removes the temporary files.
func (k *keys) close() error { return k.parts.Close() }

// steps counts games in n: one half of a game when it is read, the other half when its rows
// are compared. It belongs to one goroutine.
type steps struct {
	n           *scan.Counter
	halves      uint64
	games, rows uint64 // read
	compared    uint64 // rows
	done        uint64 // games that were compared
}

// read counts a game that was read.
func (s *steps) read(rows uint64) {
	s.games++
	s.rows += rows
	s.half(rows)
}

// compare counts a row that was compared. Rows are compared in the order of their hashes, so
// the rows of an average game count as a game.
func (s *steps) compare() {
	s.compared++
	for s.compared*s.games >= (s.done+1)*s.rows {
		s.done++
		s.half(s.rows / s.games)
	}
}

func (s *steps) half(rows uint64) {
	s.halves++
	s.n.Add((s.halves+1)%2, rows/2)
}

// RowFuncs returns a function that makes the rows of shape s, one for each goroutine. If
// the shape is Unique, it first reads all games of src in about memory bytes, and
// counts them in n.
func RowFuncs(ctx context.Context, s *rows.Shape, src *datasets.Source, memory int64, n *scan.Counter) (func() datasets.RowFunc, error) {
	if !s.Unique {
		return s.Rows(), nil
	}
	x, err := Find(ctx, s, src.All(), Size{Games: src.Games(), Rows: src.Plies()}, memory, n)
	if err != nil {
		return nil, err
	}
	return x.Rows(s), nil
}

// Rows returns a function that makes the rows of a Unique shape, one for each goroutine.
// A row that is not the first with its position counts as dropped by the last part of the
// filter.
func (x *Index) Rows(s *rows.Shape) func() datasets.RowFunc {
	every := *s
	every.Unique = false
	newRowFunc := every.Rows()
	return func() datasets.RowFunc {
		appendRows := newRowFunc()
		var all *encode.Table // rows of a game
		var picked []int
		return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
			if all == nil {
				all = encode.NewTable(t.Columns)
			}
			all.Reset()
			last := len(dropped) - 1
			if err := appendRows(r, all, dropped[:last]); err != nil {
				return err
			}
			isFirst, err := x.firsts(r.Game, all.Rows)
			if err != nil {
				return err
			}
			picked = picked[:0]
			for row := range all.Rows {
				if isFirst(row) {
					picked = append(picked, row)
				}
			}
			colfile.AppendPicked(t, all, picked)
			dropped[last] += uint64(all.Rows - len(picked))
			return nil
		}
	}
}
