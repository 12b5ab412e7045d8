package encode

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
)

// A game table says what boards and actions of a game mean, for programs in other languages:
// the Python package learns a game from it. Boards are those of the layout with an Identity.

// gameTable is the JSON of a table, in the order of the file.
type gameTable struct {
	Name         string      `json:"name"`
	Title        string      `json:"title"`
	Sides        [2]string   `json:"sides"`
	Files        int         `json:"files"`
	Ranks        int         `json:"ranks"`
	RankOneOnTop bool        `json:"rank_one_on_top,omitempty"`
	Start        string      `json:"start"` // text of the first position
	Layout       tableLayout `json:"layout"`
	Planes       tablePlanes `json:"planes"`
	Kinds        []string    `json:"kinds"`   // of pieces
	Letters      string      `json:"letters"` // of the kinds
	Pieces       [][][3]int  `json:"pieces"`  // by code of a cell: kind, side, and 1 for a ring
	Flip         tableFlip   `json:"flip"`
	Actions      any         `json:"actions"` // *factoredActions or *listedActions
}

type tableLayout struct {
	Name     string         `json:"name"`
	Version  int            `json:"version"`
	Kind     string         `json:"kind"`
	Elements []tableElement `json:"elements"`
}

type tableElement struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

type tablePlanes struct {
	Version int      `json:"version"`
	Names   []string `json:"names"`
}

// Table returns the table of the game as JSON, one line per member so that diffs show what
// changed. The error says which fact of the entry has no place in a table.
func (g *Game) Table() ([]byte, error) {
	flip, err := g.tableFlip()
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", g.Name, err)
	}
	l := g.Identity()
	t := gameTable{
		Name: g.Name, Title: g.Title, Sides: g.Sides, Files: g.Board.Files, Ranks: g.Board.Ranks, RankOneOnTop: g.Board.RankOneOnTop,
		Start: g.New("").String(), Layout: tableLayout{Name: l.Name, Version: l.Version, Kind: l.Kind.String()}, Flip: flip,
	}
	for _, e := range l.Elements {
		t.Layout.Elements = append(t.Layout.Elements, tableElement{e.Name, e.Count})
	}
	if planes, err := g.Layout(PlanesName); err == nil {
		t.Planes.Version = planes.Version
		for _, e := range planes.Elements {
			t.Planes.Names = append(t.Planes.Names, e.Name)
		}
	}
	for _, k := range g.Board.Kinds {
		t.Kinds, t.Letters = append(t.Kinds, k.Name), t.Letters+k.Letter
	}
	t.Pieces = g.tablePieces()
	if t.Actions, err = g.tableActions(&t.Flip); err != nil {
		return nil, fmt.Errorf("describe %s: %w", g.Name, err)
	}
	return oneLinePerMember(&t)
}

// tablePieces returns the pieces of each code of a cell.
func (g *Game) tablePieces() (codes [][][3]int) {
	for _, pieces := range g.Board.Codes {
		list := [][3]int{}
		for _, p := range pieces {
			ring := 0
			if p.Ring {
				ring = 1
			}
			list = append(list, [3]int{p.Kind, p.Side, ring})
		}
		codes = append(codes, list)
	}
	return codes
}

// oneLinePerMember writes an object with one line per member.
func oneLinePerMember(t *gameTable) ([]byte, error) {
	raw, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("{\n")
	d := json.NewDecoder(bytes.NewReader(raw))
	for _, err = d.Token(); err == nil && d.More(); {
		var value json.RawMessage
		name, _ := d.Token()
		if err = d.Decode(&value); err == nil {
			fmt.Fprintf(&b, "%q: %s,\n", name, value)
		}
	}
	b.Truncate(b.Len() - len(",\n"))
	b.WriteString("\n}\n")
	return b.Bytes(), err
}

// tableFlip describes Layout.Flip: element i goes to To[i], cells get new codes, and the
// elements Places hold a cell + 1, which moves as the cell does.
type tableFlip struct {
	To     []int `json:"to"`
	Codes  []int `json:"codes"`
	Places []int `json:"places"`
}

// tableFlip finds the flip of each element from boards with one value, and checks it on the
// boards of the start and of all samples.
func (g *Game) tableFlip() (f tableFlip, err error) {
	l, cells := g.Identity(), g.Board.Cells()
	f.Places = []int{}
	for e := range l.Len() {
		to, value := flipOne(l, e, 1)
		f.To = append(f.To, to)
		if e < cells || value == 1 {
			continue
		}
		if far, _ := flipOne(l, e, cells); far == to {
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
			return f, err
		}
		board := l.Encode(nil, pos)
		before := l.Values(nil, board)
		l.Flip(board)
		if !slices.Equal(l.Values(nil, board), f.apply(before, cells)) {
			return f, fmt.Errorf("the flip of layout %s does not move elements and exchange codes of cells alone: %s", l.Name, text)
		}
	}
	return f, nil
}

// apply flips the values of a board.
func (f *tableFlip) apply(values []int, cells int) []int {
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
func flipOne(l *Layout, element, value int) (to, flipped int) {
	size := l.Kind.Size()
	board := binary.LittleEndian.AppendUint16(make([]byte, element*size, l.Len()*size+2), uint16(value))
	board = board[:l.Len()*size]
	l.Flip(board)
	values := l.Values(nil, board)
	to = slices.IndexFunc(values, func(v int) bool { return v != 0 })
	return to, values[to]
}
