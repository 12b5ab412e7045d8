package encodetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// ticTacToe is a position of tic-tac-toe. Its text is the three rows and the side to move:
// "x.o/.x./... o". Moves are cells, numbered row by row from the top left. Either side may
// have begun, so that positions can be flipped.
type ticTacToe struct {
	engine.Defaults // no check, no piece that is ever lost, cells of one worth

	cells  [9]uint8 // 0 empty, 1 a cross, 2 a nought
	turn   engine.Side
	played []engine.Move
}

func newTicTacToe() *ticTacToe { return &ticTacToe{played: make([]engine.Move, 0, 9)} }

const ticTacToeSymbols = ".xo"

func (p *ticTacToe) Reset() { p.cells, p.turn, p.played = [9]uint8{}, engine.First, p.played[:0] }

func (p *ticTacToe) Set(text string) error {
	var read ticTacToe
	board, side, _ := strings.Cut(text, " ")
	for i, symbol := range []byte(strings.ReplaceAll(board, "/", "")) {
		if code := strings.IndexByte(ticTacToeSymbols, symbol); code >= 0 && i < len(read.cells) {
			read.cells[i] = uint8(code)
		}
	}
	if side == "o" {
		read.turn = engine.Second
	}
	if read.String() != text {
		return ticTacToeError("TEXT_INVALID", "want three rows of x, o and dots, and the side to move")
	}
	if ahead := read.count(1) - read.count(2); ahead < -1 || ahead > 1 || ahead == 1 && side == "x" || ahead == -1 && side == "o" {
		return ticTacToeError("TEXT_COUNT", "want the sides to have placed in turn")
	}
	p.cells, p.turn, p.played = read.cells, read.turn, p.played[:0]
	return nil
}

func ticTacToeError(kind, message string) error {
	return &engine.TextError{Kind: kind, Category: "structure", Msg: message}
}

func (p *ticTacToe) count(code uint8) (n int) {
	for _, c := range p.cells {
		if c == code {
			n++
		}
	}
	return n
}

func (p *ticTacToe) String() string {
	text := make([]byte, 0, 13)
	for i, code := range p.cells {
		if i == 3 || i == 6 {
			text = append(text, '/')
		}
		text = append(text, ticTacToeSymbols[code])
	}
	return string(append(text, ' ', ticTacToeSymbols[1+p.turn]))
}

func (p *ticTacToe) Turn() engine.Side { return p.turn }

func (p *ticTacToe) Moves(dst []engine.Move) []engine.Move {
	for cell, code := range p.cells {
		if code == 0 {
			dst = append(dst, engine.Move(cell))
		}
	}
	return dst
}

func (p *ticTacToe) Do(m engine.Move) {
	p.cells[m] = 1 + uint8(p.turn)
	p.turn = p.turn.Other()
	p.played = append(p.played, m)
}

func (p *ticTacToe) Undo() {
	last := len(p.played) - 1
	p.cells[p.played[last]] = 0
	p.turn = p.turn.Other()
	p.played = p.played[:last]
}

func (p *ticTacToe) DoRandom(src *rand.PCG) (engine.Move, bool) {
	if p.Outcome() != engine.Ongoing {
		return 0, false
	}
	skip := engine.Below(src, uint32(p.count(0)))
	for cell, code := range p.cells {
		if code != 0 {
			continue
		}
		if skip == 0 {
			p.Do(engine.Move(cell))
			return engine.Move(cell), true
		}
		skip--
	}
	panic("no empty cell")
}

var ticTacToeLines = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

func (p *ticTacToe) Outcome() engine.Outcome {
	for _, line := range ticTacToeLines {
		if code := p.cells[line[0]]; code != 0 && code == p.cells[line[1]] && code == p.cells[line[2]] {
			return engine.Outcome{Result: engine.Win(engine.Side(code - 1)), Reason: engine.Goal}
		}
	}
	if p.count(0) == 0 {
		return engine.Outcome{Result: engine.Draw, Reason: engine.Blocked}
	}
	return engine.Ongoing
}

func (p *ticTacToe) Hash() (hash uint64) {
	for cell, code := range p.cells {
		hash ^= engine.Mix(uint64(cell)<<8 | uint64(code))
	}
	return hash ^ engine.Mix(1<<16|uint64(p.turn))
}

func (p *ticTacToe) FormatMove(m engine.Move) string { return ticTacToeGrid.Name(int(m)) }

func (p *ticTacToe) ParseMove(text string) (engine.Move, error) {
	cell, ok := ticTacToeGrid.Cell(text)
	if !ok || p.cells[cell] != 0 {
		return 0, fmt.Errorf("parse move %q: want an empty cell", text)
	}
	return engine.Move(cell), nil
}

// For searching players: a line that only one side has placed in counts 10.

func (p *ticTacToe) Evaluate() (score int) {
	for _, line := range ticTacToeLines {
		var owners [3]int
		for _, cell := range line {
			owners[p.cells[cell]]++
		}
		switch own, their := owners[1+p.turn], owners[2-p.turn]; {
		case their == 0 && own > 0:
			score += 10
		case own == 0 && their > 0:
			score -= 10
		}
	}
	return score
}

func (p *ticTacToe) Over() bool { return p.Outcome() != engine.Ongoing }

func (p *ticTacToe) Captures(dst []engine.Move) []engine.Move {
	for cell := range p.cells {
		if m := engine.Move(cell); p.Legal(m) && p.Gain(m) > 0 {
			dst = append(dst, m)
		}
	}
	return dst
}

func (p *ticTacToe) Legal(m engine.Move) bool { return p.cells[m] == 0 }

// Gain is positive if the move completes a line.
func (p *ticTacToe) Gain(m engine.Move) int {
	before := p.Outcome()
	p.cells[m] = 1 + uint8(p.turn)
	after := p.Outcome()
	p.cells[m] = 0
	if before == engine.Ongoing && after.Result == engine.Win(p.turn) {
		return 1000
	}
	return 0
}

var ticTacToeGrid = encode.Grid{Files: 3, Ranks: 3, RankOneOnTop: true}

// TicTacToe returns the catalog entry of tic-tac-toe, a small complete game for tests. Its
// moves have no origin, and rank 1 is the top row.
func TicTacToe() encode.Game {
	const flags = "--player ab:depth=2 --opening-plies 1-2"
	return encode.Game{
		Game: engine.Game{
			Name: "tictactoe", Title: "Tic-tac-toe", Rules: 1, Sides: [2]string{"cross", "nought"}, MaxPlies: 9, MostMoves: 9,
			New: func(string) engine.Position { return newTicTacToe() },
		},
		Layouts: []encode.Layout{ticTacToeCompact(), ticTacToePlanes()},
		Actions: encode.Actions{
			Version: 1, Count: 9,
			Number: func(m engine.Move) uint16 { return uint16(m) },
			Move:   ticTacToeMove,
			Describe: func(action uint16) encode.Action {
				return encode.Action{To: ticTacToeGrid.Name(int(action)), Kind: "place"}
			},
			Flip: func(action uint16) uint16 { return action },
		},
		Reasons: []engine.Reason{engine.Goal, engine.Blocked},
		Models: []encode.Model{
			{Games: encode.SearchedGames{Depth: 3}, Version: 1, A: 20, B: 40},
			{Games: encode.SearchedGames{Depth: 2}, Version: 1, A: 20, B: 40},
		},
		Board: encode.Board{
			Grid:    ticTacToeGrid,
			Grounds: []encode.Ground{{Fill: "#fff", Dark: "#444"}},
			Kinds: []encode.PieceKind{
				{Name: "cross", Letter: "X", Figure: encode.Glyph, Glyph: "✕"},
				{Name: "nought", Letter: "O", Figure: encode.Glyph, Glyph: "○"},
			},
			Codes: [][]encode.Piece{nil, {{Kind: 0, Side: 0}}, {{Kind: 1, Side: 1}}},
			Sides: [2]encode.Paint{{Fill: "#a00", Stroke: "#500", Width: 0.3}, {Fill: "#00a", Stroke: "#005", Width: 0.3}},
		},
		Presets: []encode.Preset{
			{Name: "bulk", Doc: "a preset for tests", Flags: flags},
			{Name: "balanced", Doc: "a preset for tests", Flags: flags},
			{Name: "strong", Doc: "a preset for tests", Flags: flags},
		},
		Samples: []string{"xxx/oo./... o", "xox/oxo/oxo x", "ox./.../... x"},
	}
}

func ticTacToeMove(pos engine.Position, action uint16) (engine.Move, error) {
	if action > 8 || pos.(*ticTacToe).cells[action] != 0 {
		return 0, fmt.Errorf("action %d: want the number of an empty cell", action)
	}
	return engine.Move(action), nil
}

func ticTacToeCompact() encode.Layout {
	return encode.Layout{
		Name: "compact", Version: 1, Kind: encode.Uint8,
		Elements: []encode.Element{{Name: "cells", Count: 9, Doc: "row by row from a1 to c3: 0 empty, 1 a cross, 2 a nought"}},
		Encode:   func(dst []byte, p engine.Position) []byte { return append(dst, p.(*ticTacToe).cells[:]...) },
		Decode:   decodeTicTacToe,
		Flip: func(values []byte) {
			for i, code := range values {
				values[i] = [3]byte{0, 2, 1}[code]
			}
		},
		Identity: []string{"cells"},
	}
}

func decodeTicTacToe(values []byte, turn engine.Side) (string, error) {
	p := newTicTacToe()
	for i, code := range values {
		if code > 2 {
			return "", ticTacToeError("ARRAY_RANGE", fmt.Sprintf("element %d is %d, want 0 to 2", i, code))
		}
		p.cells[i] = code
	}
	p.turn = turn
	text := p.String()
	return text, p.Set(text)
}

// ticTacToePlanes has one plane for each side's pieces and one for who began.
func ticTacToePlanes() encode.Layout {
	const size = 2 // bytes of a plane
	return encode.Layout{
		Name: encode.PlanesName, Version: 1, Kind: encode.Uint8,
		Elements: []encode.Element{
			{Name: "own", Count: size, Doc: "pieces of the side to move"},
			{Name: "their", Count: size, Doc: "pieces of the opponent"},
			{Name: encode.FirstPlane, Count: size, Doc: "all cells if side 0 is to move"},
		},
		Encode: func(dst []byte, pos engine.Position) []byte {
			var planes [3 * size]byte
			p := pos.(*ticTacToe)
			for cell, code := range p.cells {
				if code != 0 {
					planes[size*(int(code-1)^int(p.turn))+cell>>3] |= 1 << (cell & 7)
				}
			}
			if p.turn == engine.First {
				planes[2*size], planes[2*size+1] = 0xFF, 1
			}
			return append(dst, planes[:]...)
		},
		Metadata: []encode.KeyValue{{Key: encode.PlaneShape, Value: "[3,3,3]"}, {Key: "plane_bits", Value: "little"}},
	}
}

// WithoutScore returns a game as if its rules had no static score, and no samplers. Nothing else of a position is hidden from its entry.
func WithoutScore(g encode.Game) encode.Game {
	original, number, isCapture := g.New, g.Actions.Move, g.Actions.IsCapture
	g.New = func(variant string) engine.Position { return &rulesAlone{original(variant)} }
	g.Models, g.Presets, g.FlipText, g.Samplers = nil, nil, nil, nil
	g.Actions.Move = func(p engine.Position, action uint16) (engine.Move, error) {
		return number(p.(*rulesAlone).Position, action)
	}
	if isCapture != nil {
		g.Actions.IsCapture = func(p engine.Position, m engine.Move) bool { return isCapture(p.(*rulesAlone).Position, m) }
	}
	g.Layouts = slices.Clone(g.Layouts)
	for i := range g.Layouts {
		encodeBoard := g.Layouts[i].Encode
		g.Layouts[i].Encode = func(dst []byte, p engine.Position) []byte { return encodeBoard(dst, p.(*rulesAlone).Position) }
	}
	return g
}

// rulesAlone is a position without a static score.
type rulesAlone struct{ engine.Position }
