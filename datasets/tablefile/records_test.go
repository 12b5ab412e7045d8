package tablefile

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// described is what a reader of records needs of dtype.json.
type described struct {
	Version     int    `json:"version"`
	Game        string `json:"game"`
	Layout      string `json:"layout"`
	Perspective string `json:"perspective"`
	RecordBytes int    `json:"record_bytes"`
	Fields      []struct {
		Name, Type, Meaning string
		Shape               []int
		Offset              int
	} `json:"fields"`
	Files []RecordFile `json:"files"`
}

// describe returns the description of records of the dataset.
func (m *made) describe(t *testing.T, s Spec) (d described) {
	t.Helper()
	f := must.Get(Find("records"))(t)
	s.Source, s.Shape = m.ds, m.shape
	data := must.Get(f.RecordType(s, []RecordFile{{"train-00000.records", "train", 12}}))(t)
	d1 := json.NewDecoder(bytes.NewReader(data))
	d1.DisallowUnknownFields()
	if err := d1.Decode(&struct {
		*described
		Variant string `json:"variant"`
	}{described: &d}); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return d
}

// recordsReadBack reads every field at its offset, as dtype.json says.
func recordsReadBack(t *testing.T, m *made) {
	const policy = 4
	with := func(s *Spec) { s.Policy = policy }
	data := m.write(t, "records", 50, with)
	d := m.describe(t, Spec{Policy: policy})
	perspective := "board"
	if m.shape.SeenByMover() {
		perspective = "mover"
	}
	if d.Version != 1 || d.Game != m.shape.Game.Name || d.Layout != m.shape.Layout.Name || d.Perspective != perspective || len(d.Files) != 1 {
		t.Errorf("%+v", d)
	}
	if len(data) != m.rows.Rows*d.RecordBytes {
		t.Fatalf("%d bytes for %d rows of %d", len(data), m.rows.Rows, d.RecordBytes)
	}
	var names []string
	for _, f := range d.Fields {
		names = append(names, f.Name)
		col := encode.ColumnNamed(m.rows.Columns, f.Name)
		c := m.rows.Columns[col]
		values := 1
		if len(f.Shape) > 0 {
			values = f.Shape[0]
		}
		if f.Type != dtypes[c.Kind] || f.Meaning == "" || len(f.Shape) > 1 {
			t.Errorf("%+v", f)
		}
		for row := range m.rows.Rows {
			want := m.rows.Cell(col, row)
			if size := values * c.Kind.Size(); c.Len == encode.Var {
				want = slices.Concat(want[:min(len(want), size)], make([]byte, size-min(len(want), size)))
			}
			if got := data[row*d.RecordBytes+f.Offset:][:len(want)]; !bytes.Equal(got, want) {
				t.Fatalf("row %d: %s is %v, want %v", row, f.Name, got, want)
			}
		}
	}
	for _, c := range m.rows.Columns {
		policy := c.Name == "policy_action" || c.Name == "policy_weight"
		if slices.Contains(names, c.Name) != (c.Len != encode.Var || policy) {
			t.Errorf("fields %v, column %s", names, c.Name)
		}
	}
}

// TestRecordsHaveTheRequestedFields: in the requested order.
func TestRecordsHaveTheRequestedFields(t *testing.T) {
	m := play(t, encode.Contrast(), 0, false, 2, 20)
	d := m.describe(t, Spec{Fields: []string{"score", "board", "outcome"}})
	want := []struct {
		name   string
		offset int
	}{{"score", 0}, {"board", 2}, {"outcome", 31}}
	if len(d.Fields) != len(want) || d.RecordBytes != 32 {
		t.Fatalf("%+v", d)
	}
	for i, f := range d.Fields {
		if f.Name != want[i].name || f.Offset != want[i].offset {
			t.Errorf("%+v, want %+v", f, want[i])
		}
	}
}
