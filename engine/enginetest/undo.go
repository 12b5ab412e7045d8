package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// A snapshot is everything that a position answers, list order included.
type snapshot struct {
	text    string
	hash    uint64
	turn    engine.Side
	check   bool
	outcome engine.Outcome
	list    []engine.Move
}

func take(p engine.Position) snapshot {
	return snapshot{p.String(), p.Hash(), p.Turn(), p.Check(), p.Outcome(), p.Moves(nil)}
}

// compare returns how p differs from what was taken.
func (s snapshot) compare(p engine.Position) error {
	if err := s.compareQuickly(p); err != nil {
		return err
	}
	switch list := p.Moves(nil); {
	case p.Turn() != s.turn:
		return fmt.Errorf("side %d became %d", s.turn, p.Turn())
	case p.Check() != s.check:
		return fmt.Errorf("check %t became %t", s.check, p.Check())
	case p.Outcome() != s.outcome:
		return fmt.Errorf("outcome %v became %v", s.outcome, p.Outcome())
	case !slices.Equal(list, s.list):
		return fmt.Errorf("list %x became %x", s.list, list)
	}
	return nil
}

func (s snapshot) compareQuickly(p engine.Position) error {
	if text := p.String(); text != s.text {
		return fmt.Errorf("text became %q", text)
	}
	if hash := p.Hash(); hash != s.hash {
		return fmt.Errorf("hash %016x became %016x", s.hash, hash)
	}
	return nil
}

// undoRestores: Do and Undo of every legal move restores text and hash, and for
// a picked one, deep excursions included, everything else.
func undoRestores(v *visit) error {
	before := take(v.p)
	for _, m := range before.list {
		v.p.Do(m)
		v.p.Undo()
		if err := before.compareQuickly(v.p); err != nil {
			return fmt.Errorf("after %s taken back: %w", v.p.FormatMove(m), err)
		}
	}
	if len(before.list) > 0 {
		m := v.pick(before.list)
		v.p.Do(m)
		v.wander(v.draws[0], 8)
		v.p.Undo()
		if err := before.compare(v.p); err != nil {
			return fmt.Errorf("after %s and more taken back: %w", v.p.FormatMove(m), err)
		}
	}
	v.wander(v.draws[0], 1)
	if err := before.compare(v.p); err != nil {
		return fmt.Errorf("after a draw taken back: %w", err)
	}
	return nil
}

// wholeGames: games from the start run to their end or to MaxPlies, some of them
// end by the rules, and taking all moves back leads to the start and not beyond.
func wholeGames(tr trial) error {
	p := tr.New()
	start, ended := take(p), 0
	games := max(tr.Plies/5_000, 4)
	for game := range games {
		plies, src := 0, rand.NewPCG(uint64(game), 3)
		for plies < tr.Game.MaxPlies && draw(p, src) {
			plies++
		}
		if p.Outcome() != engine.Ongoing {
			ended++
		}
		for range plies {
			p.Undo()
		}
		if err := start.compare(p); err != nil {
			return fmt.Errorf("game %d, %d plies taken back: %w", game, plies, err)
		}
	}
	if ended == 0 {
		return fmt.Errorf("none of %d games ended within %d plies", games, tr.Game.MaxPlies)
	}
	if !panics(p.Undo) {
		return errors.New("undo goes past the beginning")
	}
	return nil
}
