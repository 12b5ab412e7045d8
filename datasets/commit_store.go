package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// readCommit reads the record of shard s.
func readCommit(d disk.Dir, h *header, s int) (*Commit, error) {
	data, err := d.ReadFile(commitName(s))
	if errors.Is(err, ErrCorrupt) {
		err = &FileError{Op: "read", Path: commitName(s), Err: err}
	}
	if err != nil {
		return nil, err
	}
	c, err := parseCommit(data, h, s)
	if err != nil {
		return nil, &FileError{Op: "read", Path: commitName(s), Err: err}
	}
	return c, nil
}

// readCommits reads all records, in shard order.
func readCommits(d disk.Dir, h *header) ([]*Commit, error) {
	shards, err := listShards(d, commitsName)
	if err != nil {
		return nil, err
	}
	var commits []*Commit
	for _, s := range shards {
		c, err := readCommit(d, h, s)
		if err != nil {
			return nil, err
		}
		commits = append(commits, c)
	}
	return commits, nil
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
		s, ok := shardOfRecord(name)
		if !ok {
			return nil, &FileError{Op: "read", Path: path.Join(folder, name), Err: errNotRecord}
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
func writeCommit(d disk.Dir, c *Commit, h *header) error {
	err := d.Create(commitName(c.Shard), c.encode())
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	found, err := readCommit(d, h, c.Shard)
	if err != nil {
		return err
	}
	if !found.same(c) {
		return fmt.Errorf("commit: %w: another task committed other content", ErrNondeterminism)
	}
	return nil
}

// checkSizes is the quick check of a committed shard: its files exist and have the sizes
// of the record.
func checkSizes(d disk.Dir, c *Commit) error {
	for _, f := range c.Files {
		size, err := d.Size(f.Name)
		if err != nil {
			return &FileError{Op: "check", Path: f.Name, Err: fault.Corrupt("%w", err)}
		}
		if size != f.Bytes {
			return &FileError{Op: "check", Path: f.Name, Err: fault.Corrupt("%d bytes, want %d", size, f.Bytes)}
		}
	}
	return nil
}

// missingShards returns the shards of the target that are not committed with all their
// games.
func missingShards(p Plan, commits []*Commit, target uint64) []int {
	games := map[int]uint64{}
	for _, c := range commits {
		games[c.Shard] = c.Games
	}
	return shardsWithout(p, games, target)
}

// shardsWithout is missingShards for the numbers of committed games by shard.
func shardsWithout(p Plan, games map[int]uint64, target uint64) []int {
	var missing []int
	for s := range min(p.shards(target), MaxShards) {
		if _, want := p.games(s, target); games[s] != want {
			missing = append(missing, s)
		}
	}
	return missing
}
