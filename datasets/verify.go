package datasets

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"sync"

	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// VerifyLevel is how much Verify looks at. Each includes the ones before.
type VerifyLevel uint8

const (
	// VerifyQuick: plan, target, records, manifest and card; which files there are, and
	// sizes.
	VerifyQuick VerifyLevel = 0
	// VerifySums: the SHA-256 of every file.
	VerifySums VerifyLevel = 1
	// VerifyDeep: every row decoded, its digest compared, every game replayed and its
	// rows compared with the positions.
	VerifyDeep VerifyLevel = 2
)

// Verification is what is verified, and with what.
type Verification struct {
	Level VerifyLevel
	Rows  func() RowFunc // used by Deep alone
	// Sample is the share of the games that Deep replays, drawn by their numbers; 0 and
	// engine.Whole are all of them. Every row is decoded in any case.
	Sample engine.Fraction
}

// Report is what Verify found.
type Report struct {
	PlanHash string   `json:"plan_hash"`
	Complete bool     `json:"complete"`
	Shards   int      `json:"shards"`
	Games    uint64   `json:"games"`
	Rows     uint64   `json:"rows"`
	Bytes    int64    `json:"bytes"`
	Missing  []int    `json:"missing,omitempty"` // shards of the target still to be made
	Pending  []string `json:"pending,omitempty"` // files of those: left by a killed run, or being published
	// Leftovers are bookkeeping that the next run puts in order: unfinished files and
	// records of shards that are being replaced. They are no problem.
	Leftovers []string  `json:"leftovers,omitempty"`
	Problems  []Problem `json:"problems"`
}

// OK reports whether nothing is wrong. An unfinished dataset can be.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// ProblemKind is what is wrong. Programs read it: append, never rename.
type ProblemKind string

// The kinds of problem.
const (
	ProblemPlan       ProblemKind = "plan"       // plan.json is damaged: nothing else can be judged
	ProblemTarget     ProblemKind = "target"     // what was asked for is lost
	ProblemRecord     ProblemKind = "record"     // a commit record is damaged, or of another shard
	ProblemManifest   ProblemKind = "manifest"   // differs from the records
	ProblemCard       ProblemKind = "card"       // the card, or croissant.json, is not the one of the manifest
	ProblemMissing    ProblemKind = "missing"    // a recorded file is not there
	ProblemSize       ProblemKind = "size"       // a file is longer or shorter than recorded
	ProblemSum        ProblemKind = "sum"        // its SHA-256 is another one
	ProblemRows       ProblemKind = "rows"       // its bytes are as recorded but not its rows
	ProblemReplay     ProblemKind = "replay"     // the games do not give these rows
	ProblemForeign    ProblemKind = "foreign"    // a file among the data or records that nothing names
	ProblemUnreadable ProblemKind = "unreadable" // it may be whole, but this process could not read it
)

// Problem is one thing that is not as it was committed.
type Problem struct {
	Path    string      `json:"file"`
	Shard   int         `json:"shard"` // -1 for files of the whole dataset
	Kind    ProblemKind `json:"kind"`
	Problem string      `json:"message"`
	Err     error       `json:"-"`
}

func (p Problem) Error() string { return p.Path + ": " + p.Problem }

// Unwrap returns the cause.
func (p Problem) Unwrap() error { return p.Err }

// noShard is Problem.Shard of files of the whole dataset.
const noShard = -1

// verifier collects problems from several goroutines.
type verifier struct {
	Verification
	ds *Dataset

	mu     sync.Mutex
	report *Report
}

func newVerifier(ds *Dataset, what Verification) *verifier {
	return &verifier{Verification: what, ds: ds, report: &Report{PlanHash: ds.h.hash, Problems: []Problem{}}}
}

func (v *verifier) problem(kind ProblemKind, shard int, path string, err error) {
	p := problemOf(kind, shard, path, err)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report.Problems = append(v.report.Problems, p)
}

func problemOf(kind ProblemKind, shard int, path string, err error) Problem {
	var inner *FileError // the path stands in the problem already
	text := err
	if errors.As(err, &inner) && inner.Path == path {
		text = inner.Err
	}
	if !errors.Is(err, ErrCorrupt) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrUnsupported) {
		kind = ProblemUnreadable
	}
	return Problem{path, shard, kind, text.Error(), err}
}

// Run checks the dataset in root. What is wrong stands in the report; the error says
// why the check itself could not be done.
func (what Verification) Run(ctx context.Context, root string) (*Report, error) {
	ds, err := Open(root)
	switch {
	case err == nil:
		v := newVerifier(ds, what)
		return v.report, v.run(ctx)
	case errors.Is(err, ErrCorrupt):
		return &Report{Problems: []Problem{problemOf(ProblemPlan, noShard, planName, err)}}, nil
	}
	return nil, err
}

// run fills the report.
func (v *verifier) run(ctx context.Context) error {
	// A run may be under way. The manifest first, then files, records after: so what is
	// committed meanwhile is not taken for left over, and the manifest is of an earlier
	// state at most.
	there, bad := readManifest(v.ds.d)
	files := v.dataFiles()
	commits := v.commits()
	v.whole(there, bad, files, commits)
	if err := v.shards(ctx, commits); err != nil {
		return err
	}
	slices.SortFunc(v.report.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Problem, b.Problem))
	})
	return nil
}

// dataFiles lists what is in the folders of the tables.
func (v *verifier) dataFiles() (files []string) {
	for _, folder := range tables {
		for _, name := range v.list(folder) {
			files = append(files, path.Join(folder, name))
		}
	}
	return files
}

// list returns the names in a folder, as far as it is one.
func (v *verifier) list(folder string) []string {
	names, err := v.ds.d.List(folder)
	if err != nil {
		v.problem(ProblemUnreadable, noShard, folder, err)
	}
	return names
}

// commits reads the records that are good and reports the others.
func (v *verifier) commits() []*Commit {
	var commits []*Commit
	for _, name := range v.list(commitsName) {
		s, ok := shardOf(name)
		if !ok {
			v.problem(ProblemForeign, noShard, path.Join(commitsName, name), fault.Corrupt("not a shard's record"))
			continue
		}
		c, err := readCommit(v.ds.d, v.ds.h, s)
		if err == nil {
			err = v.asWritten(commitName(s), c.encode())
		}
		if errors.Is(err, fs.ErrNotExist) { // it is just being replaced
			continue
		}
		if err != nil {
			v.problem(ProblemRecord, s, commitName(s), err)
			continue
		}
		commits = append(commits, c)
	}
	slices.SortFunc(commits, func(a, b *Commit) int { return a.Shard - b.Shard })
	return commits
}

// asWritten reports whether a file is, byte for byte, what this package writes for
// what was read from it: JSON has many texts for one value.
func (v *verifier) asWritten(name string, want []byte) error {
	there, err := v.ds.d.ReadFile(name)
	if err == nil && string(there) != string(want) {
		err = fault.Corrupt("not as it was written")
	}
	return err
}
