package datasets

import (
	"context"
	"errors"
	"io/fs"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// checkShards checks the files of committed shards. It reads their records again instead
// of keeping them in memory, unless the sizes are all that it checks.
func (v *verifier) checkShards(ctx context.Context, records []shardRecord) error {
	return parallel(ctx, records, func(r shardRecord) {
		if v.Level == VerifyQuick && v.hasSizes(r) {
			v.checked(r.games, r.plies)
			return
		}
		c, err := readCommit(v.d, v.h, r.shard)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a run has superseded the shard
		case err != nil:
			v.problem(ProblemRecord, r.shard, plan.CommitName(r.shard), err)
		default:
			v.checkShard(ctx, c)
		}
	})
}

// hasSizes reports whether the files of a shard are regular files with the recorded sizes.
func (v *verifier) hasSizes(r shardRecord) bool {
	for i, table := range tables {
		info, err := v.d.FS.Stat(v.d.Path(v.h.Plan.DataName(table, r.shard)))
		if err != nil || !info.Mode().IsRegular() || info.Size() != r.sizes[i] {
			return false
		}
	}
	return true
}

// checkShard checks the files of a shard. It replays the games only if both files are
// intact.
func (v *verifier) checkShard(ctx context.Context, c *Commit) {
	intact := true
	for i, f := range c.Files {
		if kind, err := v.checkFile(c, i); err != nil {
			if v.superseded(c) {
				return
			}
			v.problem(kind, c.Shard, f.Name, err)
			intact = false
		}
	}
	if v.Level < VerifyDeep || !intact {
		v.checked(c.Games, c.Plies())
		return
	}
	if err := v.replay(ctx, c); err != nil && ctx.Err() == nil && !v.superseded(c) {
		v.problem(ProblemReplay, c.Shard, c.Files[PositionsFile].Name, err)
	}
}

// checked reports games as checked.
func (v *verifier) checked(games, plies uint64) {
	if v.Checked != nil {
		v.Checked(games, plies)
	}
}

// superseded reports whether a run has superseded the shard since its record was read.
func (v *verifier) superseded(c *Commit) bool {
	now, err := readCommit(v.d, v.h, c.Shard)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !now.same(c)
}

// replay replays the games of a shard. The rules may panic on a record that no game can
// have written; that is ErrCorrupt.
func (v *verifier) replay(ctx context.Context, c *Commit) (err error) {
	defer fault.RecoverCorrupt(&err)
	return replay(ctx, New(v.d, v.h), v.h, c, v.Rows(), v.Sample, v.checked)
}

// checkFile checks file f of a shard.
func (v *verifier) checkFile(c *Commit, f int) (ProblemKind, error) {
	d, want := v.d, c.Files[f]
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
		if err := checkSum(d, want.Name, want); err != nil {
			return ProblemSum, err
		}
	}
	if v.Level < VerifyDeep {
		return "", nil
	}
	return ProblemRows, CheckFull.check(d, want.Name, c.spec(v.h, f), want)
}
