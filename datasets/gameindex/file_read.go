package gameindex

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/zeebo/xxh3"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// load returns the shards of the index file that are still committed. A file that is missing,
// damaged or of another plan, model or version has none.
func (ix *Index) load(commits []*record.Commit) *state {
	stored, err := ix.readFile()
	if err != nil {
		return newState(nil, players{})
	}
	var list []*shard
	for _, c := range commits {
		if sh := stored.find(c.Shard); sh != nil && sh.same(c) {
			sh.commit = c
			list = append(list, sh)
		}
	}
	return newState(list, stored.players)
}

// readFile reads the index file.
func (ix *Index) readFile() (*state, error) {
	f, err := disk.OS{}.Open(ix.file) // which refuses a pipe: it would wait for a writer
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	return ix.read(f, size)
}

// read reads an index file of size bytes. The records of the shards have only what identifies them.
func (ix *Index) read(f io.ReaderAt, size int64) (*state, error) {
	size -= sumBytes
	if err := checkSum(f, size); err != nil {
		return nil, err
	}
	spec := ix.spec()
	open := func() (colfile.Reader, error) { return colfile.NewReader(io.NewSectionReader(f, 0, size), spec) }
	r, err := open()
	if err != nil {
		return nil, err
	}
	batches := make([]batch, r.Groups())
	err = divide(context.Background(), len(batches), func(groups iter.Seq[int]) error {
		r, err := open()
		if err != nil {
			return err
		}
		t := encode.NewTable(spec.Columns)
		for i := range groups {
			t.Reset()
			if err := colfile.ReadGroup(r, i, t); err != nil {
				return err
			}
			if err := batches[i].read(t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return join(batches)
}

// checkSum compares the first size bytes of a file with the sum behind them.
func checkSum(f io.ReaderAt, size int64) error {
	sum, want := xxh3.New(), make([]byte, sumBytes)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return err
	}
	if _, err := f.ReadAt(want, size); err != nil {
		return fmt.Errorf("%w: no sum: %w", datasets.ErrCorrupt, err)
	}
	if sum.Sum64() != binary.LittleEndian.Uint64(want) {
		return fmt.Errorf("%w: wrong sum", datasets.ErrCorrupt)
	}
	return nil
}

// batch is what a record batch of the file has.
type batch struct {
	players
	shards []*shard
}

// read reads the rows of t.
func (b *batch) read(t *encode.Table) error {
	for row := range t.Rows {
		s, err := readShard(t, row)
		if err == nil {
			err = b.players.read(t, row)
		}
		if err != nil {
			return err
		}
		b.shards = append(b.shards, s)
	}
	return nil
}

// read adds the players of a row.
func (p *players) read(t *encode.Table, row int) error {
	text, start := t.Cell(colNames, row), uint32(0)
	for ends := t.Cell(colNameEnds, row); len(ends) > 0; ends = ends[4:] {
		end := binary.LittleEndian.Uint32(ends)
		if end < start || uint64(end) > uint64(len(text)) {
			return fmt.Errorf("%w: names of players", datasets.ErrCorrupt)
		}
		p.names = append(p.names, string(text[start:end]))
		start = end
	}
	for of := t.Cell(colPairs, row); len(of) >= 8; of = of[8:] {
		p.pairs = append(p.pairs, pair{binary.LittleEndian.Uint32(of), binary.LittleEndian.Uint32(of[4:])})
	}
	return nil
}

// readShard returns the shard of a row.
func readShard(t *encode.Table, row int) (*shard, error) {
	c := &record.Commit{Shard: int(binary.LittleEndian.Uint32(t.Cell(colShard, row))), Games: uint64(len(t.Cell(colFirst, row)))}
	s := newShard(c)
	s.sum = string(t.Cell(colGamesFile, row))
	for i, column := range shardColumns {
		data := t.Cell(colFirst+i, row)
		if len(data) != s.games()*column.kind.Size() {
			return nil, fmt.Errorf("%w: %d bytes of column %s for %d games", datasets.ErrCorrupt, len(data), column.name, s.games())
		}
		if _, err := binary.Decode(data, binary.LittleEndian, column.values(s)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// join returns the shards and the players of all batches.
func join(batches []batch) (*state, error) {
	var shards []*shard
	var p players
	for _, b := range batches {
		p.names, p.pairs = append(p.names, b.names...), append(p.pairs, b.pairs...)
		shards = append(shards, b.shards...)
	}
	for _, of := range p.pairs {
		if int(max(of[0], of[1])) >= len(p.names) {
			return nil, fmt.Errorf("%w: player %d of %d", datasets.ErrCorrupt, max(of[0], of[1]), len(p.names))
		}
	}
	last := -1
	for _, s := range shards {
		if s.commit.Shard <= last || s.games() > 0 && int(slices.Max(s.players)) >= len(p.pairs) {
			return nil, fmt.Errorf("%w: shard %d after shard %d, with some of %d pairs", datasets.ErrCorrupt, s.commit.Shard, last, len(p.pairs))
		}
		last = s.commit.Shard
	}
	return newState(shards, p), nil
}
