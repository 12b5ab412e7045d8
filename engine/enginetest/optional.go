package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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

// obstaclesAreThoseOfIllegalMoves: a wish has an obstacle exactly if no legal move fulfils it. The wishes are those of
// the legal moves, and random ones with their pieces and squares.
func obstaclesAreThoseOfIllegalMoves(v *visit) error {
	p, ok := v.p.(engine.Arbiter)
	if !ok {
		return nil
	}
	legal := LegalWishes(p)
	for _, w := range legal {
		if err := CheckWish(p, legal, w); err != nil {
			return err
		}
	}
	for range min(200, len(legal)*len(legal)) {
		one, other := legal[engine.Below(v.src, uint32(len(legal)))], legal[engine.Below(v.src, uint32(len(legal)))]
		ways := engine.Ways()
		w := engine.Wish{From: one.From, Piece: one.Piece, To: other.To, Way: ways[engine.Below(v.src, uint32(len(ways)))]}
		if err := CheckWish(p, legal, w); err != nil {
			return err
		}
	}
	return CheckWish(p, legal, engine.Wish{From: "?", To: "?"})
}

// LegalWishes returns the wishes of all legal moves.
func LegalWishes(p engine.Arbiter) (list []engine.Wish) {
	for _, m := range p.Moves(nil) {
		list = append(list, p.Wish(m))
	}
	return list
}

// CheckWish returns an error unless a wish has an obstacle exactly if none of the legal wishes fulfils it. An obstacle
// is one sentence.
func CheckWish(p engine.Arbiter, legal []engine.Wish, w engine.Wish) error {
	o := p.Obstacle(w)
	isLegal := slices.ContainsFunc(legal, func(l engine.Wish) bool { return l.Fulfils(w) })
	switch {
	case isLegal && o != engine.Obstacle{}:
		return fmt.Errorf("the legal wish %+v has the obstacle %+v", w, o)
	case !isLegal && o.Why == engine.NoObstacle:
		return fmt.Errorf("the wish %+v has no obstacle, but no legal move fulfils it", w)
	case !isLegal && (!strings.HasSuffix(o.Text, ".") || strings.Count(o.Text, ". ") > 0):
		return fmt.Errorf("the wish %+v has the obstacle %q, want one sentence", w, o.Text)
	}
	return nil
}

// CheckWishes checks every wish of a position: from each square with each of its pieces to each square, in every way that
// has squares.
func CheckWishes(d *Differences, p engine.Arbiter, squares []string, pieces func(from string) []string) {
	d.T.Helper()
	legal := map[engine.Wish][]engine.Wish{} // by squares
	for _, w := range LegalWishes(p) {
		key := engine.Wish{From: w.From, To: w.To}
		legal[key] = append(legal[key], w)
	}
	check := func(w engine.Wish) {
		err := CheckWish(p, legal[engine.Wish{From: w.From, To: w.To}], w)
		if err != nil {
			d.Addf("%s: %v", p, err)
		}
	}
	check(engine.Wish{Way: engine.EndTurn})
	for _, from := range squares {
		for _, piece := range pieces(from) {
			for _, to := range squares {
				for _, way := range engine.Ways() {
					check(engine.Wish{From: from, Piece: piece, To: to, Way: way})
				}
			}
		}
	}
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
