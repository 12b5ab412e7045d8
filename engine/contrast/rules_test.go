package contrast_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

// Boards are drawn as printed, rank 5 first: x and o pieces, b and g bare tiles of
// either kind, X and O pieces on a black tile, % and @ on a gray one.
const drawn = ".bgxX%oO@"

// draw returns the text of a drawing, four hands and the side to move.
func draw(rows, rest string) string {
	var b strings.Builder
	for _, c := range strings.Join(strings.Fields(rows), "") {
		b.WriteByte(byte('0' + strings.IndexRune(drawn, c)))
		b.WriteByte(',')
	}
	return b.String() + rest
}

// targets returns where the piece on a cell may go.
func targets(p *contrast.Position, from string) []string {
	var list []string
	for _, move := range moves(p) {
		if to, ok := strings.CutPrefix(move, from+","); ok && strings.HasSuffix(to, " -1") {
			list = append(list, to[:2])
		}
	}
	return list
}

func TestMovement(t *testing.T) {
	for _, c := range []struct{ rule, board, from, want string }{
		{"a bare cell has four arrows", "..... ..... ..x.. ..... .....", "c3", "b3 c2 c4 d3"},
		{"a black tile has the diagonal ones only", "..... ..... ..X.. ..... .....", "c3", "b2 b4 d2 d4"},
		{"a gray tile has all eight", "..... ..... ..%.. ..... .....", "c3", "b2 b3 b4 c2 c4 d2 d3 d4"},
		{"the tile at the destination does not matter", "..... ..b.. .gxb. ..g.. .....", "c3", "b3 c2 c4 d3"},
		{"a step ends at the edge", "x.... ..... ..... ..... .....", "a5", "a4 b5"},
		{"over one own piece", "..... ..... .xx.. ..... .....", "b3", "a3 b2 b4 d3"},
		{"over two own pieces", "..... ..... .xxx. ..... .....", "b3", "a3 b2 b4 e3"},
		{"over three own pieces", "..... ..... xxxx. ..... .....", "a3", "a2 a4 e3"},
		{"over a whole file", "x.... x.... x.... x.... .....", "a5", "a1 b5"},
		{"over a whole diagonal", "%.... .X... ..X.. ...X. .....", "a5", "a4 b5 e1"},
		{"over own pieces to the edge", "..... ..... ..xxx ..... .....", "c3", "b3 c2 c4"},
		{"the tiles jumped over do not matter", "..... ..... .xX%. ..... .....", "b3", "a3 b2 b4 e3"},
		{"not past the first empty cell", "..... ..... x.x.. ..... .....", "a3", "a2 a4 b3"},
		{"not over an opponent", "..... ..... .xo.. ..... .....", "b3", "a3 b2 b4"},
		{"not over own pieces and an opponent", "..... ..... .xxo. ..... .....", "b3", "a3 b2 b4"},
		{"backward and sideways", "..... ..... ..... ..x.. ..o..", "c2", "b2 c3 d2"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for _, dialect := range dialects {
				p := set(t, in(dialect), draw(c.board, "3,1,3,1 x"))
				if got := strings.Join(targets(p, c.from), " "); got != c.want {
					t.Errorf("%s: %s, want %s", dialect, got, c.want)
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
		{"none", "3,1,0,0", "c3,c4 -1", true, true},
		{"a black one", "3,1,0,0", "c3,c4 a1b", true, true},
		{"a gray one", "3,1,0,0", "c3,c4 a1g", true, true},
		{"the last black one", "1,0,0,0", "c3,c4 a1b", true, true},
		{"no black one left", "0,1,3,1", "c3,c4 a1b", false, false},
		{"no gray one left", "3,0,3,1", "c3,c4 a1g", false, false},
		{"on the goal row", "3,1,0,0", "c3,c4 e1b", true, true},
		{"on the home row", "3,1,0,0", "c3,c4 e5b", true, true},
		{"on the vacated cell", "3,1,0,0", "c3,c4 c3b", true, false},
		{"on the destination", "3,1,0,0", "c3,c4 c4b", false, true},
		{"on a tile", "3,1,0,0", "c3,c4 a2b", false, false},
		{"on a tile of the other kind", "3,1,0,0", "c3,c4 e2b", false, false},
		{"on an opponent", "3,1,0,0", "c3,c4 b1b", false, false},
		{"two at once", "3,1,0,0", "c3,c4 a1b a3b", false, false},
		{"without a move", "3,1,0,0", "c3,c3 a1b", false, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for _, dialect := range dialects {
				p := set(t, in(dialect), draw(board, c.hands+" x"))
				want := dialect == "after" && c.after || dialect == "before" && c.before
				if got := slices.Contains(moves(p), c.move); got != want {
					t.Errorf("%s: %s listed: %t", dialect, c.move, got)
				}
				if _, err := p.ParseMove(c.move); (err == nil) != want {
					t.Errorf("%s: %s read: %v", dialect, c.move, err)
				}
			}
		})
	}
}

func TestEffects(t *testing.T) {
	for _, c := range []struct{ rule, dialect, board, hands, move, wantBoard, wantHands string }{
		{"a black tile is spent", "after", "..... ..... ..x.. ..... .....", "3,1,2,1", "c3,c4 a1b",
			"..... ..x.. ..... ..... b....", "2,1,2,1"},
		{"a gray tile is spent", "before", "..... ..... ..x.. ..... .....", "3,1,2,1", "c3,c4 a1g",
			"..... ..x.. ..... ..... g....", "3,0,2,1"},
		{"the vacated cell is paved", "after", "..... ..... ..x.. ..... .....", "3,1,2,1", "c3,c4 c3g",
			"..... ..x.. ..g.. ..... .....", "3,0,2,1"},
		{"a tile on the destination is neither laid nor spent", "before", "..... ..... ..x.. ..... .....", "3,1,2,1", "c3,c4 c4g",
			"..... ..x.. ..... ..... .....", "3,1,2,1"},
		{"a piece leaves its tile and steps on another", "after", "..... ...b. ..%.. ..... .....", "0,0,0,0", "c3,d4 -1",
			"..... ...X. ..g.. ..... .....", "0,0,0,0"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := play(t, set(t, in(c.dialect), draw(c.board, c.hands+" x")), c.move)
			if got, want := p.String(), draw(c.wantBoard, c.wantHands+" o"); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// A tile laid now has no say in the move it is laid with, only in later ones.
func TestTileActsFromTheNextMoveOn(t *testing.T) {
	p := at(t, draw("..... ..... ..x.. ..... .o...", "3,1,3,1 x"))
	if len(moves(p)) < 100 {
		t.Error("hardly any move to look at")
	}
	for _, move := range moves(p) {
		if from, to := move[:2], move[3:5]; from[0] != to[0] && from[1] != to[1] {
			t.Errorf("%s goes diagonally from a bare cell", move)
		}
	}
	play(t, p, "c3,c4 c3b", "b1,b2 -1", "c4,c3 -1", "b2,b3 -1")
	if got := strings.Join(targets(p, "c3"), " "); got != "b2 b4 d2 d4" {
		t.Errorf("from the black tile: %s", got)
	}
}

func TestEnds(t *testing.T) {
	blackWins := engine.Outcome{Result: engine.FirstWins, Reason: engine.Goal}
	whiteWins := engine.Outcome{Result: engine.SecondWins, Reason: engine.Goal}
	blackStuck := engine.Outcome{Result: engine.SecondWins, Reason: engine.Blocked}
	whiteStuck := engine.Outcome{Result: engine.FirstWins, Reason: engine.Blocked}
	for _, c := range []struct {
		rule, board, rest string
		want              engine.Outcome
	}{
		{"Black on rank 1", "..... ..... o.... ..... ..x..", "3,1,3,1 o", blackWins},
		{"White on rank 5", "..o.. ..... x.... ..... .....", "3,1,3,1 x", whiteWins},
		{"on the home row", "..x.. ..... ..... ..... ..o..", "3,1,3,1 x", engine.Ongoing},
		{"both: Black is looked at first", "..o.. ..... ..... ..... ..x..", "3,1,3,1 o", blackWins},
		{"both, Black to move", "..o.. ..... ..... ..... ..x..", "3,1,3,1 x", blackWins},
		{"Black blocked, with tiles in hand", "..... o.... xo... o.... .....", "3,1,0,0 x", blackStuck},
		{"Black would be blocked, but White is to move", "..... o.... xo... o.... .....", "3,1,0,0 o", engine.Ongoing},
		{"Black not blocked: it jumps", "..... o.... xx... o.... .....", "3,1,0,0 x", engine.Ongoing},
		{"White blocked on a black tile", "..... .x... O.... .x... .....", "0,0,3,1 o", whiteStuck},
		{"White without a piece", "..... ..... ..x.. ..... .....", "3,1,3,1 o", whiteStuck},
		{"Black's goal before Black blocked", "..... ..... ..... o.... xo...", "3,1,3,1 x", blackWins},
		{"White's goal before Black blocked", "xo... o.... ..... ..... .....", "3,1,3,1 x", whiteWins},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := at(t, draw(c.board, c.rest))
			if got := p.Outcome(); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if over := c.want != engine.Ongoing; over != (len(p.Moves(nil)) == 0) || over != (p.Count() == 0) {
				t.Errorf("%d moves, counted %d", len(p.Moves(nil)), p.Count())
			}
		})
	}
}

var toAndFro = []string{"a5,a4 -1", "a1,a2 -1", "a4,a5 -1", "a2,a1 -1"}

// The start counts as the first time its cells stand.
func TestFourthRepetition(t *testing.T) {
	drawnGame := engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	for _, start := range []string{contrast.StartText, draw("xx... ..... ..... ..... oo...", "0,0,0,0 x")} {
		p := at(t, start)
		for ply := range 12 {
			if got := p.Outcome(); got != engine.Ongoing {
				t.Fatalf("ply %d: %v", ply, got)
			}
			play(t, p, toAndFro[ply%4])
		}
		if got := p.Outcome(); got != drawnGame {
			t.Errorf("the fourth time: %v", got)
		}
		if len(p.Moves(nil)) == 0 {
			t.Error("a repetition empties the list")
		}
		p.Undo()
		if got := p.Outcome(); got != engine.Ongoing {
			t.Errorf("taken back: %v", got)
		}
		set(t, p, p.String())
		play(t, p, toAndFro[3])
		if got := p.Outcome(); got != engine.Ongoing {
			t.Errorf("with the history forgotten: %v", got)
		}
	}
}

// The side to move is part of what repeats. Pieces that can walk a triangle bring
// the same cells back after seven plies, with the other side to move.
func TestRepetitionKnowsTheSide(t *testing.T) {
	start := draw("..g.. ..g%. ..... .@g.. ..g..", "0,0,0,0 x")
	p := at(t, start)
	cells := p.Array()
	sevens := [2][]string{
		{"d4,c4 -1", "b2,c2 -1", "c4,d4 -1", "c2,c1 -1", "d4,c4 -1", "c1,b2 -1", "c4,d4 -1"},
		{"b2,c2 -1", "d4,c4 -1", "c2,b2 -1", "c4,c5 -1", "b2,c2 -1", "c5,d4 -1", "c2,b2 -1"},
	}
	for time := 2; time <= 7; time++ {
		if got := p.Outcome(); got != engine.Ongoing {
			t.Fatalf("before time %d: %v", time, got)
		}
		play(t, p, sevens[time%2]...)
		if p.Array() != cells || p.Turn() != engine.Side(1-time%2) {
			t.Fatalf("time %d: %s", time, p)
		}
	}
	if got := p.Outcome().Reason; got != engine.Repetition {
		t.Errorf("the fourth time with Black to move: %q", got)
	}
}

// After a tile nothing before it can recur; a tile that the dialect before wastes
// is none.
func TestTileCutsHistory(t *testing.T) {
	p := contrast.New()
	for range 2 {
		play(t, p, toAndFro...)
	}
	play(t, p, "a5,a4 e3b", toAndFro[1], toAndFro[2], toAndFro[3]) // first time
	for time := 2; time <= 4; time++ {
		if got := p.Outcome(); got != engine.Ongoing {
			t.Fatalf("before time %d: %v", time, got)
		}
		play(t, p, toAndFro...)
	}
	if got := p.Outcome().Reason; got != engine.Repetition {
		t.Errorf("the fourth time since the tile: %q", got)
	}
	for range 8 {
		p.Undo()
	}
	if got := p.Outcome(); got != engine.Ongoing {
		t.Errorf("taken back: %v", got)
	}

	p = in("before")
	for range 3 {
		play(t, p, "a5,a4 a4g", toAndFro[1], toAndFro[2], toAndFro[3])
	}
	if got := p.Outcome().Reason; got != engine.Repetition {
		t.Errorf("wasted tiles cut the history: %q", got)
	}
}

func TestReachable(t *testing.T) {
	for _, c := range []struct{ board, rest, want string }{
		{"xxxxx ..... ..... ..... ooooo", "3,1,3,1 x", ""},
		{"xxxxx ..... ..... ..... ooooo", "3,1,3,1 o", ""},
		{"xxxx. ..... ..... o.... .ooox", "3,1,3,1 o", "4 white pieces, want 5"},
		{"xxx.. ..... ..... ..... ooooo", "3,1,3,1 x", "3 black pieces, want 5"},
		{"xxxxx x.... ..... ..... ooooo", "3,1,3,1 x", "6 black pieces, want 5"},
		{"xxxxx b.... ..... ..... ooooo", "3,1,3,1 x", "7 black tiles on the board and in hand, want 6"},
		{"xxxxx ..... ..... ..... ooooo", "2,1,3,1 x", "5 black tiles on the board and in hand, want 6"},
		{"xxxxx g.... ..... ..... ooooo", "3,1,3,1 x", "3 gray tiles on the board and in hand, want 2"},
		{"xxxx. ..... ..... o.... oooox", "3,1,3,1 o", ""},
		{"xxxx. ..... ..... o.... oooox", "3,1,3,1 x", "black has reached the goal and is to move"},
		{"xxxxo x.... ..... ..... oooo.", "3,1,3,1 x", ""},
		{"xxxxo x.... ..... ..... oooo.", "3,1,3,1 o", "white has reached the goal and is to move"},
		{"xxxxo ..... ..... ..... oooox", "3,1,3,1 x", "2 pieces on their goal rows, want 1 at most"},
		{"xxx.. ..... ..... oo... oooxx", "3,1,3,1 o", "2 pieces on their goal rows, want 1 at most"},
	} {
		got, want := "", ""
		if err := at(t, draw(c.board, c.rest)).Reachable(); err != nil {
			got = err.Error()
		}
		if c.want != "" {
			want = "reach position: " + c.want
		}
		if got != want {
			t.Errorf("%s %s: %q, want %q", c.board, c.rest, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		what, old, new string
		want           engine.TextError
	}{
		{"no side", " x", "", engine.TextError{Kind: "CONTRAST_INVALID_FORMAT", Category: "structure"}},
		{"another side", " x", " b", engine.TextError{Kind: "CONTRAST_INVALID_SIDE", Category: "structure"}},
		{"two blanks", " x", "  x", engine.TextError{Kind: "CONTRAST_INVALID_SIDE", Category: "structure"}},
		{"a blank at the end", " x", " x ", engine.TextError{Kind: "CONTRAST_INVALID_SIDE", Category: "structure"}},
		{"version 1", ",3,1,3,1", "", engine.TextError{Kind: "CONTRAST_INVALID_ELEMENT_COUNT", Category: "structure"}},
		{"one too many", ",3,1,3,1", ",3,1,3,1,0", engine.TextError{Kind: "CONTRAST_INVALID_ELEMENT_COUNT", Category: "structure"}},
		{"an empty element", "3,3,3,3,3,0", "3,3,3,3,3,", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 4, Column: 1}},
		{"a leading zero", "3,3,3,3,3,0", "3,3,03,3,3,0", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 5, Column: 3}},
		{"a plus sign", "3,3,3,3,3,0", "+3,3,3,3,3,0", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 5, Column: 1}},
		{"a minus sign", "3,3,3,3,3,0", "-1,3,3,3,3,0", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 5, Column: 1}},
		{"a letter", "0,6,6,6,6,6", "0,6,6,6,6,x", engine.TextError{Kind: "CONTRAST_INVALID_NUMBER", Category: "lexical", Rank: 1, Column: 5}},
		{"no such cell", "0,6,6,6,6,6", "0,6,6,6,9,6", engine.TextError{Kind: "CONTRAST_INVALID_CELL", Category: "board", Rank: 1, Column: 4}},
		{"a cell of two digits", "0,6,6,6,6,6", "0,6,6,6,10,6", engine.TextError{Kind: "CONTRAST_INVALID_CELL", Category: "board", Rank: 1, Column: 4}},
		{"four black tiles", "3,1,3,1", "4,1,3,1", engine.TextError{Kind: "CONTRAST_INVALID_HAND", Category: "hands"}},
		{"two gray tiles", "3,1,3,1", "3,2,3,1", engine.TextError{Kind: "CONTRAST_INVALID_HAND", Category: "hands"}},
		{"White's four black tiles", "3,1,3,1", "3,1,4,1", engine.TextError{Kind: "CONTRAST_INVALID_HAND", Category: "hands"}},
		{"White's two gray tiles", "3,1,3,1", "3,1,3,2", engine.TextError{Kind: "CONTRAST_INVALID_HAND", Category: "hands"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			text := strings.Replace(contrast.StartText, c.old, c.new, 1)
			var got *engine.TextError
			if err := contrast.New().Set(text); !errors.As(err, &got) {
				t.Fatalf("%q: %v", text, err)
			}
			told := *got
			told.Msg = ""
			if told != c.want || got.Msg == "" {
				t.Errorf("%q: %+v, want %+v", text, got, c.want)
			}
		})
	}
}

// What Pack refuses besides what TestTiles and the laws show: numbers beyond the
// board, and any move of a game that is over.
func TestPackRefuses(t *testing.T) {
	p := contrast.New()
	for tile := uint8(51); tile > 0; tile++ {
		if m, err := p.Pack(contrast.Step{From: 0, To: 5, Tile: tile}); err == nil {
			t.Errorf("tile %d is packed as %#x", tile, m)
		}
	}
	for _, s := range []contrast.Step{
		{From: 25, To: 5}, {From: 0, To: 25}, {From: 32, To: 5}, {From: 0, To: 37}, {From: 255, To: 255},
		{From: 0, To: 0}, {From: 20, To: 15}, {From: 0, To: 1}, {From: 0, To: 6}, {From: 0, To: 10}, {From: 5, To: 10},
	} {
		if m, err := p.Pack(s); err == nil {
			t.Errorf("%+v is packed as %#x", s, m)
		}
	}
	won := at(t, draw("..... x.... o.... ..... ..x..", "3,1,3,1 o"))
	if m, err := won.Pack(contrast.Step{From: 10, To: 11}); err == nil {
		t.Errorf("a move after the goal is packed as %#x", m)
	}
}

// TestPackIsComplete: of all 31,875 numbers just the legal moves pack, and each
// unpacks to itself.
func TestPackIsComplete(t *testing.T) {
	for i, s := range states(t) {
		if i%100 != 0 {
			continue
		}
		for _, dialect := range dialects {
			p, packed := set(t, in(dialect), s.text()), map[engine.Move]bool{}
			for n := range 25 * 25 * 51 {
				step := contrast.Step{From: uint8(n / 51 / 25), To: uint8(n / 51 % 25), Tile: uint8(n % 51)}
				if m, err := p.Pack(step); err == nil {
					packed[m] = contrast.Unpack(m) == step
				}
			}
			for _, m := range p.Moves(nil) {
				if !packed[m] {
					t.Errorf("%s %s: %s does not come back", dialect, p, p.FormatMove(m))
				}
			}
			if got, want := len(packed), p.Count(); got != want {
				t.Errorf("%s %s: %d steps pack, %d moves are legal", dialect, p, got, want)
			}
		}
	}
}
