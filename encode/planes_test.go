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

// TestFlippedNumbersOfKnownMoves shows what flipping does to moves that people know.
func TestFlippedNumbersOfKnownMoves(t *testing.T) {
	for _, c := range []struct {
		game       string
		from, want uint16
	}{
		{"cotulenh", 55440, 55440},                             // commit
		{"cotulenh", (93*84 + 0) * 5, (38*84 + 22) * 5},        // f4 one north, f9 one south
		{"cotulenh", (93*84+11)*5 + 1, (38*84+11)*5 + 1},       // east stays east, stay stays stay
		{"cotulenh", (93*84+44)*5 + 4, (38*84+74)*5 + 4},       // north-west, south-west
		{"cotulenh", (93*84+54+2)*5 + 2, (38*84+64+2)*5 + 2},   // three north-east, three south-east
		{"chess", 52*73 + 1, 12*73 + 28 + 1},                   // e2e4, e7e5
		{"chess", 62*73 + 63, 6*73 + 60},                       // g1f3, g8f6
		{"chess", 60*73 + 15, 4*73 + 15},                       // e1g1, e8g8
		{"chess", 12*73 + 67, 52*73 + 67},                      // e7d8b, e2d1b
		{"chess", 12*73 + 0, 52*73 + 28},                       // e7e8q, e2e1q
		{"contrast", (0*25 + 5) * 51, (24*25 + 19) * 51},       // a5,a4 -1; e1,e2 -1
		{"contrast", (0*25+5)*51 + 1, (24*25+19)*51 + 25},      // a5b: e1b
		{"contrast", (0*25+5)*51 + 26 + 3, (24*25+19)*51 + 47}, // d5g: b1g
	} {
		g := gameNamed(t, c.game)
		if got := g.Actions.Flip(c.from); got != c.want {
			t.Errorf("%s: %d (%v) flips to %d (%v), want %d (%v)", c.game, c.from, g.Actions.Describe(c.from),
				got, g.Actions.Describe(got), c.want, g.Actions.Describe(c.want))
		}
	}
}

func TestFlippedTextsOfKnownPositions(t *testing.T) {
	for _, c := range []struct{ game, text, want string }{
		{"chess", "r3k2r/8/8/8/pP6/8/7n/4K2R b Kq b3 0 60", "4k2r/7N/8/Pp6/8/8/8/R3K2R w Qk b6 0 60"},
		{"cotulenh", "10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4", "3c7/11/11/2(nf)1t6/11/11/11/11/11/11/11/10C b - - 6 1 c9:(NF):e9"},
		{"contrast", "0,3,3,3,3,3,0,0,0,0,0,0,1,0,0,0,0,0,0,0,6,6,6,6,6,2,1,3,1 o", "3,3,3,3,3,0,0,0,0,0,0,0,1,0,0,0,0,0,0,6,6,6,6,6,0,3,1,2,1 x"},
	} {
		g := gameNamed(t, c.game)
		if got := g.FlipText(c.text); got != c.want {
			t.Errorf("%s: %s flips to %s, want %s", c.game, c.text, got, c.want)
		}
		if got := g.FlipText(g.FlipText(c.text)); got != c.text {
			t.Errorf("%s: %s flips twice to %s", c.game, c.text, got)
		}
	}
}
