package gameindex

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// failure is a shard that could not be read. Reading it again is of no use until its record or its
// file changes, and computing the SHA-256 of a large file again and again is expensive.
type failure struct {
	commit *record.Commit
	files  string // state of the games files; "" if one is missing
	err    error
}

// fail notes why a shard was not read, unless it is gone: a repair or a longer run removes the
// files of a shard after its record.
func (ix *Index) fail(c *record.Commit, err error) {
	if errors.Is(err, fs.ErrNotExist) && !ix.isCommitted(c) {
		return
	}
	ix.failures[c.Shard] = &failure{c, ix.gamesFiles(c), err}
}

// isSame reports whether a shard is as it was when it could not be read.
func (ix *Index) isSame(f *failure, c *record.Commit) bool {
	return slices.Equal(f.commit.Files, c.Files) && f.files != "" && f.files == ix.gamesFiles(c)
}

// gamesFiles returns sizes and times of the games files of a shard, "" if that is impossible.
func (ix *Index) gamesFiles(c *record.Commit) (state string) {
	d, err := disk.At(ix.root)
	if err != nil {
		return ""
	}
	for _, p := range c.Parts() {
		info, err := d.FS.Stat(d.Path(p.Files[plan.GamesFile].Name))
		if err != nil {
			return ""
		}
		state += fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano(), " ")
	}
	return state
}

// failed lists the shards that could not be read, in order.
func (ix *Index) failed() (list []*datasets.ShardError) {
	for s, f := range ix.failures {
		list = append(list, &datasets.ShardError{Op: "index", Shard: s, Err: f.err})
	}
	slices.SortFunc(list, func(a, b *datasets.ShardError) int { return cmp.Compare(a.Shard, b.Shard) })
	return list
}

// isCommitted reports whether a shard is still committed as its record says.
func (ix *Index) isCommitted(c *record.Commit) bool {
	now, err := ix.ds.Commit(c.Shard)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return slices.Equal(now.Files, c.Files)
}
