package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"slices"
)

// Commit is the record of a shard: it counts if and only if its record exists and
// matches. Everything but Build is a function of the plan.
type Commit struct {
	Format    int       `json:"format"`
	Plan      string    `json:"plan"` // hash
	Shard     int       `json:"shard"`
	Split     string    `json:"split"`
	FirstGame uint64    `json:"first_game"`
	Games     uint64    `json:"games"`
	Rows      uint64    `json:"rows"` // positions
	Results   []Count   `json:"results"`
	Dropped   []Dropped `json:"dropped,omitempty"` // one for each part of the plan's filter
	Files     [2]Digest `json:"files"`             // positions, games
	Build     string    `json:"build"`             // of the program that made it
}

// The files of a shard, as indexes into Commit.Files.
const (
	positionsFile = 0
	gamesFile     = 1
)

// tables are the names of the tables, by file.
var tables = [2]string{positionsFile: positionsName, gamesFile: gamesName}

// Count is how many games ended in one way, by number.
type Count struct {
	Result uint8  `json:"result"`
	Reason uint8  `json:"reason"`
	Games  uint64 `json:"games"`
}

// Digest is all that must be true of a data file.
type Digest struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Rows   uint64 `json:"rows"`
	// RowDigest is over the logical values: the same for every format and board
	// type, and for every batch size. See digest.go.
	RowDigest string `json:"row_digest"`
}

// same reports whether two records are of the same shard, whoever made it.
func (c *Commit) same(o *Commit) bool {
	a, b := *c, *o
	a.Build, b.Build = "", ""
	return string(encodeJSON(a, "")) == string(encodeJSON(b, ""))
}

func (c *Commit) encode() []byte { return encodeJSON(c, "  ") }

// parseCommit reads the record of shard s of a plan and checks all that can be
// checked without its files.
func parseCommit(data []byte, h *header, s int) (*Commit, error) {
	if err := checkFormat(data); err != nil {
		return nil, err
	}
	c := new(Commit)
	if err := decodeJSON(data, c); err != nil {
		return nil, err
	}
	return c, c.check(h, s)
}

func (c *Commit) check(h *header, s int) error {
	first, _ := h.plan.games(s, ^uint64(0))
	switch {
	case c.Plan != h.hash:
		return fault.Corrupt("the record is of plan %.12s, the dataset of %.12s", c.Plan, h.hash)
	case c.Shard != s:
		return fault.Corrupt("the record is of shard %d", c.Shard)
	case c.Split != h.plan.split(s):
		return fault.Corrupt("split %q, want %s", c.Split, h.plan.split(s))
	case c.FirstGame != first || c.Games < 1 || c.Games > uint64(h.plan.ShardGames):
		return fault.Corrupt("games %d from %d: want 1 to %d from %d", c.Games, c.FirstGame, h.plan.ShardGames, first)
	}
	return c.checkFiles(h.plan)
}

func (c *Commit) checkFiles(p Plan) error {
	var counted uint64
	for _, n := range c.Results {
		counted += n.Games
	}
	switch pos, games := c.Files[positionsFile], c.Files[gamesFile]; {
	case pos.Name != p.dataName(positionsName, c.Shard):
		return fault.Corrupt("positions file %q", pos.Name)
	case games.Name != p.dataName(gamesName, c.Shard):
		return fault.Corrupt("games file %q", games.Name)
	case !slices.EqualFunc(c.Dropped, p.Filter, func(d Dropped, part string) bool { return d.Filter == part }):
		return fault.Corrupt("rows left out by %v, want by %q", c.Dropped, p.Filter)
	case pos.Rows != c.Rows || games.Rows != c.Games || counted != c.Games:
		return fault.Corrupt("%d rows and %d games, but %d and %d in the files and %d results",
			c.Rows, c.Games, pos.Rows, games.Rows, counted)
	}
	return nil
}

// readCommit reads the record of shard s.
func readCommit(d disk.Dir, h *header, s int) (*Commit, error) {
	data, err := d.ReadFile(commitName(s))
	if err != nil {
		return nil, err
	}
	c, err := parseCommit(data, h, s)
	if err != nil {
		return nil, &FileError{Op: "read", Path: commitName(s), Err: err}
	}
	return c, nil
}

// readCommits reads all records, by shard. Names that are not records are an
// error: nothing else is ever written there.
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

// listShards returns the shards that have a record in folder, in order.
func listShards(d disk.Dir, folder string) ([]int, error) {
	names, err := d.List(folder)
	if err != nil {
		return nil, err
	}
	var shards []int
	for _, name := range names {
		s, ok := shardOf(name)
		if !ok {
			return nil, &FileError{Op: "read", Path: path.Join(folder, name), Err: fault.Corrupt("not a shard's record")}
		}
		shards = append(shards, s)
	}
	slices.Sort(shards)
	return shards, nil
}

// writeCommit publishes the record of a shard whose files are published.
func writeCommit(d disk.Dir, c *Commit, h *header) error {
	err := d.Create(commitName(c.Shard), c.encode())
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	there, err := readCommit(d, h, c.Shard)
	if err != nil {
		return err
	}
	if !there.same(c) {
		return fmt.Errorf("commit: %w: the shard is committed with other content", ErrNondeterminism)
	}
	return nil
}

// checkSizes is the quick check of a committed shard: its files are there and
// have their sizes.
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

// results counts outcomes; the zero value is ready.
type results map[[2]uint8]uint64

// counts returns the counts by result, then reason.
func (r results) counts() []Count {
	var list []Count
	for k, n := range r {
		list = append(list, Count{k[0], k[1], n})
	}
	slices.SortFunc(list, func(a, b Count) int {
		return (int(a.Result)-int(b.Result))*256 + int(a.Reason) - int(b.Reason)
	})
	return list
}
