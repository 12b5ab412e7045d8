package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"selfplay/engine"
)

// A tendency tells whether two numbers point the same way more often than not. Estimates may be wrong in many
// positions; one with the wrong sign is wrong in most.
type tendency struct{ same, opposite int }

func (t *tendency) add(a, b int) {
	switch {
	case a > 0 && b > 0 || a < 0 && b < 0:
		t.same++
	case a != 0 && b != 0:
		t.opposite++
	}
}

// isReversed reports whether the numbers differ in sign so often that it is no accident: 4.5 standard
// deviations of a fair coin, and two times in three.
func (t *tendency) isReversed() bool {
	n := t.same + t.opposite
	return t.opposite > 2*t.same && float64(t.opposite-t.same) > 4.5*math.Sqrt(float64(n))
}

// scoresForetellResults: near the end of games, static scores from the view of First do not favour the side
// that loses, and both sides win by the same rule. It looks at the last positions of random games before the end.
func scoresForetellResults(g target) error {
	p, ok := g.New().(engine.Evaluator)
	if !ok {
		return nil
	}
	var t tendency
	for game, left := 0, g.Plies/2; left > 0; game++ {
		p.Reset()
		src, ply := rand.NewPCG(uint64(game), 14), 0
		for ply < g.Game.MaxPlies && draw(p, src) {
			ply++
		}
		left -= max(ply, 1)
		result := int(p.Outcome().For(engine.First))
		for range min(2, ply) {
			p.Undo()
			score := p.Evaluate()
			if p.Turn() == engine.Second {
				score = -score
			}
			t.add(score, result)
		}
	}
	if t.isReversed() {
		return fmt.Errorf("near the end of games the static score favours the loser %d times and the winner %d times: Evaluate, Outcome or Turn has the wrong side", t.opposite, t.same)
	}
	return nil
}

// estimatesForetellScores: Gain and Placement of a move point the way in which the static score of its side
// changes, some capture gains if there are captures, and not every quiet move hangs.
func estimatesForetellScores(g target) error {
	var gains, placements tendency
	captures, positive, quiet, hanging := 0, 0, 0, 0
	err := onWalk(32, forEvaluators(func(v *visit, p engine.Evaluator) error {
		if p.Outcome() != engine.Ongoing {
			return nil
		}
		us, before := p.Turn(), p.Evaluate()
		for _, m := range p.Captures(nil) {
			captures++
			if p.Gain(m) > 0 {
				positive++
			}
		}
		for _, m := range v.moves() {
			gain, placement := p.Gain(m), p.Placement(m)
			if gain == 0 {
				quiet++
				if p.Hangs(m) {
					hanging++
				}
			}
			p.Do(m)
			if !p.Over() {
				after := p.Evaluate()
				if p.Turn() != us {
					after = -after
				}
				gains.add(gain, after-before)
				if gain == 0 {
					placements.add(placement, after-before)
				}
			}
			p.Undo()
		}
		return nil
	}))(g)
	const enough = 50
	switch {
	case err != nil:
		return err
	case captures > enough && positive == 0:
		return fmt.Errorf("no Gain of %d captures is positive: a search would play none of them", captures)
	case quiet > enough && hanging == quiet:
		return fmt.Errorf("Hangs is true for all of %d quiet moves: a search would skip them", quiet)
	case gains.isReversed():
		return fmt.Errorf("Gain and the change of the static score differ in sign %d times of %d", gains.opposite, gains.opposite+gains.same)
	case placements.isReversed():
		return fmt.Errorf("Placement and the change of the static score differ in sign %d times of %d", placements.opposite, placements.opposite+placements.same)
	}
	return nil
}

// checksAreGiven: after a quiet move with GivesCheck, the side that it passes the turn to is in check.
func checksAreGiven(v *visit, p engine.Evaluator) error {
	us := p.Turn()
	for _, m := range v.moves() {
		if p.Gain(m) != 0 || !p.GivesCheck(m) {
			continue
		}
		p.Do(m)
		missing := p.Turn() != us && !p.Over() && !p.Check()
		p.Undo()
		if missing {
			return fmt.Errorf("GivesCheck(%s) is true, but Check is false after it", p.FormatMove(m))
		}
	}
	return nil
}

// hashesUseAllBits: no bit of the hash is constant, and equal halves are as rare as in random numbers. A table
// takes its index and its check from different bits.
func hashesUseAllBits(g target) error {
	seen, ones := map[uint64]bool{}, [64]int{}
	err := onWalk(8, func(v *visit) error {
		h := v.p.Hash()
		if !seen[h] {
			seen[h] = true
			for bit := range ones {
				ones[bit] += int(h >> bit & 1)
			}
		}
		return nil
	})(g)
	const enough = 64
	if err != nil || len(seen) < enough {
		return err
	}
	for bit, n := range ones {
		if n < len(seen)/8 || n > len(seen)-len(seen)/8 {
			return fmt.Errorf("bit %d of Hash is 1 in %d of %d positions: want half of them", bit, n, len(seen))
		}
	}
	return nil
}
