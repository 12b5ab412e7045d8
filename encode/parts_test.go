package encode_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// partsOf returns the parts of a move from its action number and the kind of the piece that
// arrives, both as the side to move sees them: what trainers compute from rows.
var partsOf = map[string]func(action uint16, to, kind int) [2]uint16{
	"contrast": func(action uint16, _, _ int) [2]uint16 { return [2]uint16{action / 51, 625 + action%(25*51)} },
	"chess": func(action uint16, to, kind int) [2]uint16 {
		return [2]uint16{action/73*64 + uint16(to), 4096 + uint16(kind*64+to)}
	},
}

var grids = map[string]encode.Grid{"contrast": {Files: 5, Ranks: 5}, "chess": {Files: 8, Ranks: 8}}

// TestPartsFollowFromActions: the parts of moves are a function of what datasets have.
func TestPartsFollowFromActions(t *testing.T) {
	for _, g := range encode.Games() {
		p, ok := g.New("").(engine.Policied)
		if !ok {
			continue
		}
		src := rand.NewPCG(3, 3)
		for range 2000 {
			if _, ok := p.DoRandom(src); !ok {
				p.Reset()
			}
			for _, m := range p.Moves(nil) {
				action := g.Actions.Number(m)
				if p.Turn() == engine.Second {
					action = g.Actions.Flip(action)
				}
				to, kind := arrival(g, p, m, action)
				if got, want := p.MoveParts(m), partsOf[g.Name](action, to, kind); got != want {
					t.Fatalf("%s: %s has the parts %d, want %d", p, p.FormatMove(m), got, want)
				}
			}
		}
	}
}

// arrival returns the target cell of a flipped action, and in chess the kind of the piece there
// after the move.
func arrival(g encode.Game, p engine.Position, m engine.Move, action uint16) (to, kind int) {
	to, _ = grids[g.Name].Cell(g.Actions.Describe(action).To)
	if g.Name != "chess" {
		return to, 0
	}
	p.Do(m)
	defer p.Undo()
	cell := to
	if p.Turn() == engine.First {
		cell ^= 56
	}
	return to, (int(g.Layouts[0].Encode(nil, p)[cell]) - 1) % 6
}
