package contrast_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

// TestPackRejects: numbers beyond the board, illegal steps, and moves after the end of
// the game.
func TestPackRejects(t *testing.T) {
	p := contrast.New()
	for tile := uint8(51); tile > 0; tile++ {
		if m, err := p.Pack(contrast.Step{From: 0, To: 5, Tile: tile}); err == nil {
			t.Errorf("tile %d packs as %#x", tile, m)
		}
	}
	for _, s := range []contrast.Step{
		{From: 25, To: 5}, {From: 0, To: 25}, {From: 32, To: 5}, {From: 0, To: 37}, {From: 255, To: 255},
		{From: 0, To: 0}, {From: 20, To: 15}, {From: 0, To: 1}, {From: 0, To: 6}, {From: 0, To: 10}, {From: 5, To: 10},
	} {
		if m, err := p.Pack(s); err == nil {
			t.Errorf("step %+v packs as %#x", s, m)
		}
	}
	won := at(t, boardText("..... x.... o.... ..... ..x..", "3,1,3,1 o"))
	if m, err := won.Pack(contrast.Step{From: 10, To: 11}); err == nil {
		t.Errorf("a move after the goal packs as %#x", m)
	}
}

// TestPackAcceptsExactlyTheLegalMoves: of all 31,875 steps, the legal moves pack and
// unpack to themselves.
func TestPackAcceptsExactlyTheLegalMoves(t *testing.T) {
	for i, s := range states(t) {
		if i%100 != 0 {
			continue
		}
		for _, variant := range variants {
			p, packed := set(t, in(variant), s.text()), map[engine.Move]bool{}
			for n := range 25 * 25 * 51 {
				step := contrast.Step{From: uint8(n / 51 / 25), To: uint8(n / 51 % 25), Tile: uint8(n % 51)}
				if m, err := p.Pack(step); err == nil {
					packed[m] = contrast.Unpack(m) == step
				}
			}
			for _, m := range p.Moves(nil) {
				if !packed[m] {
					t.Errorf("%s %s: %s does not round-trip", variant, p, p.FormatMove(m))
				}
			}
			if got, want := len(packed), p.Count(); got != want {
				t.Errorf("%s %s: %d steps pack, %d moves are legal", variant, p, got, want)
			}
		}
	}
}
