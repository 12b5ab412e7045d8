package datasets

import (
	"errors"
	"io/fs"
	"iter"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/engine"
)

// Dataset reads a dataset, also one that is unfinished or being made. What it
// returns is bytes that were committed: no file is parsed before its SHA-256
// agrees with its record.
type Dataset struct {
	d disk.Dir
	h *header
}

// Open opens the dataset in root.
func Open(root string) (*Dataset, error) {
	d := disk.Dir{Root: root, FS: disk.OS{}}
	h, err := readHeader(d)
	if err != nil {
		return nil, err
	}
	return &Dataset{d, h}, nil
}

// Plan returns what the bytes depend on.
func (ds *Dataset) Plan() Plan { return ds.h.plan.clone() }

// PlanHash returns the hash of the plan.
func (ds *Dataset) PlanHash() string { return ds.h.hash }

// About returns what plan.json says beside the plan.
func (ds *Dataset) About() About { return ds.h.about }

// Description returns the meaning of the numbers.
func (ds *Dataset) Description() Description { return ds.h.description }

// Commits returns the records of all committed shards, by shard.
func (ds *Dataset) Commits() ([]*Commit, error) { return readCommits(ds.d, ds.h) }

// Info is a dataset at a glance.
type Info struct {
	Game       string        `json:"game"`
	PlanHash   string        `json:"plan_hash"`
	Complete   bool          `json:"complete"` // every game of the target is committed, and the manifest tells of all
	Target     uint64        `json:"target"`   // games, 0 if unknown
	Shards     int           `json:"shards"`   // of the target
	ShardsDone int           `json:"shards_done"`
	Games      uint64        `json:"games"`
	Rows       uint64        `json:"rows"`
	Bytes      int64         `json:"bytes"`
	Splits     []SplitTotals `json:"splits"`
	Dropped    []Dropped     `json:"dropped,omitempty"` // rows that the filter left out
}

// Info returns what is committed now.
func (ds *Dataset) Info() (Info, error) {
	commits, err := ds.Commits()
	if err != nil {
		return Info{}, err
	}
	target, err := readTarget(ds.d)
	if err != nil {
		return Info{}, err
	}
	m := newManifest(ds.h, commits)
	there, err := readManifest(ds.d)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrCorrupt) {
		return Info{}, err
	}
	finished := err == nil && m.agrees(there)
	return Info{
		Game: ds.h.plan.Game, PlanHash: ds.h.hash, Target: target,
		Complete: finished && target > 0 && len(missingShards(ds.h.plan, commits, target)) == 0,
		Shards:   max(ds.h.plan.shards(target), m.Shards), ShardsDone: m.Shards,
		Games: m.Games, Rows: m.Rows, Bytes: m.Bytes, Splits: m.Splits, Dropped: m.Dropped,
	}, nil
}

// missingShards returns the shards of the target that are not committed with all
// their games.
func missingShards(p Plan, commits []*Commit, target uint64) []int {
	done := map[int]uint64{}
	for _, c := range commits {
		done[c.Shard] = c.Games
	}
	var missing []int
	for s := range min(p.shards(target), maxShards) {
		if _, want := p.games(s, target); done[s] != want {
			missing = append(missing, s)
		}
	}
	return missing
}

// table is an open data file.
type table struct {
	colfile.Reader
	f    disk.File
	spec colfile.Spec
}

// Close closes the file.
func (t *table) Close() error { return t.f.Close() }

// openTable opens file f of a shard once its SHA-256 is right.
func (ds *Dataset) openTable(c *Commit, f int) (*table, error) {
	want := c.Files[f]
	if err := checkSum(ds.d, want.Name, want); err != nil {
		return nil, &FileError{Op: "read", Path: want.Name, Err: err}
	}
	t := &table{spec: ds.h.specOf(c, f)}
	var err error
	if t.f, err = ds.d.FS.Open(ds.d.Path(want.Name)); err != nil {
		return nil, &FileError{Op: "read", Path: want.Name, Err: err}
	}
	if t.Reader, err = colfile.NewReader(t.f, t.spec); err != nil {
		t.f.Close()
		return nil, &FileError{Op: "read", Path: want.Name, Err: err}
	}
	return t, nil
}

// tables yields the row groups of a file, each in the same Table.
func (ds *Dataset) tables(c *Commit, f int) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := ds.openTable(c, f)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		t := encode.NewTable(r.spec.Columns)
		for g := range r.Groups() {
			t.Reset()
			if err := colfile.ReadGroup(r, g, t); err != nil {
				yield(nil, &FileError{Op: "read", Path: c.Files[f].Name, Err: err})
				return
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// Positions yields the positions of a shard in game order, a row group at a time.
// The table is valid until the next one. An error ends the sequence.
func (ds *Dataset) Positions(c *Commit) iter.Seq2[*encode.Table, error] {
	return ds.tables(c, positionsFile)
}

// Games yields the records of a shard. The record is valid until the next one. An
// error ends the sequence.
func (ds *Dataset) Games(c *Commit) iter.Seq2[*engine.Record, error] {
	return func(yield func(*engine.Record, error) bool) {
		var r engine.Record
		for t, err := range ds.tables(c, gamesFile) {
			if err != nil {
				yield(nil, err)
				return
			}
			for row := range t.Rows {
				if ReadGame(t, row, &r); !yield(&r, nil) {
					return
				}
			}
		}
	}
}

// Head returns the first n positions, fewer if there are no more.
func (ds *Dataset) Head(n int) (*encode.Table, error) {
	head := encode.NewTable(ds.h.description.Columns)
	commits, err := ds.Commits()
	if err != nil {
		return nil, err
	}
	for _, c := range commits {
		for t, err := range ds.Positions(c) {
			if err != nil {
				return nil, &ShardError{"read", c.Shard, err}
			}
			colfile.AppendRows(head, t, 0, min(t.Rows, n-head.Rows))
			if head.Rows == n {
				return head, nil
			}
		}
	}
	return head, nil
}
