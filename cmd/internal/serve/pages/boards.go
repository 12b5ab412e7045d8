package pages

import (
	"html/template"
	"maps"
	"slices"

	"selfplay/cmd/internal/board"
	"selfplay/encode"
)

// boardView is a board of a page, with the pieces in hand beside it.
type boardView struct {
	SVG          template.HTML
	Above, Below template.HTML // pieces in hand
	Legend       template.HTML
	Flip         bool
}

// newBoardView draws cells and hands.
func newBoardView(g *encode.Game, label string, cells, hands []int, flip bool) boardView {
	b := &g.Board
	above, below := board.Beside(b, g.Sides, hands, flip)
	svg := board.Draw(b, board.Drawing{Label: label, Codes: cells, Live: true, Sides: &g.Sides, Flip: flip})
	return boardView{template.HTML(svg), template.HTML(above), template.HTML(below), template.HTML(board.Legend(b, g.Sides)), flip}
}

// boardData is what scripts know of a board.
type boardData struct {
	Game    string         `json:"game"`
	Variant string         `json:"variant"`
	Files   int            `json:"files"`
	Ranks   int            `json:"ranks"`
	Words   map[int]string `json:"words"` // what a code stands for
}

// newBoardData returns the data of a board on which codes occur, and their figures.
func newBoardData(g *encode.Game, variant string, codes map[int]bool) (boardData, template.HTML) {
	delete(codes, 0)
	data := boardData{g.Name, variant, g.Board.Files, g.Board.Ranks, map[int]string{}}
	for code := range codes {
		data.Words[code] = board.Words(&g.Board, g.Sides, code)
	}
	return data, template.HTML(board.Figures(&g.Board, g.Sides, slices.Sorted(maps.Keys(codes))))
}
