package enginetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// drawer is a way to draw a move: Random, or dice of the game at some share.
type drawer struct {
	name string
	draw func(p engine.Position, src *rand.PCG) (engine.Move, bool)
}

// drawers returns all ways to draw.
func (tr trial) drawers() []drawer {
	list := []drawer{{"Random", engine.Position.DoRandom}}
	for _, d := range tr.Game.Samplers {
		for _, share := range []engine.Fraction{d.Default, 0, engine.One} {
			list = append(list, drawer{d.Name + "=" + share.String(), func(p engine.Position, src *rand.PCG) (engine.Move, bool) {
				return d.DoRandom(p, src, share)
			}})
		}
	}
	return list
}

// forDrawers makes a law about one way to draw into a law about all.
func forDrawers(check func(*visit, drawer) error) func(*visit) error {
	return func(v *visit) error {
		for _, d := range v.draws {
			if err := check(v, d); err != nil {
				return fmt.Errorf("by %s: %w", d.name, err)
			}
		}
		return nil
	}
}

// drawPlaysListedMove: a draw returns a legal move and has played just that.
func drawPlaysListedMove(v *visit, d drawer) error {
	m, ok := d.draw(v.p, v.src)
	if !ok {
		return nil
	}
	text, hash, outcome := v.p.String(), v.p.Hash(), v.p.Outcome()
	v.p.Undo()
	if !slices.Contains(v.moves(), m) {
		return fmt.Errorf("drawn move %#x is not listed", m)
	}
	v.p.Do(m)
	defer v.p.Undo()
	if got := v.p.String(); got != text || v.p.Hash() != hash || v.p.Outcome() != outcome {
		return fmt.Errorf("move %#x leads to %q when drawn, to %q when played", m, text, got)
	}
	return nil
}

// drawFailsAtTheEnd: a draw reports false, and plays nothing, exactly where the
// game is over; the end has a result and a reason that rules can give.
func drawFailsAtTheEnd(v *visit, d drawer) error {
	text, outcome := v.p.String(), v.p.Outcome()
	_, ok := d.draw(v.p, v.src)
	if ok {
		v.p.Undo()
	}
	if got := v.p.String(); got != text {
		return fmt.Errorf("a draw (%t) leaves %q behind", ok, got)
	}
	if over := outcome != engine.Ongoing; ok == over {
		return fmt.Errorf("outcome %v, a draw reports %t", outcome, ok)
	}
	return ruled(outcome)
}

// ruled: an outcome is Ongoing or has both a result and a reason in the rules.
func ruled(o engine.Outcome) error {
	if o == engine.Ongoing {
		return nil
	}
	switch o.Reason {
	case engine.NoReason, engine.Adjudicated, engine.PlyLimit:
		return fmt.Errorf("outcome %v: rules do not end a game by %q", o, o.Reason)
	}
	if o.Result == engine.NoResult || o.Result > engine.Draw {
		return fmt.Errorf("outcome %v: the game is over without a result", o)
	}
	return nil
}

// drawIgnoresQuestions: the same dice draw the same move and are left in the same
// state, whatever was asked, played and taken back in between.
func drawIgnoresQuestions(v *visit, d drawer) error {
	seed := v.src.Uint64()
	m, after, ok := v.drawWith(d, seed)
	v.question()
	if m2, after2, ok2 := v.drawWith(d, seed); m2 != m || after2 != after || ok2 != ok {
		return fmt.Errorf("seed %d draws %#x %t, after questions %#x %t", seed, m, ok, m2, ok2)
	}
	return nil
}

// drawWith draws with new dice, takes the move back, and tells what the dice
// would say next.
func (v *visit) drawWith(d drawer, seed uint64) (m engine.Move, after uint64, ok bool) {
	src := rand.NewPCG(seed, 4)
	if m, ok = d.draw(v.p, src); ok {
		v.p.Undo()
	}
	return m, src.Uint64(), ok
}

// questionsDoNotMatter: a game played in silence and a game questioned at every
// ply are the same game.
func questionsDoNotMatter(tr trial) error {
	silent := tr.New()
	v := &visit{trial: tr, p: tr.New(), src: rand.NewPCG(5, 6), draws: tr.drawers()}
	for game := range max(tr.Plies/10_000, 8) {
		start, limit := tr.start(game)
		if err := errors.Join(begin(silent, start), begin(v.p, start)); err != nil {
			return err
		}
		one, two := rand.NewPCG(uint64(game), 7), rand.NewPCG(uint64(game), 7)
		for ply := range limit {
			v.question()
			m, ok := silent.DoRandom(one)
			if m2, ok2 := v.p.DoRandom(two); m2 != m || ok2 != ok {
				return fmt.Errorf("game %d from %q, ply %d: %#x in silence, %#x questioned", game, start, ply, m, m2)
			}
			if !ok {
				break
			}
		}
		if silent.String() != v.p.String() {
			return fmt.Errorf("game %d from %q: %q in silence, %q questioned", game, start, silent, v.p)
		}
	}
	return nil
}

// noAllocation: in the steady state neither draws nor lists allocate.
func noAllocation(tr trial) error {
	v := &visit{trial: tr, p: tr.New(), src: rand.NewPCG(8, 9), draws: tr.drawers(), list: make([]engine.Move, 0, 2048)}
	for game := range max(8, min(40, len(tr.Starts))) {
		start, _ := tr.start(game)
		if err := begin(v.p, start); err != nil {
			return err
		}
		for _, d := range v.draws {
			if n := allocations(func() { v.wander(d, 30) }); n > 0 {
				return fmt.Errorf("from %q: 30 draws and undos by %s allocate %v times", start, d.name, n)
			}
		}
		if n := allocations(func() { v.moves() }); n > 0 {
			return fmt.Errorf("from %q: listing %d moves allocates %v times", start, len(v.list), n)
		}
	}
	return nil
}
