package tablefile

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"selfplay/datasets/colfile"
	"selfplay/encode"
	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// chessRow returns a row as a position, by the texts of the dataset.
func (m *made) chessRow(t *testing.T, row int) (r chessdata.Row) {
	t.Helper()
	number := func(name string) int64 {
		col := encode.ColumnNamed(m.rows.Columns, name)
		switch v := plain(m.rows.Columns[col], m.rows.Cell(col, row)).(type) {
		case uint64:
			return int64(v)
		case int16:
			return int64(v)
		case int8:
			return int64(v)
		case bool:
			if v {
				return 1
			}
		}
		return 0
	}
	side := engine.Side(number("side"))
	reader := m.shape.NewTextReader(m.rows.Columns, encode.BoardColumn)
	text := must.Get(reader.Text(m.rows, row))(t)
	p := chess.New()
	must.Do(t, p.Set(text))
	move := must.Get(m.shape.Game.Actions.Move(p, m.shape.AbsoluteAction(uint16(number("best_action")), side)))(t)
	r = chessdata.Row{Position: p.Parts(), Move: chessdata.MoveOf(p.AppendCells(nil), chess.Unpack(move)), Result: int8(number("outcome"))}
	r.Score = chessdata.NoScore
	if number("searched") != 0 {
		r.Score = chessdata.Foreign(int16(number("score")))
	}
	return r
}

// chessForms read back the forms of chess.
var chessForms = map[string]func(data []byte) func() (chessdata.Row, error){
	"plain": func(data []byte) func() (chessdata.Row, error) {
		return chessdata.NewPlainReader(bytes.NewReader(data)).Read
	},
	"binpack": func(data []byte) func() (chessdata.Row, error) {
		return chessdata.NewBinpackReader(bytes.NewReader(data)).Read
	},
}

// TestChessFormsReadBack: every row of both perspectives, unsearched ones too.
func TestChessFormsReadBack(t *testing.T) {
	for _, mover := range []bool{false, true} {
		m := play(t, encode.Chess(), 0, mover, 6, 80)
		for form, open := range chessForms {
			next := open(m.write(t, form, 50, nil))
			for row := range m.rows.Rows {
				want := m.chessRow(t, row)
				if got, err := next(); err != nil || got != want {
					t.Fatalf("%s, mover %t, row %d: %+v, want %+v, %v", form, mover, row, got, want, err)
				}
			}
			if _, err := next(); err != io.EOF {
				t.Errorf("%s: after the last row: %v", form, err)
			}
		}
	}
}

// TestEPDHasEveryRow: a line for each, as package chessdata writes it.
func TestEPDHasEveryRow(t *testing.T) {
	for _, mover := range []bool{false, true} {
		m := play(t, encode.Chess(), 0, mover, 6, 80)
		lines := strings.SplitAfter(string(m.write(t, "epd", 50, nil)), "\n")
		if len(lines) != m.rows.Rows+1 || lines[m.rows.Rows] != "" {
			t.Fatalf("mover %t: %d lines for %d rows", mover, len(lines), m.rows.Rows)
		}
		for row := range m.rows.Rows {
			want := m.chessRow(t, row)
			line, err := chessdata.AppendEPD(nil, &want)
			if err != nil || lines[row] != string(line) {
				t.Fatalf("mover %t, row %d: %q, want %q, %v", mover, row, lines[row], line, err)
			}
		}
	}
}

// TestBulletHasSearchedRowsOnly: the rows that were searched read back, and a row that was not
// is refused with its place.
func TestBulletHasSearchedRowsOnly(t *testing.T) {
	m := play(t, encode.Chess(), 0, true, 6, 80)
	f, _ := Find("bulletformat")
	w := must.Get(f.New(io.Discard, Spec{Source: m.ds, Shape: m.shape}))(t)
	must.Fail(w.Write(m.rows))(t, chessdata.ErrNoScore, "game 0: ply 0: the position has no score: leave such rows out with --where '!unsearched'")
	all := m.rows
	searched := encode.NewTable(all.Columns)
	column := encode.ColumnNamed(all.Columns, "searched")
	for row := range all.Rows {
		if all.Cell(column, row)[0] != 0 {
			colfile.AppendRows(searched, all, row, row+1)
		}
	}
	m.rows = searched
	data := m.write(t, "bulletformat", 50, nil)
	if searched.Rows == 0 || len(data) != searched.Rows*chessdata.BulletBytes {
		t.Fatalf("%d bytes for %d rows", len(data), searched.Rows)
	}
	for row := range searched.Rows {
		want := m.chessRow(t, row)
		again := must.Get(chessdata.AppendBullet(nil, &want))(t)
		if got := data[row*chessdata.BulletBytes:][:chessdata.BulletBytes]; !bytes.Equal(got, again) {
			t.Fatalf("row %d: %x, want %x", row, got, again)
		}
	}
}

// TestChainsGoOnInTheNextTable: the bytes of binpack do not depend on how rows come.
func TestChainsGoOnInTheNextTable(t *testing.T) {
	m := play(t, encode.Chess(), 0, false, 6, 80)
	whole := m.write(t, "binpack", m.rows.Rows, nil)
	if !bytes.Equal(m.write(t, "binpack", 7, nil), whole) {
		t.Error("rows in tables of 7 make other bytes")
	}
	if single := 8 + m.rows.Rows*34; len(whole) > single*3/4 {
		t.Errorf("%d bytes, %d as chains of one", len(whole), single)
	}
}

func TestChessFormsRefuseOtherRows(t *testing.T) {
	contrast, planes := play(t, encode.Contrast(), 0, false, 1, 10), play(t, encode.Chess(), 1, false, 1, 10)
	for _, form := range Forms() {
		if !form.Chess {
			continue
		}
		for want, s := range map[string]Spec{
			" has positions of chess only": {Source: contrast.ds, Shape: contrast.shape},
			" needs the boards of the layout compact: make them with selfplay rows --layout compact": {Source: planes.ds, Shape: planes.shape},
			" has a notation of its own": {Source: planes.ds, Shape: planes.shape, Text: true},
		} {
			must.Fail(s.Check(form))(t, nil, form.Name+want)
		}
	}
	if err := (&Spec{Source: contrast.ds}).Check(Form{Name: "epd", Chess: true}); err == nil {
		t.Error("rows of an unknown game are accepted")
	}
}
