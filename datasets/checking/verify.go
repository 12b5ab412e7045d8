package checking

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
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
	h, err := plan.Read(d)
	switch {
	case errors.Is(err, fault.ErrCorrupt):
		return &VerifyReport{Problems: []Problem{newProblem(ProblemPlan, noShard, plan.FileName, err)}}, nil
	case err != nil:
		return nil, err
	}
	v := newVerifier(d, h, o)
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
