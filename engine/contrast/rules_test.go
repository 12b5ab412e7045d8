package contrast_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine/contrast"
)

// targets returns the targets of the piece on a cell.
func targets(p *contrast.Position, from string) []string {
	var list []string
	for _, move := range moveTexts(p) {
		if to, ok := strings.CutPrefix(move, from+","); ok && strings.HasSuffix(to, " -1") {
			list = append(list, to[:2])
		}
	}
	return list
}

func TestMovement(t *testing.T) {
	for _, c := range []struct{ rule, board, from, want string }{
		{"cell without a tile: orthogonal arrows", "..... ..... ..x.. ..... .....", "c3", "b3 c2 c4 d3"},
		{"black tile: diagonal arrows", "..... ..... ..X.. ..... .....", "c3", "b2 b4 d2 d4"},
		{"gray tile: all eight arrows", "..... ..... ..%.. ..... .....", "c3", "b2 b3 b4 c2 c4 d2 d3 d4"},
		{"tile at the destination has no effect", "..... ..b.. .gxb. ..g.. .....", "c3", "b3 c2 c4 d3"},
		{"no step across the edge", "x.... ..... ..... ..... .....", "a5", "a4 b5"},
		{"jump over one own piece", "..... ..... .xx.. ..... .....", "b3", "a3 b2 b4 d3"},
		{"jump over two own pieces", "..... ..... .xxx. ..... .....", "b3", "a3 b2 b4 e3"},
		{"jump over three own pieces", "..... ..... xxxx. ..... .....", "a3", "a2 a4 e3"},
		{"jump along a whole file", "x.... x.... x.... x.... .....", "a5", "a1 b5"},
		{"jump along a whole diagonal", "%.... .X... ..X.. ...X. .....", "a5", "a4 b5 e1"},
		{"no jump across the edge", "..... ..... ..xxx ..... .....", "c3", "b3 c2 c4"},
		{"tiles under jumped pieces have no effect", "..... ..... .xX%. ..... .....", "b3", "a3 b2 b4 e3"},
		{"no move beyond the first empty cell", "..... ..... x.x.. ..... .....", "a3", "a2 a4 b3"},
		{"no jump over an opponent", "..... ..... .xo.. ..... .....", "b3", "a3 b2 b4"},
		{"no jump over own pieces and an opponent", "..... ..... .xxo. ..... .....", "b3", "a3 b2 b4"},
		{"backward and sideways steps", "..... ..... ..... ..x.. ..o..", "c2", "b2 c3 d2"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for _, variant := range variants {
				p := set(t, in(variant), boardText(c.board, "3,1,3,1 x"))
				if got := strings.Join(targets(p, c.from), " "); got != c.want {
					t.Errorf("%s: %s, want %s", variant, got, c.want)
				}
			}
		})
	}
}

func TestTiles(t *testing.T) {
	const board = "..... ..... ..x.. b...g .o..."
	for _, c := range []struct {
		rule, hands, move string
		after, before     bool
	}{
		{"no tile", "3,1,0,0", "c3,c4 -1", true, true},
		{"black tile", "3,1,0,0", "c3,c4 a1b", true, true},
		{"gray tile", "3,1,0,0", "c3,c4 a1g", true, true},
		{"last black tile", "1,0,0,0", "c3,c4 a1b", true, true},
		{"no black tile left", "0,1,3,1", "c3,c4 a1b", false, false},
		{"no gray tile left", "3,0,3,1", "c3,c4 a1g", false, false},
		{"on the goal row", "3,1,0,0", "c3,c4 e1b", true, true},
		{"on the home row", "3,1,0,0", "c3,c4 e5b", true, true},
		{"on the vacated cell", "3,1,0,0", "c3,c4 c3b", true, false},
		{"on the destination", "3,1,0,0", "c3,c4 c4b", false, true},
		{"on a tile", "3,1,0,0", "c3,c4 a2b", false, false},
		{"on a tile of the other kind", "3,1,0,0", "c3,c4 e2b", false, false},
		{"on an opponent", "3,1,0,0", "c3,c4 b1b", false, false},
		{"two tiles", "3,1,0,0", "c3,c4 a1b a3b", false, false},
		{"tile without a move", "3,1,0,0", "c3,c3 a1b", false, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for _, variant := range variants {
				p := set(t, in(variant), boardText(board, c.hands+" x"))
				want := variant == "after" && c.after || variant == "before" && c.before
				if got := slices.Contains(moveTexts(p), c.move); got != want {
					t.Errorf("%s: %s is listed: %t", variant, c.move, got)
				}
				if _, err := p.ParseMove(c.move); (err == nil) != want {
					t.Errorf("%s: %s: ParseMove error %v", variant, c.move, err)
				}
			}
		})
	}
}

func TestEffects(t *testing.T) {
	for _, c := range []struct{ rule, variant, board, hands, move, wantBoard, wantHands string }{
		{"a black tile is spent", "after", "..... ..... ..x.. ..... .....", "3,1,2,1", "c3,c4 a1b",
			"..... ..x.. ..... ..... b....", "2,1,2,1"},
		{"a gray tile is spent", "before", "..... ..... ..x.. ..... .....", "3,1,2,1", "c3,c4 a1g",
			"..... ..x.. ..... ..... g....", "3,0,2,1"},
		{"the vacated cell gets the tile", "after", "..... ..... ..x.. ..... .....", "3,1,2,1", "c3,c4 c3g",
			"..... ..x.. ..g.. ..... .....", "3,0,2,1"},
		{"a tile on the destination is neither placed nor spent", "before", "..... ..... ..x.. ..... .....", "3,1,2,1", "c3,c4 c4g",
			"..... ..x.. ..... ..... .....", "3,1,2,1"},
		{"tiles stay when a piece moves from one to another", "after", "..... ...b. ..%.. ..... .....", "0,0,0,0", "c3,d4 -1",
			"..... ...X. ..g.. ..... .....", "0,0,0,0"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := play(t, set(t, in(c.variant), boardText(c.board, c.hands+" x")), c.move)
			if got, want := p.String(), boardText(c.wantBoard, c.wantHands+" o"); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestTileActsFromTheNextMoveOn: a tile does not affect the move that places it.
func TestTileActsFromTheNextMoveOn(t *testing.T) {
	p := at(t, boardText("..... ..... ..x.. ..... .o...", "3,1,3,1 x"))
	if len(moveTexts(p)) < 100 {
		t.Error("fewer than 100 moves to check")
	}
	for _, move := range moveTexts(p) {
		if from, to := move[:2], move[3:5]; from[0] != to[0] && from[1] != to[1] {
			t.Errorf("%s is diagonal from a cell without a tile", move)
		}
	}
	play(t, p, "c3,c4 c3b", "b1,b2 -1", "c4,c3 -1", "b2,b3 -1")
	if got := strings.Join(targets(p, "c3"), " "); got != "b2 b4 d2 d4" {
		t.Errorf("targets from the black tile: %s", got)
	}
}
