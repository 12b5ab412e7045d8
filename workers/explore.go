package workers

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// Exploration makes the players deviate from their best move at some plies after the
// opening. It diversifies the games of strong players and shows the cost of mistakes.
type Exploration struct {
	Moves       int // explored plies per game, for both sides together; 0 disables exploration
	First, Last int // range of the explored plies, counted from the end of the opening, inclusive
	Among       int // number of best moves to draw from, limited to exact ones (ab:multi=N); 0 draws from all legal moves
	Window      int // with Among: largest distance to the best score in centi-units; 0 means no limit
}

// Validate returns an error for the first value out of range.
func (e *Exploration) Validate() error {
	switch {
	case e.Moves == 0:
		return nil
	case e.First < 0 || e.Last < e.First:
		return fmt.Errorf("explored plies %d-%d: want 0 or more, the smaller number first", e.First, e.Last)
	case e.Moves > maxExplored:
		return fmt.Errorf("%d explored moves: want at most %d", e.Moves, maxExplored)
	case e.Moves < 0 || e.Moves > e.Last-e.First+1:
		return fmt.Errorf("%d explored moves in plies %d-%d: want at most one per ply", e.Moves, e.First, e.Last)
	case e.Among < 0 || e.Window < 0:
		return fmt.Errorf("explore among %d moves within %d: want 0 or more", e.Among, e.Window)
	}
	return nil
}

// maxExplored limits the time of choosePlies, which is quadratic in the number of plies.
const maxExplored = 1000

// explorer applies the exploration to the current game of a worker.
type explorer struct {
	*Exploration
	plies  []int  // explored plies of the current game still to come, in descending order
	random Player // draws from all legal moves; nil without exploration
}

func newExplorer(s *Series) explorer {
	e := explorer{Exploration: &s.Exploration}
	if e.Moves > 0 {
		e.random = auxiliary(&s.Game.Game, explorePlayer).newPlayer(nil)
	}
	return e
}

// choosePlies draws the explored plies of the next game, whose opening ends before ply
// begin. It samples without replacement by Floyd's algorithm.
func (e *explorer) choosePlies(src *rand.PCG, begin int) {
	e.plies = e.plies[:0]
	n := e.Last - e.First + 1
	for j := n - e.Moves; j < n; j++ {
		ply := begin + e.First + int(engine.Below(src, uint32(j+1)))
		if slices.Contains(e.plies, ply) {
			ply = begin + e.First + j
		}
		e.plies = append(e.plies, ply)
	}
	slices.Sort(e.plies)
	slices.Reverse(e.plies)
}

// due reports whether a ply is explored. Call it with ascending plies.
func (e *explorer) due(ply int) bool {
	n := len(e.plies)
	if n == 0 || e.plies[n-1] != ply {
		return false
	}
	e.plies = e.plies[:n-1]
	return true
}

// deviate replaces p.Play at an explored ply. If p does not search, or Among is 0, it plays
// a random legal move.
func (e *explorer) deviate(p Player, pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	s, searches := p.(*searchPlayer)
	if e.Among == 0 || !searches {
		return e.random.Play(pos, src, d)
	}
	moves := s.search(pos, src, d)
	if len(moves) == 0 {
		return false
	}
	n := 1
	for n < min(e.Among, len(moves)) && moves[n].Exact && (e.Window == 0 || moves[0].Score-moves[n].Score <= e.Window) {
		n++
	}
	i := int(engine.Below(src, uint32(n)))
	d.Move, d.Rank = moves[i].Move, moveRank(i)
	pos.Do(d.Move)
	return true
}
