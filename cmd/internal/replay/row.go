package replay

import (
	"bytes"
	"encoding/binary"
	"encoding/json"

	"selfplay/datasets/colfile"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/engine"
)

// Row is the row of a decision.
type Row struct {
	// Columns is the row as `selfplay head --json` prints it, null if the filter drops the decision.
	Columns json.RawMessage `json:"columns"`
	Docs    []ColumnDoc     `json:"docs"`
	// Unique is set if the dataset also drops rows whose position an earlier row has, which
	// depends on all games.
	Unique bool   `json:"unique,omitempty"`
	Planes Planes `json:"planes"`
}

// ColumnDoc says what a column means.
type ColumnDoc struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Planes are the input planes of a position, as the side to move sees the board.
type Planes struct {
	Files int     `json:"files"`
	Ranks int     `json:"ranks"`
	List  []Plane `json:"list"`
}

// Plane is a plane: the numbers of its cells that are set, row by row from the top left.
type Plane struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`
	Cells []int  `json:"cells"`
}

// RowAt returns the row of a decision, and the planes of its position.
func RowAt(s *rows.Shape, r *engine.Record, ply int) (*Row, error) {
	row := &Row{Unique: s.Unique, Columns: json.RawMessage("null")}
	for _, c := range s.Columns() {
		row.Docs = append(row.Docs, ColumnDoc{c.Name, c.Doc})
	}
	all := encode.NewTable(s.Columns())
	if err := encode.NewReplayer(s.Game, s.Variant, s.View).Append(r, all, make([]uint64, len(s.Filter.Texts()))); err != nil {
		return nil, err
	}
	if i := rowOf(all, ply); i >= 0 {
		one := encode.NewTable(all.Columns)
		colfile.AppendRows(one, all, i, i+1)
		var text bytes.Buffer
		if err := tablefile.NewJSON(&text, one.Columns, nil).Write(one); err != nil {
			return nil, err
		}
		row.Columns = bytes.TrimSpace(text.Bytes())
	}
	var err error
	row.Planes, err = planesAt(s, r, ply)
	return row, err
}

// rowOf returns the row with a ply, -1 if there is none.
func rowOf(t *encode.Table, ply int) int {
	col := encode.ColumnNamed(t.Columns, encode.PlyColumn)
	for row := range t.Rows {
		if int(binary.LittleEndian.Uint16(t.Cell(col, row))) == ply {
			return row
		}
	}
	return -1
}

// planesAt returns the planes of the position before a ply, or of the last position. A game
// without planes has an empty list.
func planesAt(s *rows.Shape, r *engine.Record, ply int) (p Planes, err error) {
	g := &s.Game
	p = Planes{Files: g.Board.Files, Ranks: g.Board.Ranks, List: []Plane{}}
	l, err := g.Layout(encode.PlanesName)
	if err != nil {
		return p, nil
	}
	pos := g.New(s.Variant)
	var values []byte
	err = g.Replay(pos, r, func(at int, _ engine.Move) {
		if at == ply {
			values = l.Encode(nil, pos)
		}
	})
	if values == nil {
		values = l.Encode(nil, pos)
	}
	for _, e := range l.Elements {
		plane := Plane{e.Name, e.Doc, []int{}}
		for cell := range g.Board.Cells() {
			if values[cell>>3]>>(cell&7)&1 == 1 {
				plane.Cells = append(plane.Cells, cell)
			}
		}
		p.List, values = append(p.List, plane), values[e.Count:]
	}
	return p, err
}
