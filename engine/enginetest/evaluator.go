package enginetest

import (
	"fmt"
	"slices"

	"selfplay/engine"
)

// forEvaluators makes a check of what a search asks into one that other positions
// pass.
func forEvaluators(check func(*visit, engine.Evaluator) error) func(*visit) error {
	return func(v *visit) error {
		if p, ok := v.p.(engine.Evaluator); ok {
			return check(v, p)
		}
		return nil
	}
}

// scoresAreOfTheText: a score, and what moves gain, depend on the position as
// written, not on how it was come to or what was asked before.
func scoresAreOfTheText(v *visit, p engine.Evaluator) error {
	if err := v.fresh.Set(p.String()); err != nil {
		return err
	}
	fresh := v.fresh.(engine.Evaluator)
	for range 2 {
		if got, want := p.Evaluate(), fresh.Evaluate(); got != want {
			return fmt.Errorf("it scores %d, read from its text %d", got, want)
		}
		for _, m := range v.moves() {
			if got, want := p.Gain(m), fresh.Gain(m); got != want {
				return fmt.Errorf("%s gains %d, read from its text %d", p.FormatMove(m), got, want)
			}
		}
		for _, d := range v.draws {
			v.wander(d, 4)
		}
	}
	return nil
}

// capturesAreListed: Captures appends legal moves, each once. If a move has a
// positive gain there is a capture.
func capturesAreListed(v *visit, p engine.Evaluator) error {
	const mark engine.Move = 0xdead_beef
	moves, list := v.moves(), p.Captures([]engine.Move{mark})
	if list[0] != mark {
		return fmt.Errorf("listing captures overwrites what the slice held")
	}
	list = list[1:]
	for i, m := range list {
		if !slices.Contains(moves, m) || slices.Contains(list[:i], m) {
			return fmt.Errorf("the capture %#x is no move or listed twice", m)
		}
	}
	for _, m := range moves {
		if p.Gain(m) > 0 && len(list) == 0 {
			return fmt.Errorf("%s gains %d and there is no capture", p.FormatMove(m), p.Gain(m))
		}
	}
	return nil
}

// legalIsListed: a move that was listed anywhere is legal exactly where it is
// listed.
func legalIsListed(tr trial) error {
	var met [128]engine.Move // the last moves that were listed, of all kinds
	n := 0
	return onWalk(32, forEvaluators(func(v *visit, p engine.Evaluator) error {
		moves := v.moves()
		for _, m := range met[:min(n, len(met))] {
			if got, want := p.Legal(m), slices.Contains(moves, m); got != want {
				return fmt.Errorf("move %#x is legal: %t, listed: %t", m, got, want)
			}
		}
		for _, m := range moves {
			if !p.Legal(m) {
				return fmt.Errorf("%s is listed and not legal", p.FormatMove(m))
			}
		}
		for range min(len(moves), 16) {
			met[n%len(met)] = v.pick(moves)
			n++
		}
		return nil
	}))(tr)
}
