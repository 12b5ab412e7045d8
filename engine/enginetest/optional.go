package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/engine"
)

// playedPositionsAreReachable: Reachable finds no fault in a position that a game from the start leads to.
func playedPositionsAreReachable(g target) error {
	g.Starts = nil
	return onWalk(4, func(v *visit) error {
		if p, ok := v.p.(engine.Reacher); ok && p.Reachable() != nil {
			return fmt.Errorf("a game led to the position, but Reachable says: %w", p.Reachable())
		}
		return nil
	})(g)
}

// fullMovesAreCounted: the number of the full move grows by one when the second side ends its turn, and not
// otherwise. It may stop at its largest value.
func fullMovesAreCounted(v *visit) error {
	p, ok := v.p.(engine.Numbered)
	if !ok || p.Outcome() != engine.Ongoing {
		return nil
	}
	before, turn, want := p.FullMove(), p.Turn(), p.FullMove()
	if !draw(p, v.src) {
		return nil
	}
	defer p.Undo()
	if turn == engine.Second && p.Turn() == engine.First {
		want++
	}
	if got := p.FullMove(); got != want && got != before {
		return fmt.Errorf("full move %d after %d, want %d", got, before, want)
	} else if got != want && before < 1000 {
		return fmt.Errorf("full move stays %d after the turn of the second side", got)
	}
	return nil
}

// algebraicNamesRoundTrip: the algebraic name of a move parses back to it.
func algebraicNamesRoundTrip(v *visit) error {
	p, ok := v.p.(engine.Algebraic)
	if !ok {
		return nil
	}
	for _, m := range v.moves() {
		name := p.SAN(m)
		if got, err := p.ParseSAN(name); err != nil || got != m {
			return fmt.Errorf("move %s is named %q, which parses as %#x, %v", p.FormatMove(m), name, got, err)
		}
	}
	if m, err := p.ParseSAN("?"); err == nil {
		return fmt.Errorf("the algebraic name \"?\" parses as %#x", m)
	}
	return nil
}

// turnTextsLeadBack: the text of a turn, whole or not yet ended, is read as the turn if it is sure, and otherwise as one that
// ends in the same position, among others.
func turnTextsLeadBack(v *visit) error {
	p, ok := v.p.(engine.TurnNotation)
	if !ok || p.Outcome() != engine.Ongoing {
		return nil
	}
	var moves []engine.Move
	for us := p.Turn(); p.Turn() == us && (len(moves) == 0 || v.src.Uint64()%4 > 0); {
		m, drawn := p.DoRandom(v.src)
		if !drawn {
			break
		}
		moves = append(moves, m)
	}
	end := p.String()
	for range moves {
		p.Undo()
	}
	names := map[string]bool{}
	for _, m := range v.moves() {
		name := p.SAN(m)
		if names[name] {
			return fmt.Errorf("two moves are named %q", name)
		}
		names[name] = true
	}
	before := newSnapshot(p)
	text, sure := p.TurnSAN(moves)
	turns, err := p.ReadTurn(text)
	changed := before.compare(p)
	if changed != nil {
		return fmt.Errorf("the texts of turns change the position: %w", changed)
	}
	leads := func(turn []engine.Move) bool { return endOf(p, turn) == end }
	switch {
	case err != nil:
		return fmt.Errorf("turn %x is named %q: %w", moves, text, err)
	case sure && (len(turns) != 1 || !slices.Equal(turns[0], moves)):
		return fmt.Errorf("turn %x is surely named %q, which is read as %x", moves, text, turns)
	case !slices.ContainsFunc(turns, leads):
		return fmt.Errorf("turn %x is named %q, and none of %x ends in %s", moves, text, turns, end)
	}
	_, err = p.ReadTurn("?")
	if err == nil {
		return errors.New("the text \"?\" is read as a turn")
	}
	return nil
}

// endsFollowTurns: no game ends before its last turn, or as a text without meaning says, and the questions change nothing.
func endsFollowTurns(v *visit) error {
	p, ok := v.p.(engine.EndReader)
	if !ok || p.Outcome() != engine.Ongoing {
		return nil
	}
	var turn []engine.Move
	for us, more := p.Turn(), true; more && p.Turn() == us; {
		var m engine.Move
		m, more = p.DoRandom(v.src)
		if more {
			turn = append(turn, m)
		}
	}
	end := p.String()
	for range turn {
		p.Undo()
	}
	name, _ := p.TurnSAN(turn)
	before := newSnapshot(p)
	_ = p.EndsIn(end, turn, name) // other programs may write the end in another way
	for _, text := range []string{p.String(), "", "?"} {
		if p.EndsIn(text, turn, name) == nil {
			return fmt.Errorf("a game whose last turn is %s ends in %q", name, text)
		}
	}
	if err := before.compare(p); err != nil {
		return fmt.Errorf("the end of a game changes the position: %w", err)
	}
	return nil
}

// endOf returns the position after moves.
func endOf(p engine.Position, moves []engine.Move) string {
	for _, m := range moves {
		p.Do(m)
	}
	end := p.String()
	for range moves {
		p.Undo()
	}
	return end
}

// passesAreTakenBack: Pass lets the other side move or does nothing, and TakePass restores everything.
func passesAreTakenBack(v *visit) error {
	p, ok := v.p.(engine.Passer)
	if !ok || p.Over() {
		return nil
	}
	before := newSnapshot(p)
	if p.Pass() {
		passed := p.Turn()
		v.playAndUndo(v.samplers[0], 2)
		p.TakePass()
		if passed != before.turn.Other() {
			return errors.New("Pass does not pass the turn")
		}
	}
	if err := before.compare(p); err != nil {
		return fmt.Errorf("after Pass and TakePass: %w", err)
	}
	return nil
}

// turnsBeginCanonically: Canonical is true for every move at the start of a turn, and some move is canonical
// wherever one is legal in an open turn that canonical moves led to.
func turnsBeginCanonically(v *visit) error {
	p, ok := v.p.(engine.Orderer)
	if !ok || p.Outcome() != engine.Ongoing {
		return nil
	}
	us, m := p.Turn(), engine.Move(0)
	if !draw(p, v.src) {
		return nil
	}
	begins := p.Turn() != us && p.Outcome() == engine.Ongoing
	if begins {
		for _, m = range v.moves() {
			if !p.Canonical(m) {
				begins = false
				break
			}
		}
		if !begins {
			defer p.Undo()
			return fmt.Errorf("Canonical(%s) is false at the start of the turn at %q", p.FormatMove(m), p)
		}
	}
	p.Undo()
	return nil
}
