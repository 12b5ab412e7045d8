// Package checking finds damage in datasets and repairs it. Verify compares everything on disk with the
// plan, the commit records and the manifest, and at higher levels replays the games or plays them again.
// Repair takes damaged shards out of a dataset as a whole, so that a run can make them again.
package checking

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"selfplay/datasets/record"
	"slices"
	"sync"
	"syscall"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/engine"
)

// Verify checks the dataset in root without changing it. Problems of the dataset are in
// the report; the error says why Verify could not do its work. It needs no lock: a run may
// write the dataset at the same time. It checks up to GOMAXPROCS shards at once and
// returns the cause of ctx when ctx ends.
func Verify(ctx context.Context, root string, o VerifyOptions) (*VerifyReport, error) {
	d, err := disk.At(root)
	if err != nil {
		return nil, err
	}
	return VerifyIn(ctx, d, o)
}

// VerifyIn is Verify for an open folder.
func VerifyIn(ctx context.Context, d disk.Dir, o VerifyOptions) (*VerifyReport, error) {
	file, err := plan.Read(d)
	switch {
	case errors.Is(err, fault.ErrCorrupt):
		return &VerifyReport{Problems: []Problem{newProblem(ProblemPlan, noShard, plan.FileName, err)}}, nil
	case err != nil:
		return nil, err
	}
	v := newVerifier(d, file, o)
	return v.report, v.run(ctx)
}

// run fills the report.
func (v *verifier) run(ctx context.Context) error {
	// The order matters while a run writes the dataset. The manifest is read first, so it
	// describes the records or an earlier state of them. The records are read after the
	// files are listed, so a file that was just published has its record.
	stored := record.ReadStored(v.d)
	v.files = v.dataFiles()
	records, err := v.readRecords(ctx, stored)
	if err != nil {
		return err
	}
	if stored.Err == nil {
		v.askWitness(plan.ManifestName, stored.PlanHash)
	}
	if err := v.plan.Err(v.file); err != nil { // nothing can be judged by this plan
		v.report.Problems = []Problem{newProblem(ProblemPlan, noShard, plan.FileName, err)}
		return nil
	}
	v.checkWhole(stored, v.files, records)
	if v.Begin != nil {
		v.Begin(records.All.Games)
	}
	if err := v.checkShards(ctx, records.List); err != nil {
		return err
	}
	if err := v.replayJournals(ctx); err != nil {
		return err
	}
	if err := v.playAgain(ctx); err != nil {
		return err
	}
	slices.SortFunc(v.report.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message))
	})
	return nil
}

// VerifyLevel says how much Verify checks. Each level includes the ones before it.
type VerifyLevel uint8

const (
	// VerifyQuick checks plan, target, commit records and derived files, and the names and
	// sizes of the data files.
	VerifyQuick VerifyLevel = 0
	// VerifySums checks the SHA-256 of every file.
	VerifySums VerifyLevel = 1
	// VerifyDeep decodes every row, compares the row digests, replays the games and
	// compares their rows. It replays the games in the journals of unfinished shards too.
	VerifyDeep VerifyLevel = 2
	// VerifyRegenerate plays the games again and compares their records, those of finished games
	// in journals too.
	VerifyRegenerate VerifyLevel = 3
)

// VerifyOptions say what Verify checks.
type VerifyOptions struct {
	Level VerifyLevel
	Rows  func() datasets.RowFunc // returns a new RowFunc for a goroutine; used from VerifyDeep on
	// Sample is the fraction of games that are replayed and played again, chosen by game
	// number. 0 and engine.One mean all games. Every row is decoded in any case.
	Sample engine.Fraction
	// Play plays games of the plan; used by VerifyRegenerate only. Verify calls it from up
	// to GOMAXPROCS goroutines at once.
	Play datasets.Play
	// Playing is called once with the number of games before VerifyRegenerate plays the
	// first one. It may be nil.
	Playing func(games uint64)

	// Begin is called once, with the number of games that will be checked, and Checked
	// whenever some have been, with their plies. Calls of Checked come from several
	// goroutines at once. Both may be nil.
	Begin   func(games uint64)
	Checked func(games, plies uint64)
}

// verifier collects problems from several goroutines.
type verifier struct {
	VerifyOptions
	d    disk.Dir
	file *plan.File

	files []string // found in the folders of the tables

	mu     sync.Mutex // guards the fields below
	report *VerifyReport
	plan   record.PlanWitnesses // of v.h
}

func newVerifier(d disk.Dir, file *plan.File, o VerifyOptions) *verifier {
	return &verifier{VerifyOptions: o, d: d, file: file, report: &VerifyReport{PlanHash: file.Hash, Problems: []Problem{}}}
}

// problem adds a problem to the report.
func (v *verifier) problem(kind ProblemKind, shard int, path string, err error) {
	p := newProblem(kind, shard, path, err)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.report.Problems = append(v.report.Problems, p)
}

// dataFiles lists the files in the folders of the tables.
func (v *verifier) dataFiles() (files []string) {
	for _, folder := range plan.Tables {
		for _, name := range v.list(folder) {
			files = append(files, path.Join(folder, name))
		}
	}
	return files
}

// list returns the names in a folder and reports a folder that cannot be read.
func (v *verifier) list(folder string) []string {
	names, err := v.d.List(folder)
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		v.problem(ProblemForeign, noShard, folder, err)
	case err != nil:
		v.problem(ProblemUnreadable, noShard, folder, err)
	}
	return names
}

// isRead reports whether neither a file or folder nor anything in it has failed to be read. What
// else it has is unknown, so nothing may be concluded from its absence.
func (v *verifier) isRead(name string) bool {
	return !slices.ContainsFunc(v.report.Problems, func(p Problem) bool {
		unread := p.Kind == ProblemUnreadable || errors.Is(p.Err, syscall.ENOTDIR)
		return unread && (p.Path == name || path.Dir(p.Path) == name)
	})
}

// checkCanonical compares a file with the bytes that this package writes for its value.
func (v *verifier) checkCanonical(name string, want []byte) error {
	data, err := v.d.ReadFile(name)
	if err == nil && string(data) != string(want) {
		err = canonical.ErrForm
	}
	return err
}

// VerifyReport is the result of Verify.
type VerifyReport struct {
	PlanHash string `json:"plan_hash"`
	Complete bool   `json:"complete"` // see Info.Complete
	record.Totals
	Missing []int    `json:"missing,omitempty"` // shards of the target that are not committed
	Pending []string `json:"pending,omitempty"` // data files of missing shards: a run publishes them or was killed
	// Leftovers are temporary files of processes that have ended, and data files of shards that were extended.
	// They are not problems: the next run removes them.
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
	ProblemAnswers    ProblemKind = "answers"    // the answers of an approximate model are missing or damaged
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
