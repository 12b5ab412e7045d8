package enginetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// A trial is a suite in one variant: what a law is given.
type trial struct {
	Suite
	variant string
}

// fromText is the length of a walk that begins at a given text: long enough to
// leave it behind, short enough to visit many texts.
const fromText = 100

// A visit is one position of a walk with what a law needs to question it.
type visit struct {
	trial
	p     engine.Position // as reached by play; a law takes back what it plays
	fresh engine.Position // for reading texts; laws share it
	src   *rand.PCG       // the law's own dice, not the walk's
	draws []drawer        // all ways to draw
	list  []engine.Move   // scratch
}

// onWalk makes a law about one position into a law about random games. It looks
// at every n-th position.
func onWalk(n int, check func(*visit) error) func(trial) error {
	return func(tr trial) error {
		v := &visit{trial: tr, fresh: tr.New(), src: rand.NewPCG(1, 2), draws: tr.drawers()}
		seen := 0
		return tr.walk(func(p engine.Position) error {
			if seen++; seen%n != 0 {
				return nil
			}
			v.p = p
			return check(v)
		})
	}
}

// New returns a position at the start of the variant.
func (tr trial) New() engine.Position { return tr.Game.New(tr.variant) }

// walk plays random games, Plies in all, and shows look each position before
// it draws, the last of a game included.
func (tr trial) walk(look func(engine.Position) error) error {
	p := tr.New()
	for plies, game := 0, 0; plies < tr.Plies; game++ {
		start, limit := tr.start(game)
		if err := begin(p, start); err != nil {
			return err
		}
		src := rand.NewPCG(uint64(game), 1)
		for ply := 0; ; ply++ {
			if err := look(p); err != nil {
				return fmt.Errorf("game %d from %q, ply %d, %q: %w", game, start, ply, p, err)
			}
			plies++
			if ply == limit || !draw(p, src) {
				break
			}
		}
	}
	return nil
}

// begin sets p to the text, or to the start of the game if there is none.
func begin(p engine.Position, text string) error {
	if text == "" {
		p.Reset()
		return nil
	}
	if err := p.Set(text); err != nil {
		return fmt.Errorf("start %q: %w", text, err)
	}
	return nil
}

// start returns where game begins and when it is cut off: every fourth game at
// the start, the others at the given texts in turn.
func (tr trial) start(game int) (text string, limit int) {
	if len(tr.Starts) == 0 || game%4 == 0 {
		return "", tr.Game.MaxPlies
	}
	texts := game - game/4 - 1
	return tr.Starts[texts%len(tr.Starts)], fromText
}

// draw plays a random move and reports whether there was one.
func draw(p engine.Position, src *rand.PCG) bool {
	_, ok := p.DoRandom(src)
	return ok
}

// moves lists into the visit's scratch.
func (v *visit) moves() []engine.Move {
	v.list = v.p.Moves(v.list[:0])
	return v.list
}

// pick returns one of the moves, drawn by the law's own dice.
func (v *visit) pick(list []engine.Move) engine.Move {
	return list[rand.New(v.src).IntN(len(list))]
}

// wander plays up to n drawn moves and takes them all back.
func (v *visit) wander(d drawer, n int) {
	played := 0
	for ; played < n; played++ {
		if _, ok := d.draw(v.p, v.src); !ok {
			break
		}
	}
	for range played {
		v.p.Undo()
	}
}

// question asks everything that a position answers and plays to and fro.
func (v *visit) question() {
	for _, m := range v.moves() {
		_ = v.p.FormatMove(m)
		v.p.Do(m)
		v.p.Undo()
	}
	for _, d := range v.draws {
		v.wander(d, 4)
	}
	_, _, _, _, _ = v.p.Hash(), v.p.String(), v.p.Check(), v.p.Turn(), v.p.Outcome()
}

// panics reports whether f panics.
func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// wire returns the legal moves as texts, sorted.
func wire(p engine.Position) []string {
	var texts []string
	for _, m := range p.Moves(nil) {
		texts = append(texts, p.FormatMove(m))
	}
	slices.Sort(texts)
	return texts
}
