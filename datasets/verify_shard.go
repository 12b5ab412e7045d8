package datasets

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"selfplay/datasets/internal/fault"

	"golang.org/x/sync/errgroup"
)

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
		if kind, err := v.file(c, i); err != nil {
			if v.replaced(c) {
				return
			}
			v.problem(kind, c.Shard, f.Name, err)
			good = false
		}
	}
	if v.Level < VerifyDeep || !good {
		return
	}
	if err := v.replay(ctx, c); err != nil && ctx.Err() == nil && !v.replaced(c) {
		v.problem(ProblemReplay, c.Shard, c.Files[positionsFile].Name, err)
	}
}

// replaced reports whether a run has meanwhile taken the record of a shard away, to make
// it again with more games.
func (v *verifier) replaced(c *Commit) bool {
	now, err := readCommit(v.ds.d, v.ds.h, c.Shard)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !now.same(c)
}

// replay plays the games of a shard again. Records that no game can have written may
// lead the rules anywhere.
func (v *verifier) replay(ctx context.Context, c *Commit) (err error) {
	defer fault.RecoverCorrupt(&err)
	return v.ds.replay(ctx, c, v.Rows(), v.Sample)
}

// file checks one file of a shard.
func (v *verifier) file(c *Commit, f int) (ProblemKind, error) {
	d, want := v.ds.d, c.Files[f]
	info, err := d.FS.Stat(d.Path(want.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ProblemMissing, fault.Corrupt("%w", err)
	case err != nil:
		return ProblemMissing, err
	case !info.Mode().IsRegular():
		return ProblemMissing, fault.Corrupt("not a file")
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
	return ProblemRows, CheckFull.check(d, want.Name, v.ds.h.specOf(c, f), want)
}
