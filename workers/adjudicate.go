package workers

import (
	"fmt"
	"math/rand/v2"

	"selfplay/engine"
)

// Adjudication ends games that the players' scores say are decided, so that no time
// goes into what teaches nothing. Without rules games are played out.
type Adjudication struct {
	Win     WinRule
	Draw    DrawRule
	PlayOut engine.Fraction // of the games are played out all the same, which keeps the rules honest
}

// WinRule ends a game for the side that leads by Score or more, by what both sides
// think of it, for so many plies on end. No plies, no rule.
type WinRule struct{ Score, Plies int }

// DrawRule ends a game as drawn that is no further from 0 than Score, by what both
// sides think of it, for so many plies on end, the first of them ply From or later.
// No plies, no rule.
type DrawRule struct{ Score, Plies, From int }

// Validate returns what is wrong with the rules, nil if nothing is.
func (a *Adjudication) Validate() error {
	switch {
	case a.Win.Plies < 0 || a.Win.Plies > 0 && a.Win.Score < 1:
		return fmt.Errorf("adjudicate wins by %d for %d plies: want a score and plies above 0", a.Win.Score, a.Win.Plies)
	case a.Draw.Plies < 0 || a.Draw.Score < 0 || a.Draw.From < 0:
		return fmt.Errorf("adjudicate draws within %d for %d plies from ply %d: want 0 or more", a.Draw.Score, a.Draw.Plies, a.Draw.From)
	}
	return nil
}

// arbiter watches a game for a worker.
type arbiter struct {
	*Adjudication
	playOut bool   // this game
	leads   [2]int // plies on end that each side has led by enough
	level   int    // plies on end without a lead
}

// begin forgets the game before and draws whether to play this one out.
func (a *arbiter) begin(src *rand.PCG) {
	*a = arbiter{Adjudication: a.Adjudication}
	a.playOut = a.Win.Plies == 0 && a.Draw.Plies == 0
	if !a.playOut && a.PlayOut > 0 {
		a.playOut = engine.Fraction(engine.Below(src, uint32(engine.One))) < a.PlayOut
	}
}

// judge looks at the decision of a side at a ply and returns how the game ends by
// it, Ongoing if it goes on. A ply without a search proves nothing and starts all
// counts again.
func (a *arbiter) judge(ply int, side engine.Side, d *Decision) engine.Outcome {
	if a.playOut {
		return engine.Ongoing
	}
	score := int(d.Score)
	if side == engine.Second {
		score = -score
	}
	searched := d.Nodes > 0
	a.leads[engine.First] = count(a.leads[engine.First], searched && score >= a.Win.Score)
	a.leads[engine.Second] = count(a.leads[engine.Second], searched && -score >= a.Win.Score)
	a.level = count(a.level, searched && max(score, -score) <= a.Draw.Score && ply >= a.Draw.From)
	for _, s := range [2]engine.Side{engine.First, engine.Second} {
		if a.Win.Plies > 0 && a.leads[s] >= a.Win.Plies {
			return engine.Outcome{Result: engine.Win(s), Reason: engine.Adjudicated}
		}
	}
	if a.Draw.Plies > 0 && a.level >= a.Draw.Plies {
		return engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}
	}
	return engine.Ongoing
}

// count goes on counting or starts again.
func count(n int, goesOn bool) int {
	if goesOn {
		return n + 1
	}
	return 0
}
