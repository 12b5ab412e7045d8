package datasets

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sync"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// Part reads one split of one committed shard: columns of its files, its rows and its games. It opens a
// file when it is first read, and parses only what it has opened, also if another file takes the name
// meanwhile. Several goroutines may use it.
type Part struct {
	Of *record.Part
	ds *Dataset

	mu    sync.Mutex
	files [2]disk.File // nil until they are read
}

// Part returns a reader of a part of a committed shard. The caller calls Close.
func (ds *Dataset) Part(p *record.Part) *Part { return &Part{Of: p, ds: ds} }

// Close closes the files. What is read later opens them again.
func (p *Part) Close() (err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, f := range p.files {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
		p.files[i] = nil
	}
	return err
}

// open returns file f, opened and with the SHA-256 of its commit record.
func (p *Part) open(f int) (disk.File, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files[f] != nil {
		return p.files[f], nil
	}
	d, want := p.ds.d, p.Of.Files[f]
	file, err := d.FS.Open(d.Path(want.Name))
	if err != nil {
		return nil, err
	}
	switch {
	case d.Vouches(want.Name, want.SHA256):
	case p.ds.unknowing:
		err = record.CheckOpened(file, want)
	default:
		err = record.CheckKnown(d.Path(want.Name), file, want)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	p.files[f] = file
	return file, nil
}

// Check opens file f, plan.PositionsFile or plan.GamesFile, and so compares its SHA-256.
func (p *Part) Check(f int) error {
	_, err := p.open(f)
	return p.fail(f, err)
}

// fail returns an error that names file f, nil without an error.
func (p *Part) fail(f int, err error) error {
	if err == nil {
		return nil
	}
	return &fault.FileError{Op: "read", Path: p.Of.Files[f].Name, Err: err}
}

// Columns returns a reader of the named columns of file f, plan.PositionsFile or plan.GamesFile; without names,
// of all. It panics if a name is not a column. The reader belongs to one goroutine, and ends with Close.
func (p *Part) Columns(f int, names ...string) (*ColumnReader, error) {
	file, err := p.open(f)
	if err != nil {
		return nil, p.fail(f, err)
	}
	spec := p.Of.Spec(p.ds.file, f)
	r, err := colfile.NewReader(io.NewSectionReader(file, 0, p.Of.Files[f].Bytes), spec)
	if err != nil {
		return nil, p.fail(f, err)
	}
	n := &ColumnReader{r: r, part: p, file: f}
	var columns []encode.Column
	for col, c := range spec.Columns {
		if len(names) == 0 || slices.Contains(names, c.Name) {
			n.columns, columns = append(n.columns, col), append(columns, c)
		}
	}
	if len(names) > 0 && len(columns) != len(names) {
		panic(fmt.Sprintf("datasets: read columns %q of %q", names, plan.ColumnNames(spec.Columns)))
	}
	n.t = encode.NewTable(columns)
	return n, nil
}

// ColumnReader reads some columns of a file of a Part, one group of rows at a time and in any order.
type ColumnReader struct {
	r       colfile.Reader
	part    *Part
	file    int
	columns []int // as indexes of the file
	t       *encode.Table
}

// Groups returns the number of groups: row groups of Parquet or record batches of Arrow.
func (n *ColumnReader) Groups() int { return n.r.Groups() }

// Columns returns the columns of the tables that Read returns, in the order of the file.
func (n *ColumnReader) Columns() []encode.Column { return n.t.Columns }

// Read returns the columns of a group. The table is valid until the next call.
func (n *ColumnReader) Read(group int) (*encode.Table, error) {
	n.t.Reset()
	return n.t, n.AppendTo(n.t, group)
}

// AppendTo appends the columns of a group to t, a table of Columns. After an error t holds part of
// the group.
func (n *ColumnReader) AppendTo(t *encode.Table, group int) error {
	want, err := n.r.Rows(group)
	for i, col := range n.columns {
		if err != nil {
			break
		}
		rows := 0
		colfile.Reserve(t, i, want)
		err = n.r.Scan(group, col, func(v colfile.Cells) {
			rows += v.Rows
			colfile.AppendCells(t, i, v)
		})
		if err == nil && rows != want {
			err = fault.Corrupt("%d rows, want %d", rows, want)
		}
		if err != nil {
			err = fmt.Errorf("column %s: %w", t.Columns[i].Name, err)
		}
	}
	if err != nil {
		return n.part.fail(n.file, fmt.Errorf("row group %d: %w", group, err))
	}
	t.Rows += want
	return nil
}

// Pick chooses rows of a group, given the numbers in the part of its first row and of the first row after
// it. It returns their numbers in the group, which ascend.
type Pick func(first, end int) []int

// Rows yields the positions that pick chooses, or all if it is nil, in game order, one group at a time. It
// decodes only the pages that hold them, as far as the format allows, and skips groups without any. A
// table is valid until the next one. An error ends the sequence; the table is then nil.
func (p *Part) Rows(pick Pick) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := p.Columns(plan.PositionsFile)
		if err != nil {
			yield(nil, err)
			return
		}
		first := 0
		for g := range r.Groups() {
			t, err := r.readPicked(g, &first, pick)
			if err != nil {
				yield(nil, err)
				return
			}
			if t.Rows > 0 && !yield(t, nil) {
				return
			}
		}
	}
}

// readPicked returns the rows of a group that pick chooses. first is the number of its first row; it is moved.
func (n *ColumnReader) readPicked(group int, first *int, pick Pick) (*encode.Table, error) {
	if pick == nil {
		return n.Read(group)
	}
	n.t.Reset()
	count, err := n.r.Rows(group)
	if err == nil {
		rows := pick(*first, *first+count)
		*first += count
		err = colfile.ReadRows(n.r, group, rows, n.t)
	}
	return n.t, n.part.fail(n.file, err)
}

// Games yields the records of the part in game order. The record is valid until the next one. An error
// ends the sequence; the record is then nil.
func (p *Part) Games() iter.Seq2[*engine.Record, error] {
	return func(yield func(*engine.Record, error) bool) {
		files, err := p.Columns(plan.GamesFile)
		if err != nil {
			yield(nil, err)
			return
		}
		var r engine.Record
		for g := range files.Groups() {
			t, err := files.Read(g)
			if err != nil {
				yield(nil, err)
				return
			}
			for row := range t.Rows {
				gamerow.Read(t, row, &r)
				if !yield(&r, nil) {
					return
				}
			}
		}
	}
}

// Positions is Part.Rows of all rows for callers that read a part once.
func (ds *Dataset) Positions(p *record.Part) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		part := ds.Part(p)
		defer part.Close()
		part.Rows(nil)(yield)
	}
}

// Games is Part.Games for callers that read a part, or both parts of a shard, once. Games of two parts come in game order.
func (ds *Dataset) Games(parts ...*record.Part) iter.Seq2[*engine.Record, error] {
	return func(yield func(*engine.Record, error) bool) {
		var all iter.Seq2[*engine.Record, error]
		for _, p := range parts {
			part := ds.Part(p)
			defer part.Close()
			if all == nil {
				all = part.Games()
				continue
			}
			all = merge(all, part.Games())
		}
		all(yield)
	}
}

// merge yields the records of two sequences in the order of their games.
func merge(a, b iter.Seq2[*engine.Record, error]) iter.Seq2[*engine.Record, error] {
	return func(yield func(*engine.Record, error) bool) {
		next, stop := iter.Pull2(b)
		defer stop()
		other, err, more := next()
		// before yields the records of b before a game. It reports whether the sequence goes on.
		before := func(game uint64) bool {
			for more && (err != nil || other.Game < game) {
				if !yield(other, err) || err != nil {
					return false
				}
				other, err, more = next()
			}
			return true
		}
		for r, err := range a {
			if err == nil && !before(r.Game) || !yield(r, err) || err != nil {
				return
			}
		}
		before(math.MaxUint64)
	}
}

// Game sets r to a game of a committed shard, given its number. It decodes one row group at most.
func (ds *Dataset) Game(c *record.Commit, game uint64, r *engine.Record) error {
	of, row := ds.placeOf(c, game)
	if of == nil {
		return fmt.Errorf("read game %d of shard %05d, which has %d games from %d", game, c.Shard, c.Games, c.FirstGame)
	}
	p := ds.Part(of)
	defer p.Close()
	games, err := p.Columns(plan.GamesFile)
	if err != nil {
		return err
	}
	pick := func(first, end int) []int {
		if row < first || row >= end {
			return nil
		}
		return []int{row - first}
	}
	for g, first := 0, 0; g < games.Groups(); g++ {
		t, err := games.readPicked(g, &first, pick)
		if err != nil {
			return err
		}
		if t.Rows > 0 {
			gamerow.Read(t, 0, r)
			return nil
		}
	}
	return p.fail(plan.GamesFile, fault.Corrupt("game %d is missing", game))
}

// placeOf returns the part of a shard that has a game, and its row in the games file; nil if the
// shard does not have it.
func (ds *Dataset) placeOf(c *record.Commit, game uint64) (p *record.Part, row int) {
	if game < c.FirstGame || game-c.FirstGame >= c.Games {
		return nil, 0
	}
	splits, before := ds.file.Plan.Splits(), game-c.FirstGame
	validation := splits.Count(c.FirstGame, before)
	if splits.Validation(game) {
		return c.PartOf(plan.Validation), int(validation)
	}
	return c.PartOf(plan.Train), int(before - validation)
}
