package encode_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"selfplay/encode"
)

// The Python package knows boards and actions from one table file per game. These tests make
// the files from the catalog: -update rewrites them.

const pythonGames = "../python/src/selfplay/games"

// actionShapes are the factors of action numbers: an action is (from*rays + ray)*whats + what,
// and the numbers after the last cell have no origin.
var actionShapes = map[string]struct{ rays, whats int }{
	"cotulenh": {84, 5},
	"chess":    {73, 1},
	"contrast": {25, 51},
}

// pythonTable is what the package needs of a game, in the order of the file.
type pythonTable struct {
	Name    string        `json:"name"`
	Title   string        `json:"title"`
	Sides   [2]string     `json:"sides"`
	Files   int           `json:"files"`
	Ranks   int           `json:"ranks"`
	Start   string        `json:"start"`
	Layout  pythonLayout  `json:"layout"`
	Planes  pythonPlanes  `json:"planes"`
	Kinds   []string      `json:"kinds"`   // of pieces
	Letters string        `json:"letters"` // of the kinds
	Pieces  [][][3]int    `json:"pieces"`  // by code of a cell: kind, side, and 1 for a ring
	Flip    pythonFlip    `json:"flip"`
	Actions pythonActions `json:"actions"`
}

type pythonLayout struct {
	Name     string          `json:"name"`
	Version  int             `json:"version"`
	Kind     string          `json:"kind"`
	Elements []pythonElement `json:"elements"`
}

type pythonElement struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

type pythonPlanes struct {
	Version int      `json:"version"`
	Names   []string `json:"names"`
}

// pythonFlip describes Layout.Flip: element i goes to To[i], cells get new codes, and the
// elements Places hold a cell + 1, which moves as the cell does.
type pythonFlip struct {
	To     []int `json:"to"`
	Codes  []int `json:"codes"`
	Places []int `json:"places"`
}

// pythonActions describes the actions. To is the destination by from*rays + ray, -1 off the
// board; the numbers of a ray that leads nowhere stand for no move.
type pythonActions struct {
	Version   int      `json:"version"`
	Count     int      `json:"count"`
	Rays      int      `json:"rays"`
	Whats     int      `json:"whats"`
	FlipRays  []int    `json:"flip_rays"`
	FlipWhats []int    `json:"flip_whats"`
	Kinds     []string `json:"kinds"` // by ray*whats + what
	Extra     []string `json:"extra"` // kinds of the numbers without an origin
	To        []int    `json:"to"`
}

// TestPythonHasTheTables compares the table files with the catalog. The package need not know
// every game: one without factors has no table.
func TestPythonHasTheTables(t *testing.T) {
	for _, g := range encode.Games() {
		t.Run(g.Name, func(t *testing.T) {
			if _, ok := actionShapes[g.Name]; !ok {
				t.Skip("the Python package does not know this game")
			}
			table := pythonTableOf(t, &g)
			text := oneLinePerMember(t, table)
			path := filepath.Join(pythonGames, g.Name+".json")
			if *update {
				if err := os.WriteFile(path, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%s differs from the catalog (%v): run with -update", path, err)
			}
		})
	}
}

func pythonTableOf(t *testing.T, g *encode.Game) pythonTable {
	l := g.Identity()
	p := pythonTable{
		Name: g.Name, Title: g.Title, Sides: g.Sides, Files: g.Board.Files, Ranks: g.Board.Ranks, Start: g.New("").String(),
		Layout: pythonLayout{Name: l.Name, Version: l.Version, Kind: l.Kind.String()},
		Flip:   pythonFlipOf(t, g, l),
	}
	for _, e := range l.Elements {
		p.Layout.Elements = append(p.Layout.Elements, pythonElement{e.Name, e.Count})
	}
	planes, err := g.Layout(encode.PlanesName)
	if err != nil {
		t.Fatal(err)
	}
	p.Planes.Version = planes.Version
	for _, e := range planes.Elements {
		p.Planes.Names = append(p.Planes.Names, e.Name)
	}
	for _, k := range g.Board.Kinds {
		p.Kinds, p.Letters = append(p.Kinds, k.Name), p.Letters+k.Letter
	}
	for _, pieces := range g.Board.Codes {
		list := [][3]int{}
		for _, m := range pieces {
			ring := 0
			if m.Ring {
				ring = 1
			}
			list = append(list, [3]int{m.Kind, m.Side, ring})
		}
		p.Pieces = append(p.Pieces, list)
	}
	p.Actions = pythonActionsOf(t, g, p.Flip)
	return p
}

// pythonFlipOf finds the flip of each element from boards with one value, and checks it on the
// boards of the start and of all samples.
func pythonFlipOf(t *testing.T, g *encode.Game, l *encode.Layout) (f pythonFlip) {
	cells := g.Board.Cells()
	f.Places = []int{}
	for e := range l.Len() {
		to, value := flipOne(l, e, 1)
		f.To = append(f.To, to)
		if far, _ := flipOne(l, e, cells); e >= cells && far == to && value != 1 {
			f.Places = append(f.Places, e)
		}
	}
	f.Codes = []int{0}
	for code := 1; code < len(g.Board.Codes); code++ {
		_, value := flipOne(l, 0, code)
		f.Codes = append(f.Codes, value)
	}
	pos := g.New("")
	for _, text := range append([]string{pos.String()}, g.Samples...) {
		if err := pos.Set(text); err != nil {
			t.Fatal(err)
		}
		board := l.Encode(nil, pos)
		before := l.Values(nil, board)
		l.Flip(board)
		if want, got := l.Values(nil, board), f.apply(before, cells); !slices.Equal(got, want) {
			t.Errorf("flip of %s: %v, want %v", text, got, want)
		}
	}
	return f
}

// apply flips the values of a board.
func (f pythonFlip) apply(values []int, cells int) []int {
	flipped := make([]int, len(values))
	for e, v := range values {
		if e < cells {
			v = f.Codes[v]
		} else if slices.Contains(f.Places, e) && v > 0 {
			v = 1 + f.To[v-1]
		}
		flipped[f.To[e]] = v
	}
	return flipped
}

// flipOne flips a board that is empty but for one element, and returns where its value is.
func flipOne(l *encode.Layout, element, value int) (to, flipped int) {
	size := l.Kind.Size()
	board := binary.LittleEndian.AppendUint16(make([]byte, element*size, l.Len()*size+2), uint16(value))
	board = board[:l.Len()*size]
	l.Flip(board)
	values := l.Values(nil, board)
	to = slices.IndexFunc(values, func(v int) bool { return v != 0 })
	return to, values[to]
}

// pythonActionsOf writes the actions by their factors, and checks every number.
func pythonActionsOf(t *testing.T, g *encode.Game, flip pythonFlip) pythonActions {
	shape := actionShapes[g.Name]
	block, cells := shape.rays*shape.whats, g.Board.Cells()
	p := pythonActions{
		Version: g.Actions.Version, Count: g.Actions.Count, Rays: shape.rays, Whats: shape.whats, Extra: []string{},
		Kinds: make([]string, block), FlipRays: filled(shape.rays, -1), FlipWhats: filled(shape.whats, -1), To: filled(cells*shape.rays, -1),
	}
	for n := range g.Actions.Count {
		a, flipped := g.Actions.Describe(uint16(n)), int(g.Actions.Flip(uint16(n)))
		if n >= cells*block {
			p.Extra = append(p.Extra, a.Kind)
			continue
		}
		setFact(t, n, p.FlipRays, n/shape.whats%shape.rays, flipped/shape.whats%shape.rays)
		setFact(t, n, p.FlipWhats, n%shape.whats, flipped%shape.whats)
		if flip.To[n/block] != flipped/block {
			t.Fatalf("action %d: flipped to %d", n, flipped)
		}
		if a.Kind == encode.NoAction {
			continue
		}
		to, _ := g.Board.Cell(a.To)
		setFact(t, n, p.To, n/shape.whats, to)
		if kind := &p.Kinds[n%block]; *kind == "" {
			*kind = a.Kind
		} else if *kind != a.Kind {
			t.Fatalf("action %d: kind %s, but %s from another cell", n, a.Kind, *kind)
		}
		if from, _ := g.Board.Cell(a.From); from != n/block {
			t.Fatalf("action %d: from %s", n, a.From)
		}
	}
	return p
}

// setFact sets a value that many actions share; all of them must agree.
func setFact(t *testing.T, action int, list []int, i, value int) {
	t.Helper()
	if old := list[i]; old >= 0 && old != value {
		t.Fatalf("action %d does not factor: %d and %d", action, old, value)
	}
	list[i] = value
}

func filled(n, value int) []int { return slices.Repeat([]int{value}, n) }

// oneLinePerMember writes an object with one line per member, so that diffs show what changed.
func oneLinePerMember(t *testing.T, table pythonTable) []byte {
	raw, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	var members []string
	d := json.NewDecoder(bytes.NewReader(raw))
	for _, err := d.Token(); d.More() && err == nil; {
		var value json.RawMessage
		name, _ := d.Token()
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		members = append(members, fmt.Sprintf("%q: %s", name, value))
	}
	var b bytes.Buffer
	for i, m := range members {
		b.WriteString([]string{"{\n", ",\n"}[min(i, 1)] + m)
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}
