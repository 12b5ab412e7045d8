package program

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"runtime"
	"time"

	"selfplay/datasets/plan"
	"selfplay/engine"
	"selfplay/workers"
)

// measure takes all figures, each in about d.
func measure(ctx context.Context, s workers.Series, d time.Duration) (f figures, err error) {
	f.Game = s.Game.Name
	if f.Fingerprint, err = fingerprint(ctx, s); err != nil {
		return f, err
	}
	if f.PliesPerS, err = pliesPerSecond(ctx, s, d); err != nil {
		return f, err
	}
	if f.ListsPerS, err = listsPerSecond(ctx, s, d); err != nil {
		return f, err
	}
	if f.PerftNodesPerS, err = nodesPerSecond(ctx, s, d); err != nil {
		return f, err
	}
	if f.RowsPerSList, f.BytesPerRowList, err = rowsPerSecond(ctx, s, plan.List, d); err != nil {
		return f, err
	}
	f.RowsPerSPacked, f.BytesPerRowPack, err = rowsPerSecond(ctx, s, plan.Packed, d)
	return f, err
}

// fingerprint hashes 64 games with the results of their searches. Two builds that play or
// search differently have different fingerprints.
func fingerprint(ctx context.Context, s workers.Series) (string, error) {
	pool := workers.Start(s, 0)
	defer pool.Close()
	sum := sha256.New()
	err := pool.Play(ctx, workers.Games(0, 64), nil, func(r *engine.Record) error {
		plies := uint64(len(r.Actions))
		for _, v := range []any{r.Game, plies, r.Actions, r.MoveRanks, r.Outcome.Result, r.Outcome.Reason,
			r.Best, r.Scores, r.Nodes, r.PolicySize, r.PolicyAction, r.PolicyWeight} {
			if err := binary.Write(sum, binary.LittleEndian, v); err != nil {
				return err
			}
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}

// pliesPerSecond measures play alone, by one worker on one processor. On several
// processors, each short game would also pay for waking a sleeping one.
func pliesPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	gamesPerCheck := uint64(16) // games between two readings of the clock
	if s.Searches() {
		gamesPerCheck = 1
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	pool := workers.Start(s, 1)
	defer pool.Close()
	begin := time.Now()
	for first := uint64(0); time.Since(begin) < d; first += gamesPerCheck {
		if err := pool.Play(ctx, workers.Games(first, gamesPerCheck), nil, func(*engine.Record) error { return nil }); err != nil {
			return 0, err
		}
	}
	_, plies := pool.Progress()
	return rate(plies, time.Since(begin)), nil
}

// listsPerSecond plays each game twice, with and without a list of the legal moves at each
// ply. The difference in time is the cost of the lists.
func listsPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	pos := s.Game.New(s.Variant)
	var list []engine.Move
	play := func(game uint64, lists bool) (plies uint64, took time.Duration) {
		src := rand.NewPCG(s.Seed, game)
		pos.Reset()
		begin := time.Now()
		for ok := true; ok && plies < uint64(s.MaxPlies); plies++ {
			if lists {
				list = pos.Moves(list[:0])
			}
			_, ok = pos.DoRandom(src)
		}
		return plies, time.Since(begin)
	}
	var listed uint64
	var spent, cost time.Duration
	for game := uint64(0); spent < d; game++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		_, without := play(game, false)
		n, with := play(game, true)
		listed += n
		cost += with - without
		spent += with + without
	}
	return rate(listed, cost), nil
}

// nodesPerSecond counts from the start, at the greatest depth that the time allows.
func nodesPerSecond(ctx context.Context, s workers.Series, d time.Duration) (float64, error) {
	pos := s.Game.New(s.Variant)
	branching := time.Duration(len(pos.Moves(nil)))
	depth, begin := 1, time.Now()
	var nodes uint64
	for spent := time.Duration(0); spent < d; spent = time.Since(begin) {
		last := time.Now()
		n, err := count(ctx, pos, depth)
		if err != nil {
			return 0, err
		}
		nodes += n
		if took := time.Since(last); took*branching < d && depth < maxDepth {
			depth, nodes, begin = depth+1, 0, time.Now()
		}
	}
	return rate(nodes, time.Since(begin)), nil
}

// rate returns n per second.
func rate(n uint64, d time.Duration) float64 {
	return float64(n) / max(d, time.Microsecond).Seconds()
}
