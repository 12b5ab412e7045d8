package contrast_test

import (
	"fmt"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/internal/must"
)

var variants = []string{"after", "before"}

// in returns a position at the start of a variant.
func in(variant string) *contrast.Position {
	return contrast.Game().New(variant).(*contrast.Position)
}

// at returns the position of a text in the variant after.
func at(t testing.TB, text string) *contrast.Position {
	t.Helper()
	return set(t, contrast.New(), text)
}

func set(t testing.TB, p *contrast.Position, text string) *contrast.Position {
	t.Helper()
	must.Do(t, p.Set(text))
	return p
}

// text returns the position text of an entry of the data.
func (b board) text() string { return textOf(b.A, b.STM) }

func textOf(array []int, stm int) string {
	text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(array)), ","), "[]")
	return text + " " + string("?xo"[stm])
}

// play plays moves given in their wire form.
func play(t testing.TB, p *contrast.Position, list ...string) *contrast.Position {
	t.Helper()
	for _, text := range list {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatalf("at %s: %v", p, err)
		}
		p.Do(m)
	}
	return p
}

// Boards are drawn as printed, rank 5 first: x and o are pieces, b and g tiles, X and O
// pieces on a black tile, % and @ pieces on a gray tile.
const boardLetters = ".bgxX%oO@"

// boardText returns the position text of a drawn board; rest has the hands and the
// side to move.
func boardText(rows, rest string) string {
	var b strings.Builder
	for _, c := range strings.Join(strings.Fields(rows), "") {
		b.WriteByte(byte('0' + strings.IndexRune(boardLetters, c)))
		b.WriteByte(',')
	}
	return b.String() + rest
}

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
