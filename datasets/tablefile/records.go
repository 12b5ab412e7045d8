package tablefile

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"fmt"
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

// tarWriter writes the files of a row under one key, the numbers of game and ply:
//
//	0000000123-00045.board.npy  one file for every array column
//	0000000123-00045.json       the other columns
//
// With Spec.RowKeys the key is the number of the row.
type tarWriter struct {
	tar       *tar.Writer
	byRow     bool
	row       uint64   // of the next row, if byRow
	game, ply int      // columns
	headers   [][]byte // of .npy files, by column; nil for other columns
	text      []byte
}

func openTar(w io.Writer, s *Spec) (Writer, error) {
	game, ply := encode.ColumnNamed(s.columns, encode.GameColumn), encode.ColumnNamed(s.columns, encode.PlyColumn)
	x := &tarWriter{tar: tar.NewWriter(w), byRow: s.RowKeys, row: s.First, game: game, ply: ply}
	for _, c := range s.columns {
		var header []byte
		if c.Len > 0 {
			header = headerNPY(dtypes[c.Kind], uint64(c.Len))
		}
		x.headers = append(x.headers, header)
	}
	return x, nil
}

// Write appends the rows of t.
func (x *tarWriter) Write(t *encode.Table) error {
	for row := range t.Rows {
		key := x.key(t, row)
		x.text = append(x.text[:0], '{')
		for col := range t.Columns {
			c, v := &t.Columns[col], t.Cell(col, row)
			if header := x.headers[col]; header != nil {
				if err := x.member(key+"."+c.Name+".npy", header, v); err != nil {
					return err
				}
				continue
			}
			if len(x.text) > 1 {
				x.text = append(x.text, ',')
			}
			x.text = appendMember(x.text, c, v)
		}
		x.text = append(x.text, '}')
		if err := x.member(key+".json", x.text); err != nil {
			return err
		}
	}
	return nil
}

// key returns the key of the next row, a row of t.
func (x *tarWriter) key(t *encode.Table, row int) string {
	if x.byRow {
		x.row++
		return fmt.Sprintf("%010d", x.row-1)
	}
	return fmt.Sprintf("%010d-%05d", binary.LittleEndian.Uint64(t.Cell(x.game, row)), binary.LittleEndian.Uint16(t.Cell(x.ply, row)))
}

// member writes a file that consists of parts.
func (x *tarWriter) member(name string, parts ...[]byte) error {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if err := x.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(size), Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	for _, p := range parts {
		if _, err := x.tar.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the end of the archive.
func (x *tarWriter) Close() error { return x.tar.Close() }

// Shard is the entry of a file in an index.
type Shard struct {
	URL      string `json:"url"`
	MD5      string `json:"md5sum"`
	Rows     uint64 `json:"nsamples"`
	FileSize int64  `json:"filesize"`
}

// WIDS returns the index that webdataset needs to read single rows of many files.
func WIDS(name string, shards []Shard) []byte {
	var o encode.Object
	o.Add("__kind__", "wids-shard-index-v1")
	o.Add("wids_version", 1)
	o.Add("name", name)
	o.Add("shardlist", shards)
	return encodeObject(o)
}

// MetadataJSON returns metadata as a JSON object.
func MetadataJSON(list []encode.KeyValue) []byte {
	var o encode.Object
	for _, kv := range list {
		o.Add(kv.Key, kv.Value)
	}
	return encodeObject(o)
}

func encodeObject(o any) []byte {
	var b bytes.Buffer
	if err := encode.NewJSON(&b).Encode(o); err != nil {
		panic(fmt.Sprintf("tablefile: encode: %v", err)) // strings and numbers always encode
	}
	return b.Bytes()
}
