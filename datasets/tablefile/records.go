package tablefile

import (
	"io"

	"selfplay/encode"
)

// recordsWriter writes rows of fixed size, without a header. The layout is encode.Struct; what
// the bytes mean is in the file that RecordType makes.
type recordsWriter struct {
	w    io.Writer
	rows *encode.Struct
	data []byte
}

// RecordTypeName is the name of the file that describes the records beside it.
const RecordTypeName = "dtype.json"

func openRecords(w io.Writer, s *Spec) (Writer, error) {
	rows, err := encode.NewStruct(s.columns, s.Fields, s.Policy)
	return &recordsWriter{w: w, rows: rows}, err
}

// Write appends the rows of t.
func (r *recordsWriter) Write(t *encode.Table) error {
	r.data = r.rows.Append(r.data[:0], t)
	_, err := r.w.Write(r.data)
	return err
}

// Close does nothing: Write has written every row.
func (r *recordsWriter) Close() error { return nil }

// recordType describes records. NumPy makes a dtype of name, type, shape and offset of the
// fields and of record_bytes.
type recordType struct {
	Version     int           `json:"version"`
	Game        string        `json:"game"`
	Variant     string        `json:"variant"`
	Layout      string        `json:"layout"`
	Perspective string        `json:"perspective"` // board or mover
	RecordBytes int           `json:"record_bytes"`
	Fields      []recordField `json:"fields"`
	Files       []RecordFile  `json:"files"`
}

type recordField struct {
	Name    string `json:"name"`
	Type    string `json:"type"`  // NumPy's name, such as <u2
	Shape   []int  `json:"shape"` // [] for a number, [n] for an array
	Offset  int    `json:"offset"`
	Meaning string `json:"meaning"`
}

// RecordFile is a file of records.
type RecordFile struct {
	Name    string `json:"name"`
	Split   string `json:"split"`
	Records uint64 `json:"records"`
}

// RecordType returns the content of RecordTypeName. The form must have fields.
func (f *Form) RecordType(s Spec, files []RecordFile) ([]byte, error) {
	s.complete(f)
	rows, err := encode.NewStruct(s.columns, s.Fields, s.Policy)
	if err != nil {
		return nil, err
	}
	plan := s.Source.Plan()
	t := recordType{Version: 1, Game: plan.Game, Variant: plan.Variant, Layout: plan.Layout, RecordBytes: rows.Size, Files: files}
	for _, kv := range s.metadata() {
		if kv.Key == perspectiveKey {
			t.Perspective = kv.Value
		}
	}
	for i := range rows.Fields {
		c := &rows.Fields[i]
		shape := []int{}
		if c.Len > 0 {
			shape = append(shape, c.Len)
		}
		t.Fields = append(t.Fields, recordField{c.Name, dtypes[c.Kind], shape, c.Offset, c.Doc})
	}
	return encodeObject(t), nil
}

const perspectiveKey = "selfplay.perspective"
