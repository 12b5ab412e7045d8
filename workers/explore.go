package workers

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// Exploration lets players leave their best move at some plies after the opening,
// so that games of strong players differ and show what mistakes cost.
type Exploration struct {
	Moves       int // how many plies of a game, for both sides together
	First, Last int // the plies they are drawn from, counted from the end of the opening, both included
	Among       int // draw among so many best moves, of those the player tells apart (ab:multi=N); 0 draws among all legal ones
	Window      int // and only among those whose score is so near the best, in centi-units; 0 for any
}

// Validate returns what is wrong with the exploration, nil if nothing is.
func (e *Exploration) Validate() error {
	switch {
	case e.Moves == 0:
		return nil
	case e.First < 0 || e.Last < e.First:
		return fmt.Errorf("explored plies %d-%d: want 0 or more, the smaller number first", e.First, e.Last)
	case e.Moves > maxExplored:
		return fmt.Errorf("%d explored moves: want at most %d", e.Moves, maxExplored)
	case e.Moves < 0 || e.Moves > e.Last-e.First+1:
		return fmt.Errorf("%d explored moves in plies %d-%d: want one a ply at most", e.Moves, e.First, e.Last)
	case e.Among < 0 || e.Window < 0:
		return fmt.Errorf("explore among %d moves within %d: want 0 or more", e.Among, e.Window)
	}
	return nil
}

// maxExplored bounds what choosing plies takes: it grows with the square of their number.
const maxExplored = 1000

// explorer explores for a worker.
type explorer struct {
	*Exploration
	plies []int  // of this game that are left, the last first
	draw  Player // draws among all legal moves
}

func newExplorer(s *Series) explorer {
	e := explorer{Exploration: &s.Exploration}
	if e.Moves > 0 {
		e.draw = neutral(&s.Game.Game, explorePlayer).make()
	}
	return e
}

// choose decides at which plies of the next game to explore, where begin is its first
// decided one: a sample without repetition, by Floyd's method.
func (e *explorer) choose(src *rand.PCG, begin int) {
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

// due reports whether to explore at a ply.
func (e *explorer) due(ply int) bool {
	n := len(e.plies)
	if n == 0 || e.plies[n-1] != ply {
		return false
	}
	e.plies = e.plies[:n-1]
	return true
}

// play is Player.Play at a ply where p shall explore.
func (e *explorer) play(p Player, pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	t, thinks := p.(*searchPlayer)
	if e.Among == 0 || !thinks {
		return e.draw.Play(pos, src, d)
	}
	lines := t.search(pos, src, d)
	if len(lines) == 0 {
		return false
	}
	n := 1
	for n < min(e.Among, len(lines)) && lines[n].Exact && (e.Window == 0 || lines[0].Score-lines[n].Score <= e.Window) {
		n++
	}
	i := int(engine.Below(src, uint32(n)))
	d.Move, d.Rank = lines[i].Move, rankOf(i)
	pos.Do(d.Move)
	return true
}
