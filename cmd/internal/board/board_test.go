package board_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"selfplay/cmd/internal/board"
	"selfplay/encode"
	"selfplay/engine/cotulenh"
)

var update = flag.Bool("update", false, "draw the picture of the README again")

// codes returns what stands on the cells of a position, by the game's compact layout.
func codes(t *testing.T, g encode.Game, position string) (list []int) {
	t.Helper()
	p := g.New("")
	if position != "" {
		if err := p.Set(position); err != nil {
			t.Fatal(err)
		}
	}
	l := g.Identity()
	values, size := l.Encode(nil, p), l.Kind.Size()
	for cell := range l.Elements[0].Count {
		code := int(values[cell*size])
		if size == 2 {
			code |= int(values[cell*size+1]) << 8
		}
		list = append(list, code)
	}
	return list
}

// TestEveryGameHasABoard: with as many cells as its arrays, and a name for every cell
// that its actions name.
func TestEveryGameHasABoard(t *testing.T) {
	for _, g := range encode.Games() {
		b, err := board.Of(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		if want := g.Identity().Elements[0].Count; b.Cells() != want {
			t.Errorf("%s: %d cells, want %d", g.Name, b.Cells(), want)
		}
		for cell := range b.Cells() {
			if back, ok := b.Cell(b.Name(cell)); !ok || back != cell {
				t.Errorf("%s: cell %d is called %s, which is %d", g.Name, cell, b.Name(cell), back)
			}
			if n := b.Ground(cell); n < 0 || n >= len(b.Grounds) {
				t.Errorf("%s: %s stands on ground %d", g.Name, b.Name(cell), n)
			}
		}
		for n := range g.Actions.Count {
			a := g.Actions.Describe(uint16(n))
			for _, name := range []string{a.From, a.To} {
				if _, ok := b.Cell(name); name != "" && !ok {
					t.Fatalf("%s: action %d names %q", g.Name, n, name)
				}
			}
		}
		codes := map[string]int{"cotulenh": cotulenh.NumStacks, "chess": 13, "contrast": 9}
		for code := range codes[g.Name] {
			for _, thing := range b.Things(code) {
				if thing.Kind < 0 || thing.Kind >= len(b.Kinds) || thing.Side < board.Nobody || thing.Side > 1 {
					t.Errorf("%s: code %d has %+v", g.Name, code, thing)
				}
			}
		}
	}
	if _, err := board.Of("go"); err == nil {
		t.Error("there is a board of go")
	}
}

// TestThings: what codes stand for, by the texts of positions.
func TestThings(t *testing.T) {
	for _, c := range []struct {
		game, position, cell string
		want                 []board.Thing
	}{
		{"chess", "", "e1", []board.Thing{{Kind: 5, Side: 0}}},
		{"chess", "", "d8", []board.Thing{{Kind: 4, Side: 1}}},
		{"chess", "", "d4", nil},
		{"cotulenh", "", "g12", []board.Thing{{Kind: int(cotulenh.Commander), Side: 1}}},
		{"cotulenh", "10c/11/11/11/11/11/11/11/2(N+F)8/11/11/3C7 r - - 0 1", "c4",
			[]board.Thing{{Kind: int(cotulenh.Navy), Side: 0}, {Kind: int(cotulenh.AirForce), Side: 0, Hero: true}}},
		{"contrast", "", "a5", []board.Thing{{Kind: 0, Side: 0}}},
		{"contrast", "4,3,3,3,3,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,6,6,6,6,6,2,0,3,1 x", "a5", []board.Thing{{Kind: 0, Side: 0}, {Kind: 1, Side: board.Nobody}}},
		{"contrast", "4,3,3,3,3,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,6,6,6,6,6,2,0,3,1 x", "c3", []board.Thing{{Kind: 2, Side: board.Nobody}}},
	} {
		g, err := encode.Find(c.game)
		if err != nil {
			t.Fatal(err)
		}
		b, err := board.Of(c.game)
		if err != nil {
			t.Fatal(err)
		}
		cell, _ := b.Cell(c.cell)
		got := b.Things(codes(t, g, c.position)[cell])
		if len(got) != len(c.want) {
			t.Errorf("%s %s: %+v, want %+v", c.game, c.cell, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s %s: %+v, want %+v", c.game, c.cell, got, c.want)
			}
		}
	}
}

// TestDrawings are well-formed, whatever stands in their texts, and show every piece.
func TestDrawings(t *testing.T) {
	const foreign = `"><script>alert(1)</script>&`
	for _, g := range encode.Games() {
		b, err := board.Of(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		heat := make([]board.Heat, b.Cells())
		for cell := range heat {
			heat[cell] = board.Heat{Strength: float64(cell) / 200, Lean: board.Both, Text: foreign}
		}
		at := codes(t, g, "")
		svg := b.Picture(board.Drawing{Label: foreign, Codes: at, Heat: heat})
		elements := map[string]int{}
		for d := xml.NewDecoder(strings.NewReader(svg)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v in\n%s", g.Name, err, svg)
			}
			if e, ok := token.(xml.StartElement); ok {
				elements[e.Name.Local]++
			}
		}
		pieces := 0
		for _, code := range at {
			if code != 0 {
				pieces++
			}
		}
		if elements["script"] > 0 || elements["title"] != b.Cells() || elements["g"] != pieces {
			t.Errorf("%s: %d pieces, drawn %v", g.Name, pieces, elements)
		}
	}
}

// midgame is a position of a game of ab:depth=1, with stacks, heroes and ships.
const midgame = "6c4/1n3h1h3/2a4s1a1/2n1gt1tg2/2ie5ei/4+f5+f/11/2I1(EG)M5/2(NC)1A1(FT)TGE1/6S2A1/1N3H1H3/11 b - - 1 14"

// TestPicture: the picture of the README is what the program draws; -update draws it.
func TestPicture(t *testing.T) {
	const path = "../../../examples/pictures/board.svg"
	b, err := board.Of("cotulenh")
	if err != nil {
		t.Fatal(err)
	}
	svg := b.Picture(board.Drawing{Label: "Cờ Tư Lệnh: " + midgame, Codes: codes(t, encode.CoTuLenh(), midgame)})
	if *update {
		if err := os.WriteFile(path, []byte(svg), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(there) != svg {
		t.Errorf("%s is not what the program draws: run with -update", path)
	}
}
