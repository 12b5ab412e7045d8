package making

import (
	"errors"
	"fmt"
	"syscall"

	"selfplay/datasets"
	"selfplay/datasets/derived"
)

// DefaultMinFree is a value of Options.MinFree: keep a gibibyte free, or 2 % of the disk
// if that is less.
const DefaultMinFree = ^uint64(0)

// assumedGameBytes is the assumed size of a game while none is committed: twice the size
// of a CoTuLenh game of random moves with its journal.
const assumedGameBytes = 16 << 10

// spaceAdvice ends the text of ErrNoSpace errors.
const spaceAdvice = "free some space, then run the same command again"

// bytesToKeepFree resolves DefaultMinFree for a disk of total bytes.
func bytesToKeepFree(minFree, total uint64) uint64 {
	if minFree == DefaultMinFree {
		return min(1<<30, total/50)
	}
	return minFree
}

// checkSpace returns ErrNoSpace unless the disk has room for the open shards, one more,
// and the bytes to keep free. If free space is unknown, assume there is enough. The
// caller holds r.mu.
func (r *run) checkSpace() error {
	if r.o.MinFree == 0 {
		return nil
	}
	free, total, ok := r.d.FS.Space(r.d.Root)
	if !ok {
		return nil
	}
	keep, shards := bytesToKeepFree(r.o.MinFree, total), r.expectedShardBytes()*uint64(r.open+1)
	if free >= keep && free-keep >= shards {
		return nil
	}
	return fmt.Errorf("%w: %s has %s free, want %s for shards and %s to spare; %s",
		datasets.ErrNoSpace, r.d.Root, derived.FormatSize(int64(free)), derived.FormatSize(int64(shards)), derived.FormatSize(int64(keep)), spaceAdvice)
}

// expectedShardBytes returns the expected bytes of a shard, from the committed ones.
func (r *run) expectedShardBytes() uint64 {
	bytes, games := uint64(r.done.Bytes), r.done.Games
	perGame := uint64(assumedGameBytes)
	if games > 0 {
		perGame = bytes/games + bytes/games/4 // a quarter more for the journal
	}
	return perGame * min(uint64(r.h.Plan.ShardGames), r.target)
}

// explainNoSpace adds ErrNoSpace and advice to an error of a full disk.
func explainNoSpace(err error) error {
	if (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) && !errors.Is(err, datasets.ErrNoSpace) {
		return fmt.Errorf("%w: %w; %s", datasets.ErrNoSpace, err, spaceAdvice)
	}
	return err
}
