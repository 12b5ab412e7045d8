package encodetest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
)

func TestTicTacToeObeysTheLawsOfRules(t *testing.T) {
	g := TicTacToe()
	enginetest.Suite{Game: g.Game, Starts: g.Samples, Plies: 20_000}.Run(t)
}

func TestTicTacToeObeysTheLawsOfEncoding(t *testing.T) { Run(t, TicTacToe()) }

// TestRulesAloneObeyTheLaws: a game needs no static score, and an entry of such a game no presets, models and FlipText.
func TestRulesAloneObeyTheLaws(t *testing.T) {
	g := WithoutScore(TicTacToe())
	enginetest.Run(t, g.Game, g.Samples)
	Run(t, g)
}

// An empty entry lacks everything, and all of it is listed at once.
func TestMissingListsEveryPartOfAnEmptyEntry(t *testing.T) {
	list := strings.Join(Missing(encode.Game{}), "\n") + "\n"
	enginetest.Golden(t, "testdata/missing.txt", list, "Authors of games read this list: keep it whole")
}

func TestMissingFindsDamageToACompleteEntry(t *testing.T) {
	for _, c := range []struct {
		want   string
		damage func(g *encode.Game)
	}{
		{"Actions.Flip:", func(g *encode.Game) { g.Actions.Flip = nil }},
		{"Flip, since it identifies positions", func(g *encode.Game) { g.Layouts[0].Flip = nil }},
		{`element "hand" of Identity`, func(g *encode.Game) { g.Layouts[0].Identity = []string{"cells", "hand"} }},
		{"Decode, since it identifies positions", func(g *encode.Game) { g.Layouts[0].Decode = nil }},
		{`element "own" is listed twice`, func(g *encode.Game) { g.Layouts[1].Elements[1].Name = "own" }},
		{"Board: 12 cells, layout compact has 9", func(g *encode.Game) { g.Board.Ranks = 4 }},
		{`Board.Kinds: "cross": a glyph`, func(g *encode.Game) { g.Board.Kinds[0].Glyph = "" }},
		{"Board.Codes: code 2: kind and side", func(g *encode.Game) { g.Board.Codes[2][0].Kind = 2 }},
		{"Board.Terrain: a ground for each cell", func(g *encode.Game) { g.Board.Terrain = []uint8{0} }},
		{"Repetitions: the earlier occurrences", func(g *encode.Game) { g.Repetitions = 2 }},
		{"Reasons: want them ascending", func(g *encode.Game) { g.Reasons = []engine.Reason{engine.Blocked, engine.Goal} }},
	} {
		g := TicTacToe()
		c.damage(&g)
		if list := strings.Join(Missing(g), "\n"); !strings.Contains(list, c.want) {
			t.Errorf("want %q, listed is\n%s", c.want, list)
		}
	}
}

// A fault breaks one law of tic-tac-toe.
type fault struct {
	law, name string
	damage    func(g *encode.Game)
}

var faults = []fault{
	{"decoding an encoded position restores it", "Decode ignores the side", func(g *encode.Game) {
		decode := g.Layouts[0].Decode
		g.Layouts[0].Decode = func(values []byte, _ engine.Side) (string, error) { return decode(values, engine.First) }
	}},
	{"a changed array is a position or a text error", "Decode returns a plain error", func(g *encode.Game) {
		g.Layouts[0].Decode = func([]byte, engine.Side) (string, error) { return "", engineError{} }
	}},
	{"encoding appends an exact number of bytes without allocation", "a byte too many", func(g *encode.Game) {
		encodeBoard := g.Layouts[1].Encode
		g.Layouts[1].Encode = func(dst []byte, p engine.Position) []byte { return append(encodeBoard(dst, p), 0) }
	}},
	{"encoding appends an exact number of bytes without allocation", "dst is overwritten", func(g *encode.Game) {
		encodeBoard := g.Layouts[0].Encode
		g.Layouts[0].Encode = func(dst []byte, p engine.Position) []byte { return encodeBoard(dst[:0], p) }
	}},
	{"codes of cells stand for the pieces on the board", "a code is missing", func(g *encode.Game) { g.Board.Codes = g.Board.Codes[:2] }},
	{"planes have no bits beyond the board", "a full plane fills its bytes", func(g *encode.Game) {
		encodeBoard := g.Layouts[1].Encode
		g.Layouts[1].Encode = func(dst []byte, p engine.Position) []byte {
			dst = encodeBoard(dst, p)
			dst[len(dst)-1] = 0xFF
			return dst
		}
	}},
	{"keys are equal exactly if hashes are", "the key has no cells", func(g *encode.Game) { g.Layouts[0].Identity = []string{} }},
	{"legal moves have unique numbers that lead back to them", "all moves have one number", func(g *encode.Game) {
		g.Actions.Number = func(engine.Move) uint16 { return 0 }
	}},
	{"every number is a move or an error", "numbers wrap around", func(g *encode.Game) {
		g.Actions.Move = func(p engine.Position, action uint16) (engine.Move, error) { return ticTacToeMove(p, action%9) }
	}},
	{"descriptions name the cells of a move", "an unknown cell", func(g *encode.Game) { g.Board.Grid.RankOneOnTop, g.Board.Files = false, 2 }},
	{"descriptions name the cells of a move", "an origin that is not declared", func(g *encode.Game) {
		g.Actions.Describe = func(uint16) encode.Action { return encode.Action{From: "a1", To: "a1", Kind: "place"} }
	}},
	{"captures reduce the opponent's pieces", "every move captures", func(g *encode.Game) {
		g.Actions.IsCapture = func(engine.Position, engine.Move) bool { return true }
	}},
	{"games end for the listed reasons", "a reason is missing", func(g *encode.Game) { g.Reasons = g.Reasons[:1] }},
	{"check occurs exactly if the game has check", "check never occurs", func(g *encode.Game) { g.HasCheck = true }},
	{"flipping the board twice restores it", "a flip clears the board", func(g *encode.Game) { g.Layouts[0].Flip = func(values []byte) { clear(values) } }},
	{"the flipped board is the board of the flipped position", "the board does not flip", func(g *encode.Game) { g.Layouts[0].Flip = func([]byte) {} }},
	{"flipping an action twice restores it", "a flip rotates the numbers", func(g *encode.Game) {
		g.Actions.Flip = func(action uint16) uint16 { return (action + 1) % 9 }
	}},
	{"flipped moves are the moves of the flipped position", "a flip reverses the numbers", func(g *encode.Game) {
		g.Actions.Flip = func(action uint16) uint16 { return 8 - action }
	}},
	{"flipped positions are worth the same to the other side", "crosses win where noughts do", func(g *encode.Game) {
		g.New = func(string) engine.Position { return &crossesWin{newTicTacToe()} }
	}},
	{"flipped positions are worth the same to the other side", "scores are those of crosses", func(g *encode.Game) {
		g.New = func(string) engine.Position { return &scoresOfCrosses{newTicTacToe()} }
	}},
	{"changed boards are other positions", "the hash has no last cell", func(g *encode.Game) {
		g.New = func(string) engine.Position { return &shortHash{newTicTacToe()} }
	}},
	{"changed boards are other positions", "planes lack noughts", func(g *encode.Game) {
		g.Layouts[1].Encode = func(dst []byte, _ engine.Position) []byte { return append(dst, make([]byte, 6)...) }
	}},
	{"moves arrive where their descriptions say", "crosses are drawn as noughts", func(g *encode.Game) {
		g.Board.Codes = [][]encode.Piece{nil, {{Kind: 1, Side: 1}}, {{Kind: 0, Side: 0}}}
	}},
	{"games end for the listed reasons", "a game goes on for ever", func(g *encode.Game) {
		g.New = func(string) engine.Position { return &endless{newTicTacToe()} }
	}},
	{"planes show the pieces of their side", "own and their are exchanged", func(g *encode.Game) {
		inner := g.Layouts[1].Encode
		g.Layouts[1].Encode = func(dst []byte, p engine.Position) []byte {
			dst = inner(dst, p)
			b := dst[len(dst)-6:]
			b[0], b[1], b[2], b[3] = b[2], b[3], b[0], b[1]
			return dst
		}
	}},
	{"planes of the flipped position differ only in who began", "planes are absolute", func(g *encode.Game) {
		encodeBoard := g.Layouts[1].Encode
		g.Layouts[1].Encode = func(dst []byte, p engine.Position) []byte {
			dst = encodeBoard(dst, p)
			if own := dst[len(dst)-6:]; p.Turn() == engine.Second {
				own[0], own[1], own[2], own[3] = own[2], own[3], own[0], own[1]
			}
			return dst
		}
	}},
	{"rows from the view of the mover are rows of the flipped position", "a flip reverses the numbers", func(g *encode.Game) {
		g.Layouts[0].Flip = func([]byte) {}
	}},
	{"repetitions are the earlier positions with the same key", "the key has no cells", func(g *encode.Game) { g.Layouts[0].Identity = []string{} }},
	{"repetitions are the earlier positions with the same key", "a repetition rule that no game ends by", func(g *encode.Game) { g.Repetitions = 2 }},
}

type crossesWin struct{ *ticTacToe }

func (b *crossesWin) Outcome() engine.Outcome {
	o := b.ticTacToe.Outcome()
	if o.Result == engine.SecondWins {
		o.Result = engine.FirstWins
	}
	return o
}

type scoresOfCrosses struct{ *ticTacToe }

func (b *scoresOfCrosses) Evaluate() int {
	if b.turn == engine.Second {
		return -b.ticTacToe.Evaluate()
	}
	return b.ticTacToe.Evaluate()
}

type shortHash struct{ *ticTacToe }

func (b *shortHash) Hash() uint64 {
	last := b.cells[8]
	b.cells[8] = 0
	defer func() { b.cells[8] = last }()
	return b.ticTacToe.Hash()
}

// endless passes where tic-tac-toe ends.
type endless struct{ *ticTacToe }

func (b *endless) Outcome() engine.Outcome { return engine.Ongoing }

func (b *endless) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if m, ok := b.ticTacToe.DoRandom(src); ok {
		return m, true
	}
	return 0, true
}

// unwrapping lets layouts and actions see through broken positions.
func unwrapping(g encode.Game) encode.Game {
	for i := range g.Layouts {
		inner := g.Layouts[i].Encode
		g.Layouts[i].Encode = func(dst []byte, p engine.Position) []byte { return inner(dst, board(p)) }
	}
	g.Actions.Move = func(p engine.Position, action uint16) (engine.Move, error) { return ticTacToeMove(board(p), action) }
	return g
}

// board returns the tic-tac-toe of a position, broken or not.
func board(p engine.Position) *ticTacToe {
	switch p := p.(type) {
	case *crossesWin:
		return p.ticTacToe
	case *scoresOfCrosses:
		return p.ticTacToe
	case *shortHash:
		return p.ticTacToe
	case *endless:
		return p.ticTacToe
	}
	return p.(*ticTacToe)
}

// engineError is an error without a kind.
type engineError struct{}

func (engineError) Error() string { return "no kind" }

func TestEveryFaultIsDetected(t *testing.T) {
	for _, f := range faults {
		t.Run(f.law+"/"+f.name, func(t *testing.T) {
			g := unwrapping(TicTacToe())
			f.damage(&g)
			i := slices.IndexFunc(laws, func(l law) bool { return l.name == f.law })
			if i < 0 {
				t.Fatal("no such law")
			}
			if err := laws[i].run(&trial{game: g}); err == nil {
				t.Error("the law does not detect the fault")
			} else {
				t.Log(err)
			}
		})
	}
}

func TestEveryLawHasAFault(t *testing.T) {
	for _, law := range laws {
		if !slices.ContainsFunc(faults, func(f fault) bool { return f.law == law.name }) {
			t.Errorf("no fault shows that %q can fail", law.name)
		}
	}
}

// TestTicTacToeIsFair plays random games: crosses begin and win more often.
func TestTicTacToeIsFair(t *testing.T) {
	p, src, wins := newTicTacToe(), rand.NewPCG(1, 1), [4]int{}
	for range 2000 {
		p.Reset()
		for ok := true; ok; _, ok = p.DoRandom(src) {
		}
		wins[p.Outcome().Result]++
	}
	// 58.5 %, 28.8 % and 12.7 %, by enumeration of all games.
	if wins[engine.FirstWins] < 1090 || wins[engine.FirstWins] > 1250 || wins[engine.Draw] < 200 || wins[engine.Draw] > 310 {
		t.Errorf("results %v", wins)
	}
}
