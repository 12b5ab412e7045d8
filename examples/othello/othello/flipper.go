package othello

import (
	"math/rand/v2"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/workers"
)

// Flipper returns a type of player that turns over most discs, or fewest. Its name and its
// version are in the plans of the datasets that it plays in.
func Flipper() workers.PlayerType {
	return workers.PlayerType{
		Name: "flipper", Version: 1, Doc: "turns over most discs of the opponent, or fewest; draws among equal moves",
		Params: func(*engine.Game) []workers.Param {
			return []workers.Param{workers.WordParam("turn", "how many discs", 0, "most", "fewest")}
		},
		New: func(_ *engine.Game, v workers.Values, _ *workers.Network) (workers.Factory, error) {
			sign := 1 - 2*v["turn"]
			return workers.Factory{New: func(search.Abort) workers.Player { return &flipper{sign: sign} }}, nil
		},
	}
}

// flipper is a player. It belongs to one goroutine.
type flipper struct {
	sign  int // 1: most discs, -1: fewest
	moves []engine.Move
}

// Play plays a move that turns over most discs, or fewest. In other games, which have no such
// discs, it plays any move.
func (f *flipper) Play(pos engine.Position, src *rand.PCG, d *workers.Decision) (ok bool) {
	if pos.Outcome() != engine.Ongoing {
		return false
	}
	f.moves = pos.Moves(f.moves[:0])
	best, ties := 0, uint32(0)
	for _, m := range f.moves {
		switch n := f.sign * turnedBy(pos, m); {
		case ties == 0 || n > best:
			best, ties, d.Move = n, 1, m
		case n == best:
			if ties++; engine.Below(src, ties) == 0 {
				d.Move = m
			}
		}
	}
	d.Rank, d.Nodes = engine.RankBest, 0
	pos.Do(d.Move)
	return true
}

// turnedBy returns the number of discs that a move turns over.
func turnedBy(pos engine.Position, m engine.Move) int {
	p, ok := pos.(*Position)
	if !ok || m == pass {
		return 0
	}
	own, theirs := p.own()
	return count(outflanked(own, theirs, int(m)))
}
