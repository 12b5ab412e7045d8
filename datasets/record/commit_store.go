package record

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// Read reads the record of shard s.
func Read(d disk.Dir, h *plan.File, s int) (*Commit, error) {
	data, err := d.ReadFile(plan.CommitName(s))
	if errors.Is(err, fault.ErrCorrupt) {
		err = &fault.FileError{Op: "read", Path: plan.CommitName(s), Err: err}
	}
	if err != nil {
		return nil, err
	}
	c, err := Parse(data, h, s)
	if err != nil {
		return nil, &fault.FileError{Op: "read", Path: plan.CommitName(s), Err: err}
	}
	return c, nil
}

// Each yields all records in shard order. An error ends the sequence; the record is
// then nil.
func Each(d disk.Dir, h *plan.File) iter.Seq2[*Commit, error] {
	return func(yield func(*Commit, error) bool) {
		shards, err := ListShards(d, plan.CommitsFolder)
		if err != nil {
			yield(nil, err)
			return
		}
		for c, err := range ReadAhead(shards, func(s int) (*Commit, error) { return Read(d, h, s) }) {
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// ListShards returns the shards that have a record in folder, in order. Any other name in
// the folder is ErrCorrupt: this package writes only records there.
func ListShards(d disk.Dir, folder string) ([]int, error) {
	names, err := d.List(folder)
	if err != nil {
		return nil, err
	}
	var shards []int
	for _, name := range names {
		s, ok := plan.ShardOfRecord(name)
		if !ok {
			return nil, &fault.FileError{Op: "read", Path: path.Join(folder, name), Err: ErrName}
		}
		shards = append(shards, s)
	}
	slices.Sort(shards)
	return shards, nil
}

// ErrName: a name in a folder of records is not the name of a record.
var ErrName = fault.Corrupt("not a shard record")

// Write publishes a record. Another task may have committed the shard; then the
// records must be the same.
func Write(d disk.Dir, c *Commit, h *plan.File) error {
	err := d.Create(plan.CommitName(c.Shard), c.Encode())
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	found, err := Read(d, h, c.Shard)
	if err != nil {
		return err
	}
	if !found.Same(c) {
		return fmt.Errorf("commit: %w: another task committed other content", fault.ErrNondeterminism)
	}
	return nil
}

// CheckSizes is the quick check of shard s: its files exist and have the given sizes.
func CheckSizes(d disk.Dir, p plan.Plan, s int, sizes [2]int64) error {
	for i, table := range Tables {
		name := p.DataName(table, s)
		size, err := d.Size(name)
		if err != nil {
			return &fault.FileError{Op: "check", Path: name, Err: fault.Corrupt("%w", err)}
		}
		if size != sizes[i] {
			return &fault.FileError{Op: "check", Path: name, Err: fault.Corrupt("%d bytes, want %d", size, sizes[i])}
		}
	}
	return nil
}

// CheckAllSizes is CheckSizes for the shards of records.
func CheckAllSizes(d disk.Dir, p plan.Plan, records []Shard) error {
	check := func(r Shard) (none struct{}, err error) { return none, CheckSizes(d, p, r.Shard, r.Sizes) }
	for _, err := range ReadAhead(records, check) {
		if err != nil {
			return err
		}
	}
	return nil
}

// Missing returns the shards of the target that are not committed with all their
// games.
func Missing(p plan.Plan, commits []*Commit, target uint64) []int {
	games := map[int]uint64{}
	for _, c := range commits {
		games[c.Shard] = c.Games
	}
	return shardsWithout(p, func(s int) uint64 { return games[s] }, target)
}

// shardsWithout is Missing for the numbers of committed games by shard.
func shardsWithout(p plan.Plan, games func(s int) uint64, target uint64) []int {
	var missing []int
	for s := range min(p.Shards(target), plan.MaxShards) {
		if _, want := p.GamesOf(s, target); games(s) != want {
			missing = append(missing, s)
		}
	}
	return missing
}
