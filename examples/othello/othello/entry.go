package othello

import (
	"fmt"

	"selfplay/encode"
	"selfplay/engine"
)

// Entry returns the catalog entry of Othello: all that commands, datasets, reports and pages need
// to know.
func Entry() encode.Game {
	compact := compactLayout()
	return encode.Game{
		Game:       Game(),
		Layouts:    []encode.Layout{compact, planes().Layout(compact)},
		Actions:    actions(),
		Reasons:    []engine.Reason{mostDiscs},
		OwnReasons: []encode.NamedReason{{Reason: mostDiscs, Name: "most_discs"}},
		Models:     models(),
		Board:      board(),
		Presets: encode.Presets(
			"--player ab:nodes=100,hash=1,hard=2000 --opening-plies 4-10 --explore-moves 3 --explore-plies 0-30",
			"--player ab:nodes=500,hash=1,hard=10000,multi=4 --opening-plies 4-10 --opening-max-score 300",
			"--player ab:nodes=5000,hash=1,hard=100000 --opening-plies 4-10 --opening-max-score 300",
		),
		Samples: []string{
			// Black must pass; white must pass; the board is full; a side without discs.
			"oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/ooooooo./oooooox. x",
			"xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxx./xxxxxxo. o",
			"xxxxxxxx/oooooooo/xxxxxxxx/oooooooo/xxxxxxxx/oooooooo/xxxxxxxx/oooooooo x",
			"......../......../......../...xx.../...xx.../......../......../........ o",
		},
	}
}

// models say what scores are worth. Each is fitted to 2,000 games of seed 2026.
func models() []encode.Model {
	return []encode.Model{
		{Games: encode.SearchedGames{Depth: 3}, Version: 1, A: 21, B: 269},
		{Games: encode.SearchedGames{Nodes: 100, Explored: true}, Version: 1, A: 21, B: 262},
		{Games: encode.SearchedGames{Nodes: 500}, Version: 1, A: 18, B: 256},
		{Games: encode.SearchedGames{Nodes: 5000}, Version: 1, A: 27, B: 235},
	}
}

func compactLayout() encode.Layout {
	return encode.Layout{
		Name: "compact", Version: 1, Kind: encode.Uint8,
		Elements: []encode.Element{{Name: "cells", Count: 64, Doc: "row by row from a1 to h8: 0 empty, 1 black, 2 white"}},
		Encode: func(dst []byte, pos engine.Position) []byte {
			p := pos.(*Position)
			for cell := range grid.Cells() {
				dst = append(dst, p.code(cell))
			}
			return dst
		},
		Decode: decode,
		Flip: func(values []byte) {
			for i, code := range values {
				values[i] = [3]byte{0, 2, 1}[code]
			}
		},
		Identity: []string{"cells"},
	}
}

// decode returns the text of a board.
func decode(values []byte, turn engine.Side) (string, error) {
	p := Position{turn: turn}
	for cell, code := range values {
		if code > 2 {
			return "", encode.ArrayError("ARRAY_RANGE", "element %d is %d, want 0 to 2", cell, code)
		}
		if code > 0 {
			p.discs[code-1] |= 1 << cell
		}
	}
	return p.String(), nil
}

// planes are the discs of the side to move, those of the opponent, and who began.
func planes() encode.Planes {
	return encode.Planes{
		Version: 1, Grid: grid,
		Elements: []encode.Element{
			{Name: "own", Doc: "discs of the side to move"},
			{Name: "their", Doc: "discs of the opponent"},
			encode.SidePlane(Game().Sides),
		},
		Draw: func(c encode.Canvas, values []byte, turn engine.Side) {
			for cell, code := range values {
				if code > 0 {
					c.Set(int((code-1)^uint8(turn)), cell)
				}
			}
			c.Fill(2, turn == engine.First)
		},
	}
}

// actions numbers moves: a disc has the number of its cell, and the pass follows.
func actions() encode.Actions {
	return encode.Actions{
		Version: 1, Count: 65,
		Number: func(m engine.Move) uint16 { return uint16(m) },
		Move: func(p engine.Position, action uint16) (engine.Move, error) {
			m := engine.Move(action)
			if m > pass || !p.(*Position).Legal(m) {
				return 0, fmt.Errorf("action %d: want a legal move", action)
			}
			return m, nil
		},
		Describe: func(action uint16) encode.Action {
			if engine.Move(action) == pass {
				return encode.Action{Kind: passText}
			}
			return encode.Action{To: grid.Name(int(action)), Kind: "place"}
		},
		Flip: func(action uint16) uint16 { return action },
	}
}

// board says how reports and pages draw a position.
func board() encode.Board {
	return encode.Board{
		Grid:    grid,
		Grounds: []encode.Ground{{Fill: "#3f8f5f", Dark: "#2c6444"}},
		Kinds:   []encode.PieceKind{{Name: "disc", Letter: "D", Figure: encode.Disc}},
		Codes:   [][]encode.Piece{nil, {{Side: 0}}, {{Side: 1}}},
		Sides:   [2]encode.Paint{{Fill: "#111", Stroke: "#000", Width: 0.3}, {Fill: "#f5f5f5", Stroke: "#666", Width: 0.3}},
	}
}
