package encodetest

import (
	"fmt"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

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
		Samples:  []string{"xxx/oo./... o", "xox/oxo/oxo x", "ox./.../... x"},
		FlipText: func(text string) string { return strings.NewReplacer("x", "o", "o", "x").Replace(text) },
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
