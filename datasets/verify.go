package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Level is how much Verify looks at. Each includes the ones before.
type Level uint8

const (
	// Quick: plan, records, manifest and card; which files there are, and sizes.
	Quick Level = 0
	// Sums: the SHA-256 of every file.
	Sums Level = 1
	// Deep: every row decoded, its digest compared, every game replayed and its
	// rows compared with the positions.
	Deep Level = 2
)

// Report is what Verify found.
type Report struct {
	PlanHash string    `json:"plan_hash"`
	Complete bool      `json:"complete"`
	Shards   int       `json:"shards"`
	Games    uint64    `json:"games"`
	Rows     uint64    `json:"rows"`
	Bytes    int64     `json:"bytes"`
	Missing  []int     `json:"missing,omitempty"` // shards of the target still to be made
	Pending  []string  `json:"pending,omitempty"` // files of those: left by a killed run, or being published
	Problems []Problem `json:"problems"`
}

// OK reports whether nothing is wrong. An unfinished dataset can be.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// Problem is one thing that is not as it was committed.
type Problem struct {
	Path    string `json:"path"`
	Shard   int    `json:"shard"` // -1 for files of the whole dataset
	Problem string `json:"problem"`
	Err     error  `json:"-"`
}

func (p Problem) Error() string { return p.Path + ": " + p.Problem }

// Unwrap returns the cause.
func (p Problem) Unwrap() error { return p.Err }

// noShard is Problem.Shard of files of the whole dataset.
const noShard = -1

// verifier collects problems from several goroutines.
type verifier struct {
	ds    *Dataset
	level Level
	rows  func() RowFunc

	mu     sync.Mutex
	report *Report
}

func (v *verifier) problem(shard int, path string, err error) {
	var inner *FileError // the path stands in the problem already
	text := err
	if errors.As(err, &inner) && inner.Path == path {
		text = inner.Err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report.Problems = append(v.report.Problems, Problem{path, shard, text.Error(), err})
}

// Verify checks the dataset in root. What is wrong stands in the report; the
// error says why the check itself could not be done. Rows is used by Deep alone.
func Verify(ctx context.Context, root string, level Level, rows func() RowFunc) (*Report, error) {
	report := &Report{Problems: []Problem{}}
	v := &verifier{level: level, rows: rows, report: report}
	ds, err := Open(root)
	switch {
	case errors.Is(err, ErrCorrupt):
		v.problem(noShard, planName, err)
		return report, nil
	case err != nil:
		return nil, err
	}
	v.ds = ds
	report.PlanHash = ds.h.hash
	// Files first, records after: what is committed meanwhile is not taken for
	// left over.
	files, err := v.dataFiles()
	if err != nil {
		return nil, err
	}
	commits, err := v.commits()
	if err != nil {
		return nil, err
	}
	v.whole(files, commits)
	if err := v.shards(ctx, commits); err != nil {
		return nil, err
	}
	slices.SortFunc(report.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Problem, b.Problem))
	})
	return report, nil
}

// dataFiles lists what is in the folders of the tables.
func (v *verifier) dataFiles() ([]string, error) {
	var files []string
	for _, folder := range tables {
		names, err := v.ds.d.list(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			files = append(files, path.Join(folder, name))
		}
	}
	return files, nil
}

// commits reads the records that are good and reports the others.
func (v *verifier) commits() ([]*Commit, error) {
	names, err := v.ds.d.list(commitsName)
	if err != nil {
		return nil, err
	}
	var commits []*Commit
	for _, name := range names {
		var s int
		if _, err := fmt.Sscanf(name, "%d.json", &s); err != nil || name != shardName(s) {
			v.problem(noShard, path.Join(commitsName, name), corrupt("not a shard's record"))
			continue
		}
		c, err := readCommit(v.ds.d, v.ds.h, s)
		if err != nil {
			v.problem(s, commitName(s), err)
			continue
		}
		commits = append(commits, c)
	}
	slices.SortFunc(commits, func(a, b *Commit) int { return a.Shard - b.Shard })
	return commits, nil
}

// shards checks every committed shard, several at once.
func (v *verifier) shards(ctx context.Context, commits []*Commit) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, c := range commits {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			v.shard(ctx, c)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// shard checks the files of a shard, each only as far as it is good.
func (v *verifier) shard(ctx context.Context, c *Commit) {
	good := true
	for i, f := range c.Files {
		if err := v.file(c, i); err != nil {
			v.problem(c.Shard, f.Name, err)
			good = false
		}
	}
	if v.level < Deep || !good {
		return
	}
	if err := v.ds.replay(ctx, c, v.rows()); err != nil && ctx.Err() == nil {
		v.problem(c.Shard, c.Files[positionsFile].Name, err)
	}
}

// file checks one file of a shard.
func (v *verifier) file(c *Commit, f int) error {
	d, want := v.ds.d, c.Files[f]
	size, err := d.size(want.Name)
	if err != nil {
		return corrupt("%w", err)
	}
	if size != want.Bytes {
		return corrupt("%d bytes, want %d", size, want.Bytes)
	}
	if v.level < Sums {
		return nil
	}
	if err := checkSum(d, want.Name, want); err != nil {
		return err
	}
	if v.level < Deep {
		return nil
	}
	return Full.check(d, want.Name, v.ds.h.specOf(c, f), want)
}
