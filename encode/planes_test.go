package encode_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// TestPlanesRowsHaveTheirActionsOnTheSameBoard: planes show the view of the side to move, so
// the origin of every action holds one of its pieces, whichever side it is.
func TestPlanesRowsHaveTheirActionsOnTheSameBoard(t *testing.T) {
	for _, g := range encode.Games() {
		layout, err := g.Layout(encode.PlanesName)
		if err != nil || !g.Actions.HasOrigin {
			continue
		}
		view := encode.View{Layout: layout, Searched: true, Extra: []string{"legal_actions"}}
		table := rowsOf(t, &g, view, searchedRecord(&g, 1, 300))
		sides, seen := column(t, table, "side"), [2]int{}
		for row := range table.Rows {
			own := ownCells(layout, &g, cellOf(table, "board", row))
			for _, name := range []string{"action", "best_action", "legal_actions"} {
				for cell := cellOf(table, name, row); len(cell) > 0; cell = cell[2:] {
					from, ok := g.Board.Cell(g.Actions.Describe(binary.LittleEndian.Uint16(cell)).From)
					if ok && !own[from] {
						t.Fatalf("%s, row %d, side %d: %s starts from cell %d, which holds no own piece", g.Name, row, sides[row], name, from)
					}
					seen[sides[row]]++
				}
			}
		}
		if seen[0] == 0 || seen[1] == 0 {
			t.Errorf("%s: %v actions by side", g.Name, seen)
		}
	}
}

// ownCells returns the cells with a piece of the side to move.
func ownCells(l *encode.Layout, g *encode.Game, planes []byte) map[int]bool {
	own := map[int]bool{}
	for _, e := range l.Elements {
		if strings.HasPrefix(e.Name, "own") && !strings.HasPrefix(e.Doc, "all cells") {
			for cell := range g.Board.Cells() {
				if planes[cell/8]>>(cell%8)&1 == 1 {
					own[cell] = true
				}
			}
		}
		planes = planes[e.Count:]
	}
	return own
}

func TestColumnsOfPlanesSayThatTheyAreSeenByTheMover(t *testing.T) {
	g := encode.Chess()
	planes := must.Get(g.Layout(encode.PlanesName))(t)
	columns := encode.View{Layout: planes}.Columns()
	for name, want := range map[string]string{"board": "seen from the side to move", "action": "flipped like the board"} {
		if doc := columns[encode.ColumnNamed(columns, name)].Doc; !strings.Contains(doc, want) {
			t.Errorf("%s: %q, want %q", name, doc, want)
		}
	}
}
