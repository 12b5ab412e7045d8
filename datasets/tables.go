package datasets

import (
	"fmt"
	"iter"
	"math"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// Positions yields the positions of a part of a committed shard in game order, one row group at a
// time. The table is valid until the next iteration. An error ends the sequence; the table
// is then nil.
func (ds *Dataset) Positions(p *record.Part) iter.Seq2[*encode.Table, error] {
	return ds.groups(p, plan.PositionsFile)
}

// Games yields the records of a part of a committed shard, or of both its parts, in game order. The
// record is valid until the next iteration. An error ends the sequence; the record is then nil.
func (ds *Dataset) Games(parts ...*record.Part) iter.Seq2[*engine.Record, error] {
	all := ds.games(parts[0])
	for _, p := range parts[1:] {
		all = merge(all, ds.games(p))
	}
	return all
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

// games is Games for one part.
func (ds *Dataset) games(p *record.Part) iter.Seq2[*engine.Record, error] {
	return func(yield func(*engine.Record, error) bool) {
		var r engine.Record
		for t, err := range ds.groups(p, plan.GamesFile) {
			if err != nil {
				yield(nil, err)
				return
			}
			for row := range t.Rows {
				if gamerow.Read(t, row, &r); !yield(&r, nil) {
					return
				}
			}
		}
	}
}

// Game sets r to a game of a committed shard, given its number. It decodes one row group at most.
func (ds *Dataset) Game(c *record.Commit, game uint64, r *engine.Record) error {
	p, row := ds.placeOf(c, game)
	if p == nil {
		return fmt.Errorf("read game %d of shard %05d, which has %d games from %d", game, c.Shard, c.Games, c.FirstGame)
	}
	t, err := ds.openTable(p, plan.GamesFile)
	if err != nil {
		return err
	}
	defer t.Close()
	one := encode.NewTable(t.spec.Columns)
	for g, first := 0, 0; g < t.Groups() && one.Rows == 0; g++ {
		n, err := t.Rows(g)
		if err == nil && row >= first && row < first+n {
			err = colfile.ReadRows(t, g, []int{row - first}, one)
		}
		if err != nil {
			return &fault.FileError{Op: "read", Path: p.Files[plan.GamesFile].Name, Err: err}
		}
		first += n
	}
	if one.Rows == 0 {
		return &fault.FileError{Op: "read", Path: p.Files[plan.GamesFile].Name, Err: fault.Corrupt("game %d is missing", game)}
	}
	gamerow.Read(one, 0, r)
	return nil
}

// placeOf returns the part of a shard that has a game, and its row in the games file; nil if the
// shard does not have it.
func (ds *Dataset) placeOf(c *record.Commit, game uint64) (p *record.Part, row int) {
	if game < c.FirstGame || game-c.FirstGame >= c.Games {
		return nil, 0
	}
	splits, before := ds.h.Plan.Splits(), game-c.FirstGame
	validation := splits.Count(c.FirstGame, before)
	if splits.Validation(game) {
		return c.PartOf(plan.Validation), int(validation)
	}
	return c.PartOf(plan.Train), int(before - validation)
}

// groups yields the row groups of file f of a part, each in the same table.
func (ds *Dataset) groups(p *record.Part, f int) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := ds.openTable(p, f)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		t := encode.NewTable(r.spec.Columns)
		for g := range r.Groups() {
			t.Reset()
			if err := colfile.ReadGroup(r, g, t); err != nil {
				yield(nil, &fault.FileError{Op: "read", Path: p.Files[f].Name, Err: err})
				return
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// table is an open data file.
type table struct {
	colfile.Reader
	f    disk.File
	spec colfile.Spec
}

// Close closes the file.
func (t *table) Close() error { return t.f.Close() }

// openTable opens file f of a part after its SHA-256 is checked, here or by the store. It parses
// the file that it has checked, also if another one takes its name meanwhile.
func (ds *Dataset) openTable(p *record.Part, f int) (*table, error) {
	want := p.Files[f]
	t := &table{spec: p.Spec(ds.h, f)}
	var err error
	if t.f, err = ds.d.FS.Open(ds.d.Path(want.Name)); err != nil {
		return nil, &fault.FileError{Op: "read", Path: want.Name, Err: err}
	}
	if !ds.d.Vouches(want.Name, want.SHA256) {
		err = record.CheckOpened(t.f, want)
	}
	if err == nil {
		t.Reader, err = colfile.NewReader(t.f, t.spec)
	}
	if err != nil {
		t.f.Close()
		return nil, &fault.FileError{Op: "read", Path: want.Name, Err: err}
	}
	return t, nil
}
