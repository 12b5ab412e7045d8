package tablefile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"selfplay/datasets/spill"
	"selfplay/encode"
)

// npzWriter writes a zip of .npy files, one for each column. A zip stores its files one
// after the other, but rows arrive with all columns. The writer therefore streams the first
// array column, which has most of the bytes, into the zip, and keeps every other column in
// a temporary file until Close. The header of the streamed array contains the number of
// rows, which must be known in advance.
//
// A list column is two arrays, the values and NAME_offsets: row i has the values from
// offsets[i] up to, but not including, offsets[i+1]. plane_shape is the shape of one row of
// a board of layout planes, after its bits are unpacked. metadata is a JSON object as
// bytes.
type npzWriter struct {
	spec   *Spec
	zip    *zip.Writer
	direct int       // the streamed column, -1 for none
	board  io.Writer // entry of the streamed column
	temps  []*tempArray
	rows   uint64
}

// tempArray is an array in a temporary file.
type tempArray struct {
	name   string
	dtype  string
	shape  func() []uint64
	file   *spill.File
	values uint64
}

func openNPZ(w io.Writer, s *Spec) (Writer, error) {
	n := &npzWriter{spec: s, zip: zip.NewWriter(w), direct: -1}
	n.zip.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	for col, c := range s.columns {
		if c.Len > 0 {
			n.direct = col
			break
		}
	}
	if n.direct >= 0 {
		c := s.columns[n.direct]
		var err error
		n.board, err = n.entry(c.Name, dtypes[c.Kind], s.Rows, uint64(c.Len))
		if err != nil {
			return nil, err
		}
	}
	n.temps = make([]*tempArray, 2*len(s.columns)) // values and offsets of each column
	for col, c := range s.columns {
		if col == n.direct {
			continue
		}
		if err := n.createTemps(col, c); err != nil {
			n.drop()
			return nil, err
		}
	}
	return n, nil
}

// entry begins an .npy file in the zip.
func (n *npzWriter) entry(name, dtype string, shape ...uint64) (io.Writer, error) {
	method := zip.Store
	if n.spec.Compress {
		method = zip.Deflate
	}
	w, err := n.zip.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method}) // no time: the bytes depend on the rows only
	if err != nil {
		return nil, err
	}
	_, err = w.Write(headerNPY(dtype, shape...))
	return w, err
}

// createTemps creates the temporary files of a column.
func (n *npzWriter) createTemps(col int, c encode.Column) (err error) {
	values := &tempArray{name: c.Name, dtype: dtypes[c.Kind]}
	values.shape = func() []uint64 {
		if c.Len > 0 {
			return []uint64{n.rows, uint64(c.Len)}
		}
		return []uint64{values.values}
	}
	n.temps[2*col] = values
	if err := values.create(n.spec.Temp); err != nil {
		return err
	}
	if c.Len != encode.Var {
		return nil
	}
	offsets := &tempArray{name: c.Name + "_offsets", dtype: "<i8", shape: func() []uint64 { return []uint64{n.rows + 1} }}
	n.temps[2*col+1] = offsets
	if err := offsets.create(n.spec.Temp); err != nil {
		return err
	}
	return offsets.writeOffset(0)
}

func (a *tempArray) create(dir string) (err error) {
	a.file, err = spill.NewFile(dir, a.name+"-*.npy", 64<<10)
	return err
}

func (a *tempArray) writeOffset(n uint64) error {
	_, err := a.file.Write(binary.LittleEndian.AppendUint64(nil, n))
	return err
}

// Write appends the rows of t.
func (n *npzWriter) Write(t *encode.Table) error {
	n.rows += uint64(t.Rows)
	if n.rows > n.spec.Rows {
		return fmt.Errorf("write npz: more than %d rows", n.spec.Rows)
	}
	for col, c := range t.Columns {
		values := n.temps[2*col]
		if values == nil {
			if _, err := n.board.Write(t.Data[col]); err != nil {
				return err
			}
			continue
		}
		base := values.values
		values.values += uint64(len(t.Data[col]) / c.Kind.Size())
		if _, err := values.file.Write(t.Data[col]); err != nil {
			return err
		}
		for _, end := range t.Ends[col] {
			if err := n.temps[2*col+1].writeOffset(base + uint64(end)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close writes the arrays in temporary files, the metadata, and the directory of the zip.
func (n *npzWriter) Close() error {
	defer n.drop()
	if n.rows != n.spec.Rows {
		return fmt.Errorf("write npz: %d rows, want %d", n.rows, n.spec.Rows)
	}
	for _, a := range n.temps {
		if a == nil {
			continue
		}
		if err := n.move(a); err != nil {
			return err
		}
	}
	if err := n.describe(); err != nil {
		return err
	}
	return n.zip.Close()
}

// move writes an array from its temporary file into the zip.
func (n *npzWriter) move(a *tempArray) error {
	r, err := a.file.Reader()
	if err != nil {
		return err
	}
	entry, err := n.entry(a.name, a.dtype, a.shape()...)
	if err != nil {
		return err
	}
	_, err = io.Copy(entry, r)
	return errors.Join(err, a.drop())
}

// drop removes the temporary file.
func (a *tempArray) drop() error {
	if a.file == nil {
		return nil
	}
	f := a.file
	a.file = nil
	return f.Close()
}

func (n *npzWriter) drop() {
	for _, a := range n.temps {
		if a != nil {
			_ = a.drop() // the owner of Spec.Temp removes files that could not be removed
		}
	}
}

// describe writes plane_shape and metadata.
func (n *npzWriter) describe() error {
	for _, kv := range n.spec.metadata() {
		if kv.Key != encode.PlaneShape || n.direct < 0 {
			continue
		}
		var values []byte
		axes := strings.Split(strings.Trim(kv.Value, "[]"), ",")
		for _, axis := range axes {
			var size uint64
			if _, err := fmt.Sscan(axis, &size); err != nil {
				return fmt.Errorf("read %s %q: %w", kv.Key, kv.Value, err)
			}
			values = binary.LittleEndian.AppendUint64(values, size)
		}
		entry, err := n.entry(encode.PlaneShape, "<i8", uint64(len(axes)))
		if err == nil {
			_, err = entry.Write(values)
		}
		if err != nil {
			return err
		}
	}
	text := bytes.TrimSuffix(MetadataJSON(n.spec.metadata()), []byte("\n"))
	entry, err := n.entry("metadata", "|u1", uint64(len(text)))
	if err == nil {
		_, err = entry.Write(text)
	}
	return err
}

// dtypes are NumPy's names of the kinds. A string is stored as bytes.
var dtypes = map[encode.Kind]string{
	encode.Bool:   "|b1",
	encode.Uint8:  "|u1",
	encode.Uint16: "<u2",
	encode.Uint32: "<u4",
	encode.Uint64: "<u8",
	encode.Int8:   "|i1",
	encode.Int16:  "<i2",
	encode.String: "|u1",
}

// headerNPY returns the header of an .npy file, version 1.0. The values follow the header,
// little endian, in C order.
func headerNPY(dtype string, shape ...uint64) []byte {
	const fixed, align = 10, 64 // bytes before the text; alignment of the values
	var axes strings.Builder
	for i, n := range shape {
		if i > 0 {
			axes.WriteByte(' ')
		}
		fmt.Fprintf(&axes, "%d,", n)
	}
	text := axes.String()
	if len(shape) > 1 {
		text = strings.TrimSuffix(text, ",") // only a tuple of one element has a trailing comma
	}
	text = fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, text)
	text += strings.Repeat(" ", align-1-(fixed+len(text))%align) + "\n"
	header := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(text)))
	return append(header, text...)
}
