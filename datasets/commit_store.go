package datasets

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

// readCommit reads the record of shard s.
func readCommit(d disk.Dir, h *plan.File, s int) (*Commit, error) {
	data, err := d.ReadFile(plan.CommitName(s))
	if errors.Is(err, fault.ErrCorrupt) {
		err = &fault.FileError{Op: "read", Path: plan.CommitName(s), Err: err}
	}
	if err != nil {
		return nil, err
	}
	c, err := parseCommit(data, h, s)
	if err != nil {
		return nil, &fault.FileError{Op: "read", Path: plan.CommitName(s), Err: err}
	}
	return c, nil
}

// eachCommit yields all records in shard order. An error ends the sequence; the record is
// then nil.
func eachCommit(d disk.Dir, h *plan.File) iter.Seq2[*Commit, error] {
	return func(yield func(*Commit, error) bool) {
		shards, err := listShards(d, plan.CommitsFolder)
		if err != nil {
			yield(nil, err)
			return
		}
		for c, err := range readAhead(shards, func(s int) (*Commit, error) { return readCommit(d, h, s) }) {
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// listShards returns the shards that have a record in folder, in order. Any other name in
// the folder is ErrCorrupt: this package writes only records there.
func listShards(d disk.Dir, folder string) ([]int, error) {
	names, err := d.List(folder)
	if err != nil {
		return nil, err
	}
	var shards []int
	for _, name := range names {
		s, ok := plan.ShardOfRecord(name)
		if !ok {
			return nil, &fault.FileError{Op: "read", Path: path.Join(folder, name), Err: errNotRecord}
		}
		shards = append(shards, s)
	}
	slices.Sort(shards)
	return shards, nil
}

// errNotRecord: a name in a folder of records is not the name of a record.
var errNotRecord = fault.Corrupt("not a shard record")

// writeCommit publishes a record. Another task may have committed the shard; then the
// records must be the same.
func writeCommit(d disk.Dir, c *Commit, h *plan.File) error {
	err := d.Create(plan.CommitName(c.Shard), c.encode())
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	found, err := readCommit(d, h, c.Shard)
	if err != nil {
		return err
	}
	if !found.same(c) {
		return fmt.Errorf("commit: %w: another task committed other content", fault.ErrNondeterminism)
	}
	return nil
}

// checkSizes is the quick check of shard s: its files exist and have the given sizes.
func checkSizes(d disk.Dir, p plan.Plan, s int, sizes [2]int64) error {
	for i, table := range tables {
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

// checkAllSizes is checkSizes for the shards of records.
func checkAllSizes(d disk.Dir, p plan.Plan, records []shardRecord) error {
	check := func(r shardRecord) (none struct{}, err error) { return none, checkSizes(d, p, r.shard, r.sizes) }
	for _, err := range readAhead(records, check) {
		if err != nil {
			return err
		}
	}
	return nil
}

// missingShards returns the shards of the target that are not committed with all their
// games.
func missingShards(p plan.Plan, commits []*Commit, target uint64) []int {
	games := map[int]uint64{}
	for _, c := range commits {
		games[c.Shard] = c.Games
	}
	return shardsWithout(p, func(s int) uint64 { return games[s] }, target)
}

// shardsWithout is missingShards for the numbers of committed games by shard.
func shardsWithout(p plan.Plan, games func(s int) uint64, target uint64) []int {
	var missing []int
	for s := range min(p.Shards(target), plan.MaxShards) {
		if _, want := p.GamesOf(s, target); games(s) != want {
			missing = append(missing, s)
		}
	}
	return missing
}
