package encode_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// partsOf returns the parts of a move from its action number as the side to move sees it: what
// trainers compute from rows.
var partsOf = map[string]func(action uint16) [2]uint16{
	"contrast": func(action uint16) [2]uint16 { return [2]uint16{action / 51, 625 + action%(25*51)} },
}

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
				if got, want := p.MoveParts(m), partsOf[g.Name](action); got != want {
					t.Fatalf("%s: %s has the parts %d, want %d", p, p.FormatMove(m), got, want)
				}
			}
		}
	}
}
