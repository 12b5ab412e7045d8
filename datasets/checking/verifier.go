package checking

import (
	"errors"
	"path"
	"slices"
	"sync"
	"syscall"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/plan"
	"selfplay/engine"
)

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
	d disk.Dir
	h *plan.File

	files []string // found in the folders of the tables

	mu     sync.Mutex // guards report.Problems
	report *VerifyReport
}

func newVerifier(d disk.Dir, h *plan.File, o VerifyOptions) *verifier {
	return &verifier{VerifyOptions: o, d: d, h: h, report: &VerifyReport{PlanHash: h.Hash, Problems: []Problem{}}}
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
