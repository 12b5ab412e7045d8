package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/engine"
)

// forEvaluators turns a check of an Evaluator into one that skips other positions.
func forEvaluators(check func(*visit, engine.Evaluator) error) func(*visit) error {
	return func(v *visit) error {
		if p, ok := v.p.(engine.Evaluator); ok {
			return check(v, p)
		}
		return nil
	}
}

// scoresDependOnText: Evaluate and the estimates of moves depend on the position's text only, not on the
// history or on earlier queries.
func scoresDependOnText(v *visit, p engine.Evaluator) error {
	if err := v.fresh.Set(p.String()); err != nil {
		return err
	}
	fresh := v.fresh.(engine.Evaluator)
	for range 2 {
		if got, want := p.Evaluate(), fresh.Evaluate(); got != want {
			return fmt.Errorf("score %d as played, %d as read", got, want)
		}
		for _, m := range v.moves() {
			if got, want := p.Gain(m), fresh.Gain(m); got != want {
				return fmt.Errorf("%s gains %d as played, %d as read", p.FormatMove(m), got, want)
			}
			if got, want := p.Placement(m), fresh.Placement(m); got != want {
				return fmt.Errorf("placement of %s is worth %d as played, %d as read", p.FormatMove(m), got, want)
			}
			if got, want := p.Hangs(m), fresh.Hangs(m); got != want {
				return fmt.Errorf("%s hangs: %t as played, %t as read", p.FormatMove(m), got, want)
			}
			if got, want := p.GivesCheck(m), fresh.GivesCheck(m); got != want {
				return fmt.Errorf("%s gives check: %t as played, %t as read", p.FormatMove(m), got, want)
			}
		}
		for _, s := range v.samplers {
			v.playAndUndo(s, 4)
		}
	}
	return nil
}

// scoresAreBounded: static scores are at most MaxStatic.
func scoresAreBounded(_ *visit, p engine.Evaluator) error {
	if score := p.Evaluate(); max(score, -score) > engine.MaxStatic {
		return fmt.Errorf("score %d is beyond MaxStatic", score)
	}
	return nil
}

// capturesAreListed: Captures appends listed moves, each once, and at least one where
// a move has a positive gain.
func capturesAreListed(v *visit, p engine.Evaluator) error {
	const mark engine.Move = 0xdead_beef
	moves, list := v.moves(), p.Captures([]engine.Move{mark})
	if list[0] != mark {
		return errors.New("Captures overwrites dst")
	}
	list = list[1:]
	for i, m := range list {
		if !slices.Contains(moves, m) || slices.Contains(list[:i], m) {
			return fmt.Errorf("capture %#x is not a listed move, or is listed twice", m)
		}
	}
	for _, m := range moves {
		if p.Gain(m) > 0 && len(list) == 0 {
			return fmt.Errorf("%s gains %d, but Captures is empty", p.FormatMove(m), p.Gain(m))
		}
	}
	return nil
}

// captureListsAgree: AppendCaptures appends the captures with enough gain in the order of Captures,
// and LegalCapture tells which of them Captures lists.
func captureListsAgree(v *visit) error {
	const mark engine.Move = 0xdead_beef
	p, ok := v.p.(engine.CaptureLister)
	if !ok {
		return nil
	}
	for _, least := range []int{-engine.MaxStatic, 0, 1, 50, 100, 150, 300, 500, 1000} {
		var want []engine.Move
		for _, m := range p.Captures(nil) {
			if p.Gain(m) >= least {
				want = append(want, m)
			}
		}
		moves, gains := p.AppendCaptures([]engine.Move{mark}, []int32{-1}, least)
		if moves[0] != mark || gains[0] != -1 || len(moves) != len(gains) {
			return fmt.Errorf("AppendCaptures overwrites a list, or appends %d moves and %d gains", len(moves), len(gains))
		}
		var legal []engine.Move
		for i, m := range moves[1:] {
			if p.LegalCapture(m) {
				legal = append(legal, m)
			}
			if got, want := int(gains[i+1]), p.Gain(m); got != want || got < least {
				return fmt.Errorf("capture %#x with a gain of %d is appended with %d, at least %d", m, want, got, least)
			}
		}
		if !slices.Equal(legal, want) {
			return fmt.Errorf("gain of %d: legal captures %#x are appended, want %#x", least, legal, want)
		}
	}
	return nil
}

// legalIsListed: Legal accepts exactly the listed moves, among all moves that were
// listed in other positions.
func legalIsListed(g target) error {
	var recent [128]engine.Move // a sample of the moves listed last
	n := 0
	return onWalk(32, forEvaluators(func(v *visit, p engine.Evaluator) error {
		moves := v.moves()
		for _, m := range recent[:min(n, len(recent))] {
			if got, want := p.Legal(m), slices.Contains(moves, m); got != want {
				return fmt.Errorf("move %#x is legal: %t, listed: %t", m, got, want)
			}
		}
		for _, m := range moves {
			if !p.Legal(m) {
				return fmt.Errorf("%s is listed but not legal", p.FormatMove(m))
			}
		}
		for range min(len(moves), 16) {
			recent[n%len(recent)] = v.pick(moves)
			n++
		}
		return nil
	}))(g)
}
