package othello

import (
	"fmt"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// grid names the cells.
var grid = encode.Grid{Files: 8, Ranks: 8, RankOneOnTop: true}

// symbols are those of an empty cell, of black and of white.
const symbols = ".xo"

// passText is the text of a pass.
const passText = "pass"

// String returns the rows of the board from a1 on, and the side to move.
func (p *Position) String() string {
	text := make([]byte, 0, 8*9+1)
	for cell := range grid.Cells() {
		if cell > 0 && cell%8 == 0 {
			text = append(text, '/')
		}
		text = append(text, symbols[p.code(cell)])
	}
	return string(append(text, ' ', symbols[1+p.turn]))
}

// code returns 0 for an empty cell, 1 for a black disc, and 2 for a white one.
func (p *Position) code(cell int) uint8 {
	return uint8(p.discs[0]>>cell&1 | p.discs[1]>>cell&1<<1)
}

// Set sets up the position of a text.
func (p *Position) Set(text string) error {
	board, side, _ := strings.Cut(text, " ")
	turn := strings.Index(symbols, side) - 1
	if len(side) != 1 || turn < 0 {
		return &engine.TextError{Kind: "SIDE_INVALID", Category: "structure", Msg: fmt.Sprintf("side %q: want x or o", side)}
	}
	rows := strings.Split(board, "/")
	if len(rows) != grid.Ranks {
		return &engine.TextError{Kind: "ROWS_INVALID", Category: "structure", Msg: fmt.Sprintf("%d rows: want 8", len(rows))}
	}
	var discs [2]uint64
	for rank, row := range rows {
		if len(row) != grid.Files {
			return &engine.TextError{Kind: "ROW_INVALID", Category: "structure", Rank: rank + 1, Msg: fmt.Sprintf("%d cells: want 8", len(row))}
		}
		for file, symbol := range []byte(row) {
			code := strings.IndexByte(symbols, symbol)
			if code < 0 {
				return &engine.TextError{Kind: "CELL_INVALID", Category: "lexical", Rank: rank + 1, Column: file + 1, Msg: fmt.Sprintf("cell %q: want x, o or a dot", symbol)}
			}
			if code > 0 {
				discs[code-1] |= 1 << (8*rank + file)
			}
		}
	}
	p.discs, p.turn, p.played = discs, engine.Side(turn), p.played[:0]
	return nil
}

// FormatMove returns the name of the cell, or pass.
func (p *Position) FormatMove(m engine.Move) string {
	if m == pass {
		return passText
	}
	return grid.Name(int(m))
}

// ParseMove parses what FormatMove writes.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	m := pass
	if cell, ok := grid.Cell(text); ok {
		m = engine.Move(cell)
	} else if text != passText {
		return 0, fmt.Errorf("parse move %q: expected a cell such as d3, or %s", text, passText)
	}
	if !p.Legal(m) {
		return 0, fmt.Errorf("parse move %q: not legal here", text)
	}
	return m, nil
}
