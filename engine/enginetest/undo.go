package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// A snapshot holds everything that a position answers, including the move order.
type snapshot struct {
	text    string
	hash    uint64
	turn    engine.Side
	check   bool
	outcome engine.Outcome
	list    []engine.Move
}

func newSnapshot(p engine.Position) snapshot {
	return snapshot{p.String(), p.Hash(), p.Turn(), p.Check(), p.Outcome(), p.Moves(nil)}
}

// compare returns how p differs from the snapshot.
func (s snapshot) compare(p engine.Position) error {
	if err := s.compareQuickly(p); err != nil {
		return err
	}
	switch list := p.Moves(nil); {
	case p.Turn() != s.turn:
		return fmt.Errorf("side to move %d became %d", s.turn, p.Turn())
	case p.Check() != s.check:
		return fmt.Errorf("check %t became %t", s.check, p.Check())
	case p.Outcome() != s.outcome:
		return fmt.Errorf("outcome %v became %v", s.outcome, p.Outcome())
	case !slices.Equal(list, s.list):
		return fmt.Errorf("list %x became %x", s.list, list)
	}
	return nil
}

// compareQuickly compares text and hash only.
func (s snapshot) compareQuickly(p engine.Position) error {
	if text := p.String(); text != s.text {
		return fmt.Errorf("text became %q", text)
	}
	if hash := p.Hash(); hash != s.hash {
		return fmt.Errorf("hash %016x became %016x", s.hash, hash)
	}
	return nil
}

// undoRestores: Do and Undo of every legal move restore text and hash. For one random
// move, with further moves played and undone after it, they restore everything.
func undoRestores(v *visit) error {
	before := newSnapshot(v.p)
	for _, m := range before.list {
		v.p.Do(m)
		v.p.Undo()
		if err := before.compareQuickly(v.p); err != nil {
			return fmt.Errorf("after undoing %s: %w", v.p.FormatMove(m), err)
		}
	}
	if len(before.list) > 0 {
		m := v.pick(before.list)
		v.p.Do(m)
		v.playAndUndo(v.samplers[0], 8)
		v.p.Undo()
		if err := before.compare(v.p); err != nil {
			return fmt.Errorf("after undoing %s and its continuation: %w", v.p.FormatMove(m), err)
		}
	}
	v.playAndUndo(v.samplers[0], 1)
	if err := before.compare(v.p); err != nil {
		return fmt.Errorf("after undoing a drawn move: %w", err)
	}
	return nil
}

// wholeGames: games from the start run to their end or to MaxPlies, and some end by
// the rules. Undoing all their moves leads back to the start and no further.
func wholeGames(g target) error {
	p := g.New()
	start, ended := newSnapshot(p), 0
	games := max(g.Plies/5_000, 4)
	for game := range games {
		plies, src := 0, rand.NewPCG(uint64(game), 3)
		for plies < g.Game.MaxPlies && draw(p, src) {
			plies++
		}
		if p.Outcome() != engine.Ongoing {
			ended++
		}
		for range plies {
			p.Undo()
		}
		if err := start.compare(p); err != nil {
			return fmt.Errorf("game %d, %d plies undone: %w", game, plies, err)
		}
	}
	if ended == 0 {
		return fmt.Errorf("none of %d games ended within %d plies", games, g.Game.MaxPlies)
	}
	if !panics(p.Undo) {
		return errors.New("Undo does not panic at the start")
	}
	return nil
}
