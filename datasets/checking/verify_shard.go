package checking

import (
	"context"
	"errors"
	"io/fs"

	"selfplay/datasets"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// checkShards checks the files of committed shards. It reads their records again instead
// of keeping them in memory, unless the sizes are all that it checks.
func (v *verifier) checkShards(ctx context.Context, records []record.Shard) error {
	return parallel(ctx, records, func(r record.Shard) {
		if v.Level == VerifyQuick && v.hasSizes(r) {
			v.checked(r.Games, r.Plies)
			return
		}
		c, err := record.Read(v.d, v.h, r.Shard)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was repaired
		case err != nil:
			v.problem(ProblemRecord, r.Shard, plan.CommitName(r.Shard), err)
		default:
			v.checkShard(ctx, c)
		}
	})
}

// hasSizes reports whether the files of a shard are regular files with the recorded sizes.
func (v *verifier) hasSizes(r record.Shard) bool {
	for i, name := range v.h.Plan.DataNames(r.Shard, r.Games) {
		info, err := v.d.FS.Stat(v.d.Path(name))
		if err != nil || !info.Mode().IsRegular() || info.Size() != r.Sizes[i] {
			return false
		}
	}
	return true
}

// checkShard checks the files of a shard. It replays the games only if all files are
// intact.
func (v *verifier) checkShard(ctx context.Context, c *record.Commit) {
	intact := true
	for _, p := range c.Parts() {
		for i, f := range p.Files {
			if kind, err := v.checkFile(p, i); err != nil {
				if v.extended(c) {
					return
				}
				v.problem(kind, c.Shard, f.Name, err)
				intact = false
			}
		}
	}
	if v.Level < VerifyDeep || !intact {
		v.checked(c.Games, c.Plies())
		return
	}
	if err := v.replay(ctx, c); err != nil && ctx.Err() == nil && !v.extended(c) {
		v.problem(ProblemReplay, c.Shard, c.Files[plan.PositionsFile].Name, err)
	}
}

// checked reports games as checked.
func (v *verifier) checked(games, plies uint64) {
	if v.Checked != nil {
		v.Checked(games, plies)
	}
}

// extended reports whether the shard has another record than c by now, or none: a run has extended it.
func (v *verifier) extended(c *record.Commit) bool {
	now, err := record.Read(v.d, v.h, c.Shard)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !now.Same(c)
}

// replay replays the games of a shard. The rules may panic on a record that no game can
// have written; that is ErrCorrupt.
func (v *verifier) replay(ctx context.Context, c *record.Commit) (err error) {
	defer fault.RecoverCorrupt(&err)
	return replay(ctx, datasets.New(v.d, v.h), v.h, c, v.Rows(), v.Sample, v.checked)
}

// checkFile checks file f of a part of a shard.
func (v *verifier) checkFile(p *record.Part, f int) (ProblemKind, error) {
	d, want := v.d, p.Files[f]
	info, err := d.FS.Stat(d.Path(want.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ProblemMissing, fault.Corrupt("%w", err)
	case err != nil:
		return ProblemMissing, err
	case !info.Mode().IsRegular():
		return ProblemMissing, fault.Corrupt("not a regular file")
	case info.Size() != want.Bytes:
		return ProblemSize, fault.Corrupt("%d bytes, want %d", info.Size(), want.Bytes)
	}
	if v.Level >= VerifySums {
		if err := record.CheckSum(d, want.Name, want); err != nil {
			return ProblemSum, err
		}
	}
	if v.Level < VerifyDeep {
		return "", nil
	}
	return ProblemRows, record.CheckFull.Check(d, want.Name, p.Spec(v.h, f), want)
}
