package tablefile

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// plain returns a cell as a value for encoding/json.
func plain(c encode.Column, v []byte) any {
	one := func(v []byte) any {
		switch c.Kind {
		case encode.Bool:
			return v[0] != 0
		case encode.Int8:
			return int8(v[0])
		case encode.Int16:
			return int16(binary.LittleEndian.Uint16(v))
		}
		var b [8]byte
		copy(b[:], v[:c.Kind.Size()])
		return binary.LittleEndian.Uint64(b[:])
	}
	if c.Kind == encode.String {
		return string(v)
	}
	if c.Len == encode.Scalar {
		return one(v)
	}
	list := []any{}
	for ; len(v) > 0; v = v[c.Kind.Size():] {
		list = append(list, one(v))
	}
	return list
}

// objects returns the rows as encoding/json writes them, hashes as text, without the columns that skip
// selects.
func (m *made) objects(t *testing.T, skip func(c encode.Column) bool, members bool) (lines []string) {
	t.Helper()
	for row := range m.rows.Rows {
		var o encode.Object
		for col, c := range m.rows.Columns {
			value := plain(c, m.rows.Cell(col, row))
			if c.Name == encode.HashColumn {
				value = fmt.Sprint(value)
			}
			if !skip(c) {
				o.Add(c.Name, value)
			}
		}
		if members && m.shape.Layout.Members != nil {
			values, side := m.board(row)
			o = append(o, m.shape.Layout.Members(values, side)...)
		}
		var b bytes.Buffer
		must.Do(t, encode.NewJSON(&b).Encode(o))
		lines = append(lines, b.String())
	}
	return lines
}

// board returns the absolute board of a row and its side to move.
func (m *made) board(row int) ([]byte, engine.Side) {
	side := engine.Side(m.rows.Cell(encode.ColumnNamed(m.rows.Columns, "side"), row)[0])
	return m.shape.Absolute(m.rows.Cell(encode.ColumnNamed(m.rows.Columns, "board"), row), side), side
}

func none(encode.Column) bool { return false }

// TestEveryRowReadsBack: for every game, layout and perspective.
func TestEveryRowReadsBack(t *testing.T) {
	eachDataset(t, func(t *testing.T, m *made) {
		for name, test := range map[string]func(*testing.T, *made){
			"jsonl": jsonEqualsEncodingJSON, "csv": csvReadsBack, "positions as text": textsAreThePositions, "npz": npzReadsBack, "webdataset": tarReadsBack,
			"records": recordsReadBack,
		} {
			t.Run(name, func(t *testing.T) { test(t, m) })
		}
	})
}

// jsonEqualsEncodingJSON compares byte for byte.
func jsonEqualsEncodingJSON(t *testing.T, m *made) {
	got := strings.SplitAfter(string(m.write(t, "jsonl", 50, nil)), "\n")
	want := append(m.objects(t, none, true), "")
	if !slices.Equal(got, want) {
		t.Errorf("%.300s, want %.300s", got, want)
	}
}

// csvReadsBack reads the file with encoding/csv.
func csvReadsBack(t *testing.T, m *made) {
	lines, err := csv.NewReader(bytes.NewReader(m.write(t, "csv", 50, nil))).ReadAll()
	if err != nil || len(lines) != m.rows.Rows+1 {
		t.Fatalf("%d lines for %d rows: %v", len(lines), m.rows.Rows, err)
	}
	for col, c := range m.rows.Columns {
		if lines[0][col] != c.Name {
			t.Errorf("column %q, want %q", lines[0][col], c.Name)
		}
		for row := range m.rows.Rows {
			want := strings.Trim(fmt.Sprint(plain(c, m.rows.Cell(col, row))), "[]")
			if got := lines[row+1][col]; got != want {
				t.Fatalf("row %d: column %s: %q, want %q", row, c.Name, got, want)
			}
		}
	}
}

// TestCSVQuotesStrings: encoding/csv reads them back.
func TestCSVQuotesStrings(t *testing.T) {
	texts := []string{"", "a", "1,2,3 x", `a "b"`, " a", "a\nb", "\"", "é"}
	var line []byte
	for i, text := range texts {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendField(line, []byte(text))
	}
	got, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil || !slices.Equal(got, texts) {
		t.Errorf("%q: %q, %v", line, got, err)
	}
}

// TestCSVQuotesFormulas: texts of imported files are no formulas for a spreadsheet. Moves and numbers stay.
func TestCSVQuotesFormulas(t *testing.T) {
	columns := []encode.Column{
		{Name: "player_first", Kind: encode.String, Len: encode.Var}, {Name: "event", Kind: encode.String, Len: encode.Var},
		{Name: "move", Kind: encode.String, Len: encode.Var}, {Name: "score", Kind: encode.Int16},
	}
	var b bytes.Buffer
	w := must.Get(openCSV(&b, &Spec{columns: columns}))(t)
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(1)", "\t=1", "a=1", ""} {
		table := encode.NewTable(columns)
		table.AddString(0, text)
		table.AddString(1, text)
		table.AddString(2, "-")
		table.AddUint16(3, 0xffff)
		table.Rows++
		must.Do(t, w.Write(table))
	}
	const want = "player_first,event,move,score\n'=1+1,'=1+1,-,-1\n'+1,'+1,-,-1\n'-1,'-1,-,-1\n'@SUM(1),'@SUM(1),-,-1\n'\t=1,'\t=1,-,-1\na=1,a=1,-,-1\n,,-,-1\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// textsAreThePositions checks that the column position is the position of the board, in
// every perspective.
func textsAreThePositions(t *testing.T, m *made) {
	decode := m.shape.Layout.Decode
	if decode == nil {
		f, _ := Find("csv")
		if _, err := f.New(nil, Spec{Source: m.ds, Shape: m.shape, Text: true}); err == nil || err.Error() != "boards of layout planes cannot be written as text" {
			t.Errorf("error %v", err)
		}
		return
	}
	text := func(s *Spec) { s.Text = true }
	lines := must.Get(csv.NewReader(bytes.NewReader(m.write(t, "csv", 50, text))).ReadAll())(t)
	objects := json.NewDecoder(bytes.NewReader(m.write(t, "jsonl", 50, text)))
	for row := range m.rows.Rows {
		want, err := decode(m.board(row))
		if number := m.shape.Layout.AtPly; number != nil {
			want = number(want, int(binary.LittleEndian.Uint16(m.rows.Cell(1, row))))
		}
		var o map[string]any
		if err == nil {
			err = objects.Decode(&o)
		}
		if got := lines[row+1][3]; err != nil || lines[0][3] != "position" || got != want || o["position"] != want || o["board"] != nil {
			t.Fatalf("row %d: %q and %v, want %q, %v", row, got, o["position"], want, err)
		}
	}
}

// TestBytesDependOnRowsOnly: neither on how rows are divided into tables nor on the folder.
func TestBytesDependOnRowsOnly(t *testing.T) {
	m := play(t, encode.Chess(), 0, false, 12, 60)
	// An Arrow batch has 8,192 rows. Make enough rows for two.
	all := encode.NewTable(m.rows.Columns)
	for all.Rows < 9000 {
		colfile.AppendRows(all, m.rows, 0, m.rows.Rows)
	}
	m.rows = all
	src := rand.New(rand.NewPCG(1, 2))
	for _, f := range Forms() {
		if f.Name == "bulletformat" { // has searched rows only
			continue
		}
		for _, compress := range []bool{false, f.Codec != ""} {
			with := func(s *Spec) { s.Compress = compress }
			whole := m.write(t, f.Name, m.rows.Rows, with)
			cut := m.write(t, f.Name, 1+src.IntN(3000), with)
			if !bytes.Equal(whole, cut) {
				t.Errorf("%s, compressed %t: the bytes depend on the tables", f.Name, compress)
			}
		}
	}
}

// TestFindForms: by name and by the extension of a file.
func TestFindForms(t *testing.T) {
	for _, f := range Forms() {
		if got, err := Find(f.Name); err != nil || got.Ext != f.Ext {
			t.Errorf("%s: %v, %v", f.Name, got, err)
		}
		if got, err := FindExt("a.b" + f.Ext); err != nil || got.Name != f.Name {
			t.Errorf("%s: %v, %v", f.Ext, got, err)
		}
		if f.Doc == "" {
			t.Errorf("%s has no Doc", f.Name)
		}
	}
	const want = "want one of parquet, arrow, arrow-stream, csv, jsonl, npz, webdataset, records, bulletformat, binpack, plain, epd"
	must.Fail(Find("xlsx"))(t, nil, want)
	if _, err := FindExt("csv"); err == nil {
		t.Error("a file name without an extension has a form")
	}
}

// someColumns are columns of rows.
var someColumns = []encode.Column{{Name: "game", Kind: encode.Uint64}, {Name: "ply", Kind: encode.Uint16}}

func TestNewRefusesInvalidSpecs(t *testing.T) {
	for _, c := range []struct {
		form string
		spec Spec
		want string
	}{
		{"csv", Spec{BoardType: plan.List}, "csv has no board types"},
		{"npz", Spec{BoardType: plan.Packed}, "npz has no board types"},
		{"arrow", Spec{BoardType: "round"}, `unknown board type "round"`},
		{"parquet", Spec{Compress: true}, "parquet has no compression of its own"},
		{"csv", Spec{Columns: someColumns, Fields: []string{"gane"}}, `unknown column "gane": want some of game, ply`},
		{"csv", Spec{Columns: someColumns, Fields: []string{"game", "game"}}, `column "game" is given twice`},
		{"webdataset", Spec{Columns: someColumns, Fields: []string{"game"}}, "webdataset names its files by game and ply"},
		{"epd", Spec{Columns: someColumns}, "epd has columns of its own"},
		{"records", Spec{Columns: someColumns}, "records has numbers only"},
		{"npz", Spec{Policy: 3}, "npz has whole policies"},
		{"records", Spec{Text: true}, "records has numbers only"},
		{"csv", Spec{Text: true}, "positions as text need a game that this program knows"},
	} {
		f := must.Get(Find(c.form))(t)
		must.Fail(f.New(nil, c.spec))(t, nil, c.want)
	}
}

// failing is a sink that accepts room bytes and then returns errors.
type failing struct{ room int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestWriterReturnsSinkErrors: at any byte, and leaves no temporary file.
func TestWriterReturnsSinkErrors(t *testing.T) {
	contrast, positions := play(t, encode.Contrast(), 0, false, 4, 40), play(t, encode.Chess(), 0, false, 4, 40)
	for _, f := range Forms() {
		m := contrast
		if f.Chess {
			m = positions
		}
		if f.Name == "bulletformat" { // has searched rows only
			continue
		}
		whole := len(m.write(t, f.Name, 50, nil))
		for room := 0; room < whole; room += 1 + whole/15 {
			temp := t.TempDir()
			w, err := f.New(&failing{room}, Spec{Source: m.ds, Shape: m.shape, Rows: uint64(m.rows.Rows), Temp: temp})
			if err == nil {
				if err = w.Write(m.rows); err == nil || f.Name == "npz" || f.Name == "binpack" {
					err = errors.Join(err, w.Close())
				}
			}
			if !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d of %d bytes: %v", f.Name, room, whole, err)
			}
			if files, _ := os.ReadDir(temp); len(files) > 0 {
				t.Errorf("%s leaves %v", f.Name, files)
			}
		}
	}
}
