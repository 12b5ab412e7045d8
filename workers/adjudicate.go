package workers

import (
	"fmt"
	"math/rand/v2"

	"selfplay/engine"
)

// Adjudication ends games that are decided according to the players' scores, to save
// time. The zero value adjudicates nothing.
type Adjudication struct {
	Win     WinRule
	Draw    DrawRule
	PlayOut engine.Fraction // fraction of the games that are played out anyway, to check the rules
}

// WinRule adjudicates a win to the side that the scores of both players see ahead by
// Score centi-units or more for Plies consecutive plies. Plies 0 disables the rule.
type WinRule struct{ Score, Plies int }

// DrawRule adjudicates a draw when the scores of both players are within ±Score
// centi-units for Plies consecutive plies, all of them at ply From or later. Plies 0
// disables the rule.
type DrawRule struct{ Score, Plies, From int }

// Validate returns an error for the first value out of range.
func (a *Adjudication) Validate() error {
	switch {
	case a.Win.Plies < 0 || a.Win.Plies > 0 && a.Win.Score < 1:
		return fmt.Errorf("adjudicate wins by %d for %d plies: want a score and plies above 0", a.Win.Score, a.Win.Plies)
	case a.Draw.Plies < 0 || a.Draw.Score < 0 || a.Draw.From < 0:
		return fmt.Errorf("adjudicate draws within %d for %d plies from ply %d: want 0 or more", a.Draw.Score, a.Draw.Plies, a.Draw.From)
	}
	return nil
}

// adjudicator applies the rules to the current game of a worker.
type adjudicator struct {
	*Adjudication
	playOut   bool   // the current game is not adjudicated
	winPlies  [2]int // by side: consecutive plies with a winning score
	drawPlies int    // consecutive plies with a drawn score
}

// begin starts a game and draws whether it is played out.
func (a *adjudicator) begin(src *rand.PCG) {
	*a = adjudicator{Adjudication: a.Adjudication}
	a.playOut = a.Win.Plies == 0 && a.Draw.Plies == 0
	if !a.playOut && a.PlayOut > 0 {
		a.playOut = engine.Fraction(engine.Below(src, uint32(engine.One))) < a.PlayOut
	}
}

// adjudicate counts the decision of a side at a ply and returns the adjudicated outcome,
// or Ongoing. A decision without a search resets all counts.
func (a *adjudicator) adjudicate(ply int, side engine.Side, d *Decision) engine.Outcome {
	if a.playOut {
		return engine.Ongoing
	}
	score := int(d.Score) // from the view of First
	if side == engine.Second {
		score = -score
	}
	searched := d.Nodes > 0
	a.winPlies[engine.First] = countIf(searched && score >= a.Win.Score, a.winPlies[engine.First])
	a.winPlies[engine.Second] = countIf(searched && -score >= a.Win.Score, a.winPlies[engine.Second])
	a.drawPlies = countIf(searched && max(score, -score) <= a.Draw.Score && ply >= a.Draw.From, a.drawPlies)
	for _, s := range [2]engine.Side{engine.First, engine.Second} {
		if a.Win.Plies > 0 && a.winPlies[s] >= a.Win.Plies {
			return engine.Outcome{Result: engine.Win(s), Reason: engine.Adjudicated}
		}
	}
	if a.Draw.Plies > 0 && a.drawPlies >= a.Draw.Plies {
		return engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}
	}
	return engine.Ongoing
}

// countIf returns n+1 if the condition holds, else 0.
func countIf(condition bool, n int) int {
	if condition {
		return n + 1
	}
	return 0
}
