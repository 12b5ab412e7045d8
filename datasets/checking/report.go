package checking

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/record"
)

// VerifyReport is the result of Verify.
type VerifyReport struct {
	PlanHash string `json:"plan_hash"`
	Complete bool   `json:"complete"` // see Info.Complete
	record.Totals
	Missing []int    `json:"missing,omitempty"` // shards of the target that are not committed
	Pending []string `json:"pending,omitempty"` // data files of missing shards: a run publishes them or was killed
	// Leftovers are temporary files, and data files of shards that were extended. They are not
	// problems: the next run removes them.
	Leftovers []string `json:"leftovers,omitempty"`
	// Regenerated is the number of games that were played again and came out the same.
	Regenerated uint64    `json:"regenerated,omitempty"`
	Problems    []Problem `json:"problems"` // by shard, then path
}

// OK reports whether there are no problems. An unfinished dataset can be OK.
func (r *VerifyReport) OK() bool { return len(r.Problems) == 0 }

// Damaged reports whether anything differs from its records. Problems with files and folders that
// could not be read prove no difference.
func (r *VerifyReport) Damaged() bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Kind != ProblemUnreadable })
}

// ProblemKind says what is wrong. Programs read its values: new ones may be added, but
// none is renamed.
type ProblemKind string

// The kinds of problem.
const (
	ProblemPlan       ProblemKind = "plan"       // plan.json is damaged; nothing else can be checked
	ProblemTarget     ProblemKind = "target"     // target.json is damaged or missing
	ProblemRecord     ProblemKind = "record"     // a commit record is damaged or belongs to another shard
	ProblemManifest   ProblemKind = "manifest"   // the manifest differs from the plan or the commit records
	ProblemCard       ProblemKind = "card"       // the card or croissant.json differs from its sum in the manifest
	ProblemMissing    ProblemKind = "missing"    // a data file of a record does not exist
	ProblemSize       ProblemKind = "size"       // a data file is longer or shorter than recorded
	ProblemSum        ProblemKind = "sum"        // the SHA-256 of a data file differs from the record
	ProblemRows       ProblemKind = "rows"       // the SHA-256 of a data file is right, but its rows are not
	ProblemReplay     ProblemKind = "replay"     // replaying the games gives other rows
	ProblemGames      ProblemKind = "games"      // playing the games again gives other records
	ProblemNetwork    ProblemKind = "network"    // the file of a network is missing or damaged
	ProblemForeign    ProblemKind = "foreign"    // no record names this file
	ProblemUnreadable ProblemKind = "unreadable" // the file or folder could not be read; it may be intact
)

// Problem is a difference between a dataset and its records.
type Problem struct {
	Path    string      `json:"file"`
	Shard   int         `json:"shard"` // -1 for files of the whole dataset
	Kind    ProblemKind `json:"kind"`
	Message string      `json:"message"`
	Err     error       `json:"-"`
}

// noShard is Problem.Shard and Action.Shard for files of the whole dataset.
const noShard = -1

// newProblem returns a problem. An error of the disk changes its kind to
// ProblemUnreadable.
func newProblem(kind ProblemKind, shard int, path string, err error) Problem {
	var inner *fault.FileError // Problem.Path repeats its path
	text := err
	if errors.As(err, &inner) && inner.Path == path {
		text = inner.Err
	}
	proven := []error{fault.ErrCorrupt, fs.ErrNotExist, fault.ErrUnsupported, syscall.ENOTDIR} // a file in the place of a folder
	if !slices.ContainsFunc(proven, func(p error) bool { return errors.Is(err, p) }) {
		kind = ProblemUnreadable
	}
	return Problem{path, shard, kind, text.Error(), err}
}

func (p Problem) Error() string { return p.Path + ": " + p.Message }

// Unwrap returns the cause.
func (p Problem) Unwrap() error { return p.Err }
