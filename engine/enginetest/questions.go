package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// newPositionsAreIndependent: New returns a position at the start, and positions share nothing: a game on
// one changes no other.
func newPositionsAreIndependent(g target) error {
	one, two := g.New(), g.New()
	start, src := newSnapshot(one), rand.NewPCG(1, 13)
	for ply := range min(g.Game.MaxPlies, 40) {
		played := newSnapshot(one)
		if err := start.compare(two); err != nil {
			return fmt.Errorf("%d plies on another position: a new one: %w", ply, err)
		}
		two.Reset()
		if err := played.compare(one); err != nil {
			return fmt.Errorf("Reset of a new position changes another one: %w", err)
		}
		if !draw(one, src) {
			break
		}
	}
	third := g.New()
	if err := start.compare(third); err != nil {
		return fmt.Errorf("a new position after a game on another one: %w", err)
	}
	third.Reset()
	if err := start.compare(third); err != nil {
		return fmt.Errorf("a new position is not what Reset returns to: %w", err)
	}
	return nil
}

// turnIsASide: Turn is First or Second.
func turnIsASide(v *visit) error {
	if t := v.p.Turn(); t > engine.Second {
		return fmt.Errorf("side to move %d: want 0 or 1, since a game has two sides (see \"What cannot be a game\" in docs/adding-a-game.md)", t)
	}
	return nil
}

// A question is a call that must not change the position.
type question struct {
	name string
	ask  func(v *visit, m engine.Move) // about a legal move, or 0 if the position has none
}

// questions are those of every position. Those of optional interfaces are asked where a position has them.
var questions = []question{
	{"Turn", func(v *visit, _ engine.Move) { v.p.Turn() }},
	{"Check", func(v *visit, _ engine.Move) { v.p.Check() }},
	{"Outcome", func(v *visit, _ engine.Move) { v.p.Outcome() }},
	{"Moves", func(v *visit, _ engine.Move) { v.moves() }},
	{"ParseMove", func(v *visit, _ engine.Move) { _, _ = v.p.ParseMove("?") }},
	{"Count", func(v *visit, _ engine.Move) { ifIs(v.p, func(p engine.Counter) { p.Count() }) }},
	{"Reachable", func(v *visit, _ engine.Move) { ifIs(v.p, func(p engine.Reacher) { _ = p.Reachable() }) }},
	{"Evaluate", func(v *visit, _ engine.Move) { ifIs(v.p, func(p engine.Evaluator) { p.Evaluate() }) }},
	{"Over", func(v *visit, _ engine.Move) { ifIs(v.p, func(p engine.Evaluator) { p.Over() }) }},
	{"Captures", func(v *visit, _ engine.Move) { ifIs(v.p, func(p engine.Evaluator) { v.list = p.Captures(v.list[:0]) }) }},
	{"Tuning", func(v *visit, _ engine.Move) { ifIs(v.p, func(p engine.Evaluator) { p.Tuning() }) }},
	{"AppendCaptures", func(v *visit, _ engine.Move) {
		ifIs(v.p, func(p engine.CaptureLister) { v.list, _ = p.AppendCaptures(v.list[:0], nil, 0) })
	}},
	{"AppendFeatures", func(v *visit, _ engine.Move) { ifIs(v.p, func(p engine.Featured) { p.AppendFeatures(nil) }) }},
}

// questionsOfMoves are those about a legal move.
var questionsOfMoves = []question{
	{"FormatMove", func(v *visit, m engine.Move) { _ = v.p.FormatMove(m) }},
	{"ParseMove", func(v *visit, m engine.Move) { _, _ = v.p.ParseMove(v.p.FormatMove(m)) }},
	{"Legal", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Evaluator) { p.Legal(m) }) }},
	{"Gain", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Evaluator) { p.Gain(m) }) }},
	{"Placement", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Evaluator) { p.Placement(m) }) }},
	{"Hangs", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Evaluator) { p.Hangs(m) }) }},
	{"GivesCheck", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Evaluator) { p.GivesCheck(m) }) }},
	{"ScoreAfter", func(v *visit, m engine.Move) {
		ifIs(v.p, func(p engine.LeafScorer) {
			h, hashes := p.(engine.LeafHasher)
			ok := !hashes
			if hashes {
				_, ok = h.HashAfter(m)
			}
			if ok {
				p.ScoreAfter(m)
			}
		})
	}},
	{"Canonical", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Orderer) { p.Canonical(m) }) }},
	{"SAN", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Algebraic) { _, _ = p.ParseSAN(p.SAN(m)) }) }},
	{"Obstacle", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Arbiter) { p.Obstacle(p.Wish(m)) }) }},
	{"MoveParts", func(v *visit, m engine.Move) { ifIs(v.p, func(p engine.Policied) { p.MoveParts(m) }) }},
}

// ifIs calls f with a position that implements an optional interface.
func ifIs[T engine.Position](p engine.Position, f func(T)) {
	if q, ok := p.(T); ok {
		f(q)
	}
}

// questionsChangeNothing: no question, about the position or about one of its moves, changes it. The error
// names the method.
func questionsChangeNothing(v *visit) error {
	before := newSnapshot(v.p)
	for _, q := range questions {
		q.ask(v, 0)
		if err := before.compareQuickly(v.p); err != nil {
			return fmt.Errorf("%s changes the position: %w", q.name, err)
		}
	}
	if before.outcome == engine.Ongoing {
		for _, m := range before.list {
			for _, q := range questionsOfMoves {
				q.ask(v, m)
				if err := before.compareQuickly(v.p); err != nil {
					return fmt.Errorf("%s(%#x) changes the position: %w", q.name, m, err)
				}
			}
		}
	}
	if err := before.compare(v.p); err != nil {
		return fmt.Errorf("questions change the position: %w", err)
	}
	return nil
}

// askEverything asks all questions, for laws that compare what comes after them.
func (v *visit) askEverything() {
	for _, q := range questions {
		q.ask(v, 0)
	}
	if v.p.Outcome() != engine.Ongoing {
		return
	}
	for _, m := range slices.Clone(v.moves()) {
		for _, q := range questionsOfMoves {
			q.ask(v, m)
		}
	}
}

// movesLeadToOnePlace: a move leads to the same position whenever it is played: no move is random.
func movesLeadToOnePlace(v *visit) error {
	moves := slices.Clone(v.moves())
	if len(moves) == 0 || v.p.Outcome() != engine.Ongoing {
		return nil
	}
	m := v.pick(moves)
	v.p.Do(m)
	once := newSnapshot(v.p)
	v.p.Undo()
	if once.hash == v.p.Hash() {
		return fmt.Errorf("move %#x changes nothing: the same side would move again in the same position", m)
	}
	if err := v.fresh.Set(v.p.String()); err != nil {
		return err
	}
	for _, p := range []engine.Position{v.p, v.fresh} {
		p.Do(m)
		text, hash := p.String(), p.Hash()
		p.Undo()
		if text != once.text || hash != once.hash {
			return fmt.Errorf("move %#x leads to %q, and played again to %q: want one position, since no game has chance (see \"What cannot be a game\" in docs/adding-a-game.md)", m, once.text, text)
		}
	}
	return nil
}

// marginsAreConstant: Tuning returns the same margins everywhere, and no depth or margin is negative.
func marginsAreConstant(g target) error {
	var first *engine.Tuning
	return onWalk(16, forEvaluators(func(_ *visit, p engine.Evaluator) error {
		t := p.Tuning()
		switch {
		case t == nil:
			return errors.New("Tuning returns nil: without margins it is an empty engine.Tuning")
		case first == nil:
			copied := *t
			first = &copied
		case *t != *first:
			return fmt.Errorf("margins %+v, in an earlier position %+v", *t, *first)
		}
		return nil
	}))(g)
}
