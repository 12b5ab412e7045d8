package enginetest

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
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

// scoresAreBounded: static scores, gains and placements are at most MaxStatic.
func scoresAreBounded(v *visit, p engine.Evaluator) error {
	beyond := func(score int) bool { return max(score, -score) > engine.MaxStatic }
	if score := p.Evaluate(); beyond(score) {
		return fmt.Errorf("score %d is beyond MaxStatic", score)
	}
	if p.Outcome() != engine.Ongoing {
		return nil
	}
	for _, m := range v.moves() {
		if gain, placement := p.Gain(m), p.Placement(m); beyond(gain) || beyond(placement) {
			return fmt.Errorf("Gain(%s) is %d and Placement %d: want at most MaxStatic", p.FormatMove(m), gain, placement)
		}
	}
	return nil
}

// capturesAreListed: Captures appends listed moves, each once, and where a move has a positive gain, one that
// is no worse.
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
	best := 0
	for _, m := range list {
		best = max(best, p.Gain(m))
	}
	for _, m := range moves {
		if gain := p.Gain(m); gain > best {
			return fmt.Errorf("%s gains %d, but the best of %d moves of Captures gains %d", p.FormatMove(m), gain, len(list), best)
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
	var first []engine.Move     // the first moves that were listed at all, each once
	known, n := map[engine.Move]bool{}, 0
	return onWalk(32, forEvaluators(func(v *visit, p engine.Evaluator) error {
		moves := v.moves()
		for _, list := range [][]engine.Move{recent[:min(n, len(recent))], first} {
			for _, m := range list {
				if got, want := p.Legal(m), slices.Contains(moves, m); got != want {
					return fmt.Errorf("move %#x is legal: %t, listed: %t", m, got, want)
				}
			}
		}
		for _, m := range moves {
			if len(first) < len(recent) && !known[m] {
				known[m], first = true, append(first, m)
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

var leafPlies = flag.Int("leaves", 0, "check the scores after moves at `N` plies in place of a quarter of those of the other laws")

// leafScoresAreScores: HashAfter and ScoreAfter tell what Hash and Evaluate return after a move, and
// RepeatsAfter tells where it leads back. The games return to earlier positions when they can.
func leafScoresAreScores(g target) error {
	p, ok := g.New().(engine.LeafScorer)
	if !ok {
		return nil
	}
	left := g.Plies / 4
	if *leafPlies > 0 {
		left = *leafPlies
	}
	for game := 0; left > 0; game++ {
		start, limit := g.start(game)
		if err := begin(p, start); err != nil {
			return err
		}
		w := &leafWalk{p: p, src: rand.NewPCG(uint64(game), 3)}
		for range min(limit, left) {
			left--
			if err := w.step(); err != nil {
				return fmt.Errorf("game %d from %q, %q: %w", game, start, p, err)
			}
			if p.Outcome() != engine.Ongoing {
				break
			}
		}
	}
	return nil
}

// leafWalk plays a game.
type leafWalk struct {
	p     engine.LeafScorer
	src   *rand.PCG
	moves []engine.Move
	back  []engine.Move // moves that lead to a position that the game had
	seen  []uint64      // hashes of the game
}

// step checks every move of the position and plays one.
func (w *leafWalk) step() error {
	w.moves, w.back = w.p.Moves(w.moves[:0]), w.back[:0]
	w.seen = append(w.seen, w.p.Hash())
	if w.p.Over() {
		return nil
	}
	for _, m := range w.moves {
		repeats, err := w.check(m)
		if err != nil {
			return fmt.Errorf("%s: %w", w.p.FormatMove(m), err)
		}
		if repeats {
			w.back = append(w.back, m)
		}
	}
	list := w.moves
	if len(w.back) > 0 && w.src.Uint64()%2 == 0 {
		list = w.back
	}
	if len(list) > 0 {
		w.p.Do(list[engine.Below(w.src, uint32(len(list)))])
	}
	return nil
}

// check compares what is said of a move with the position after it. repeats reports that the
// game had this position.
func (w *leafWalk) check(m engine.Move) (repeats bool, err error) {
	after, hashed := uint64(0), false
	h, hashes := w.p.(engine.LeafHasher)
	if hashes {
		after, hashed = h.HashAfter(m)
	}
	score, ok := 0, false
	if hashed || !hashes {
		score, ok = w.p.ScoreAfter(m)
	}
	r, tells := w.p.(engine.LeafRepeater)
	isNew := ok && tells && !r.RepeatsAfter(m)
	us := w.p.Turn()
	w.p.Do(m)
	defer w.p.Undo()
	hash := w.p.Hash()
	for i := range w.seen {
		repeats = repeats || w.seen[i] == hash
	}
	switch {
	case hashed && !ok:
		return repeats, errors.New("has a hash, but no score")
	case hashed && hash != after:
		return repeats, fmt.Errorf("is said to lead to hash %016x, but leads to %016x", after, hash)
	case !ok:
		return repeats, nil
	case isNew && repeats:
		return repeats, errors.New("is said to lead to a new position, but leads back")
	}
	switch got := w.p.Evaluate(); {
	case w.p.Turn() == us:
		return repeats, errors.New("is scored, but does not pass the turn")
	case w.p.Over():
		return repeats, errors.New("is scored, but ends the game")
	case w.p.Check():
		return repeats, errors.New("is scored, but gives check")
	case got != score:
		return repeats, fmt.Errorf("is scored %d, but the score after it is %d", score, got)
	}
	return repeats, nil
}

// leafScoresAt is the law for the moves of one position.
func leafScoresAt(v *visit) error {
	p, ok := v.p.(engine.LeafScorer)
	if !ok || p.Over() {
		return nil
	}
	w := &leafWalk{p: p}
	for _, m := range v.moves() {
		if _, err := w.check(m); err != nil {
			return fmt.Errorf("move %#x: %w", m, err)
		}
	}
	return nil
}

// A search relies on Over in two ways. Where it is true, the search reads the
// outcome and generates no moves. Where it is false, an empty list is the only other
// sign that the game is over.

// overImpliesOutcome: Over is never true while the game goes on.
func overImpliesOutcome(v *visit, p engine.Evaluator) error {
	if p.Over() && p.Outcome() == engine.Ongoing {
		return errors.New("Over is true, the outcome is Ongoing")
	}
	return nil
}

// outcomeWithMovesImpliesOver: where the game is over although moves are listed, Over
// is true.
func outcomeWithMovesImpliesOver(v *visit, p engine.Evaluator) error {
	if n, o := len(v.moves()), p.Outcome(); n > 0 && o != engine.Ongoing && !p.Over() {
		return fmt.Errorf("outcome %v with %d legal moves, Over is false", o, n)
	}
	return nil
}

// outcomeWithoutOverHasNoMoves: where the game is over and Over is false, Moves and
// Captures list nothing.
func outcomeWithoutOverHasNoMoves(v *visit, p engine.Evaluator) error {
	o := p.Outcome()
	if o == engine.Ongoing || p.Over() {
		return nil
	}
	if n := len(v.moves()); n > 0 {
		return fmt.Errorf("outcome %v, Over is false, %d moves are listed", o, n)
	}
	if n := len(p.Captures(nil)); n > 0 {
		return fmt.Errorf("outcome %v, Over is false, %d captures are listed", o, n)
	}
	return nil
}
