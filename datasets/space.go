package datasets

import (
	"errors"
	"fmt"
	"syscall"
)

// DefaultMinFree is Options.MinFree where nothing else is asked for: a gibibyte, or 2 % of a
// disk that is small.
const DefaultMinFree = ^uint64(0)

// guessedGame is how many bytes a game takes while none is known: twice what one of
// random CoTuLenh takes with its journal.
const guessedGame = 16 << 10

// spare is what must stay free of a disk of so many bytes.
func spare(minFree, total uint64) uint64 {
	if minFree == DefaultMinFree {
		return min(1<<30, total/50)
	}
	return minFree
}

// checkSpace reports whether the disk has room for one more shard, those that are
// open and what shall stay free. A disk that does not tell has.
func (r *run) checkSpace() error {
	if r.o.MinFree == 0 {
		return nil
	}
	free, total, ok := r.d.FS.Space(r.d.Root)
	if !ok {
		return nil
	}
	want, shards := spare(r.o.MinFree, total), r.expected()*uint64(r.open+1)
	if free >= want && free-want >= shards {
		return nil
	}
	return fmt.Errorf("%w of %s: %s are free, want %s for shards and %s to spare; make room, and the same command goes on",
		ErrNoSpace, r.d.Root, size(int64(free)), size(int64(shards)), size(int64(want)))
}

// expected is how many bytes a shard will take, as far as one can know.
func (r *run) expected() uint64 {
	bytes, games := uint64(r.done.bytes), r.done.games
	perGame := uint64(guessedGame)
	if games > 0 {
		perGame = bytes/games + bytes/games/4 // and its journal
	}
	return perGame * min(uint64(r.h.plan.ShardGames), r.target)
}

// noSpace says of an error that a full disk was the cause.
func noSpace(err error) error {
	if (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) && !errors.Is(err, ErrNoSpace) {
		return fmt.Errorf("%w: %w; make room, and the same command goes on", ErrNoSpace, err)
	}
	return err
}
