package board

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// games returns the catalog and a game whose rank 1 is on top.
func games() []encode.Game { return append(encode.Games(), encodetest.TicTacToe()) }

// codes returns the codes of the cells of a position.
func codes(t *testing.T, g encode.Game, position string) []int {
	t.Helper()
	p := g.New("")
	if position != "" {
		must.Do(t, p.Set(position))
	}
	l := g.Identity()
	return l.Values(nil, l.Encode(nil, p))[:g.Board.Cells()]
}

func TestPiecesOfKnownCells(t *testing.T) {
	const tiled = "4,3,3,3,3,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,6,6,6,6,6,2,0,3,1 x"
	for _, c := range []struct {
		game, position, cell string
		want                 []encode.Piece
	}{
		{"chess", "", "e1", []encode.Piece{{Kind: 5, Side: 0}}},
		{"chess", "", "d8", []encode.Piece{{Kind: 4, Side: 1}}},
		{"chess", "", "d4", nil},
		{"cotulenh", "", "g12", []encode.Piece{{Kind: int(cotulenh.Commander), Side: 1}}},
		{"cotulenh", "10c/11/11/11/11/11/11/11/2(N+F)8/11/11/3C7 r - - 0 1", "c4",
			[]encode.Piece{{Kind: int(cotulenh.Navy), Side: 0}, {Kind: int(cotulenh.AirForce), Side: 0, Ring: true}}},
		{"contrast", "", "a5", []encode.Piece{{Kind: 0, Side: 0}}},
		{"contrast", tiled, "a5", []encode.Piece{{Kind: 0, Side: 0}, {Kind: 1, Side: encode.Neutral}}},
		{"contrast", tiled, "c3", []encode.Piece{{Kind: 2, Side: encode.Neutral}}},
	} {
		g := must.Get(encode.Games().Find(c.game))(t)
		cell, _ := g.Board.Cell(c.cell)
		got := g.Board.Codes[codes(t, g, c.position)[cell]]
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %+v, want %+v", c.game, c.cell, got, c.want)
		}
	}
}

// TestDrawingsAreWellFormed and show every piece and the tooltip of every cell, whatever
// the texts contain.
func TestDrawingsAreWellFormed(t *testing.T) {
	const foreign = `"><script>alert(1)</script>&`
	for _, g := range games() {
		heat := make([]Heat, g.Board.Cells())
		for cell := range heat {
			heat[cell] = Heat{Strength: float64(cell) / 200, Lean: Unsided, Text: foreign}
		}
		cells := codes(t, g, g.Samples[0])
		svg := Draw(&g.Board, Drawing{Label: foreign, Codes: cells, Heat: heat})
		elements := elementsOf(t, svg)
		figures := 0
		for _, code := range cells {
			kinds := map[encode.Figure]bool{} // a cell has one group for its tile and one for its pieces
			for _, p := range g.Board.Codes[code] {
				kinds[g.Board.Kinds[p.Kind].Figure] = true
			}
			figures += len(kinds)
		}
		if elements["script"] > 0 || elements["title"] != g.Board.Cells() || elements["g"] != figures {
			t.Errorf("%s: %d figures, drawn are %v", g.Name, figures, elements)
		}
	}
}

// elementsOf counts the elements of a drawing by name.
func elementsOf(t *testing.T, svg string) map[string]int {
	t.Helper()
	elements := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}
}

// TestStyleHasEveryClass: every class of a drawing has a rule.
func TestStyleHasEveryClass(t *testing.T) {
	for _, g := range games() {
		style, svg := Style(&g.Board), Draw(&g.Board, Drawing{Codes: codes(t, g, g.Samples[0])})
		for _, part := range strings.Split(svg, `class="`)[1:] {
			list, _, _ := strings.Cut(part, `"`)
			for _, class := range strings.Fields(list) {
				if class != "board" && !strings.Contains(style, "svg.board ."+class+" {") {
					t.Errorf("%s: no rule for class %s", g.Name, class)
				}
			}
		}
	}
}

func TestRankOneMayBeOnTop(t *testing.T) {
	g := encodetest.TicTacToe()
	svg := Draw(&g.Board, Drawing{})
	if first, third := strings.Index(svg, ">1</text>"), strings.Index(svg, ">3</text>"); first < 0 || first > third {
		t.Errorf("label 1 at %d, label 3 at %d", first, third)
	}
}

// TestColours: for a lean of 1/21 the exact green value is a little below 75. A fused
// multiply-add would round it up.
func TestColours(t *testing.T) {
	for _, c := range []struct {
		lean float64
		want string
	}{{Unsided, "#b43c0c"}, {0, "#c84a00"}, {1, "#005fb8"}, {0.5, "#64545c"}, {1.0 / 21, "#be4a08"}} {
		if got := colour(c.lean); got != c.want {
			t.Errorf("lean %v: %s, want %s", c.lean, got, c.want)
		}
	}
}

// TestPictureOfTheReadme compares the picture with a fresh drawing of the position in demo.txt
// beside it, which the report of the README's demo shows; -update draws it again.
func TestPictureOfTheReadme(t *testing.T) {
	const pictures = "../../../examples/pictures/"
	demo := string(must.Get(os.ReadFile(pictures + "demo.txt"))(t))
	_, shown, _ := strings.Cut(demo, "\nboard.svg\n")
	_, position, _ := strings.Cut(strings.TrimSpace(shown), ": ")
	g := encode.CoTuLenh()
	svg := Picture(&g.Board, Drawing{Label: "Cờ Tư Lệnh: " + position, Codes: codes(t, g, position)}, "")
	enginetest.Golden(t, pictures+"board.svg", svg, "The picture differs from the drawing of the program")
}

// TestScaleHasTheColoursOfTheHeat: its ends are the colours of no and of the highest strength.
func TestScaleHasTheColoursOfTheHeat(t *testing.T) {
	g := encode.CoTuLenh()
	for _, lean := range []float64{Unsided, 0, 1} {
		svg := Scale(&g.Board, lean)
		rects := strings.Split(svg, "<rect ")
		first, last := rects[1], rects[len(rects)-1]
		if !strings.Contains(first, `fill-opacity="0"`) || !strings.Contains(last, `fill-opacity="1"`) || !strings.Contains(last, colour(lean)) {
			t.Errorf("lean %v: from %s to %s", lean, first, last)
		}
		if elementsOf(t, svg)["rect"] != scaleSteps || !strings.Contains(svg, `class="ground2"`) { // land
			t.Errorf("lean %v: %s", lean, svg)
		}
	}
}

// TestStrokesLieUnderTheFill: else they cover the narrow parts of white kings and queens.
func TestStrokesLieUnderTheFill(t *testing.T) {
	g := encode.Chess()
	if style := Style(&g.Board); !strings.Contains(style, "paint-order: stroke") {
		t.Error(style)
	}
}

// TestCellsAreSpoken as players name them.
func TestCellsAreSpoken(t *testing.T) {
	const tiled = "4,3,3,3,3,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,6,6,6,6,6,2,0,3,1 x"
	const deployed = "10c/11/11/11/11/11/11/11/2(N+FT)8/11/11/3C7 r - - 0 1"
	for _, c := range []struct{ game, position, cell, want string }{
		{"chess", "", "e2", "e2, white pawn"},
		{"chess", "", "d8", "d8, black queen"},
		{"chess", "", "d4", "d4, empty"},
		{"cotulenh", deployed, "c4", "c4, red navy with heroic air force and tank"},
		{"cotulenh", deployed, "k12", "k12, blue commander"},
		{"cotulenh", deployed, "a1", "a1, empty, navy only"},
		{"contrast", tiled, "a5", "a5, black piece on black tile"},
		{"contrast", tiled, "c3", "c3, gray tile"},
		{"contrast", tiled, "e1", "e1, white piece"},
	} {
		g := must.Get(encode.Games().Find(c.game))(t)
		cell, _ := g.Board.Cell(c.cell)
		if got := Spoken(&g.Board, g.Sides, cell, codes(t, g, c.position)[cell]); got != c.want {
			t.Errorf("%s: %q, want %q", c.game, got, c.want)
		}
	}
}

// TestHandsStandBesideTheirSide, with zeros, and change places with the board.
func TestHandsStandBesideTheirSide(t *testing.T) {
	g := encode.Contrast()
	above, below := Beside(&g.Board, g.Sides, []int{3, 1, 0, 1}, false)
	elementsOf(t, above)
	if !strings.Contains(above, `aria-label="black in hand"`) || !strings.Contains(above, `<span class="kind">black tile:</span> <b data-hand="0">3</b>`) {
		t.Error(above)
	}
	if !strings.Contains(below, `aria-label="white in hand"`) || !strings.Contains(below, `<b data-hand="2">0</b>`) {
		t.Error(below)
	}
	if top, bottom := Beside(&g.Board, g.Sides, []int{3, 1, 0, 1}, true); top != below || bottom != above {
		t.Errorf("flipped: %s, %s", top, bottom)
	}
	chess := encode.Chess()
	if above, below := Beside(&chess.Board, chess.Sides, nil, false); above != "" || below != "" {
		t.Errorf("chess has the hands %s, %s", above, below)
	}
}

// TestFlippedBoardsShowTheOppositeCells: the first cell is that of the last file and rank.
func TestFlippedBoardsShowTheOppositeCells(t *testing.T) {
	for _, g := range games() {
		cells := codes(t, g, "")
		d := Drawing{Label: "board", Codes: cells, Sides: &g.Sides, Flip: true}
		svg, upright := Draw(&g.Board, d), Draw(&g.Board, Drawing{Label: "board", Codes: cells, Sides: &g.Sides})
		n := g.Board.Cells()
		first := strings.Index(svg, `data-cell="`+g.Board.Name(n-1)+`"`)
		last := strings.Index(svg, `data-cell="`+g.Board.Name(0)+`"`)
		if first < 0 || first > last || len(elementsOf(t, svg)) != len(elementsOf(t, upright)) {
			t.Errorf("%s: %s at %d, %s at %d", g.Name, g.Board.Name(n-1), first, g.Board.Name(0), last)
		}
		if want := Spoken(&g.Board, g.Sides, n-1, cells[n-1]); !strings.Contains(svg, `aria-label="`+want+`"`) {
			t.Errorf("%s: no %s", g.Name, want)
		}
	}
}

// TestGridHasEveryCellOnce and one stop for Tab.
func TestGridHasEveryCellOnce(t *testing.T) {
	for _, g := range games() {
		svg := Draw(&g.Board, Drawing{Label: "board", Codes: codes(t, g, ""), Live: true, Sides: &g.Sides})
		elementsOf(t, svg)
		cells, stops := strings.Count(svg, `role="gridcell"`), strings.Count(svg, `tabindex="0"`)
		if cells != g.Board.Cells() || stops != 1 || strings.Count(svg, `role="row"`) != g.Board.Ranks || !strings.Contains(svg, `role="grid"`) {
			t.Errorf("%s: %d cells, %d stops", g.Name, cells, stops)
		}
	}
}
