package enginetest

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"

	"selfplay/engine"
)

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
