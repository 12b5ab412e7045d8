package tablefile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/flate"

	"selfplay/encode"
)

// npzWriter writes a zip of .npy files. They lie in it one after the other, but rows
// have a little of each: so the first array column, which is most of the bytes, goes
// into the zip as it comes, and every other column waits in a file of its own. That
// takes no memory, but the number of rows has to be known: it is in front of the board.
//
// A list column is two arrays, its values and NAME_offsets: row i has the values from
// offsets[i] up to offsets[i+1]. The entry plane_shape is what a row of the board of
// layout planes is to be reshaped to once its bits are unpacked; metadata is a JSON
// object as bytes.
type npzWriter struct {
	spec   *Spec
	zip    *zip.Writer
	direct int       // column that is written at once, -1 for none
	board  io.Writer // its entry
	waits  []*waiting
	rows   uint64
}

// waiting is an array that is still in a file.
type waiting struct {
	name   string
	dtype  string
	shape  func() []uint64
	f      *os.File
	w      *bufio.Writer
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
		if n.board, err = n.entry(c.Name, dtypes[c.Kind], s.Rows, uint64(c.Len)); err != nil {
			return nil, err
		}
	}
	n.waits = make([]*waiting, 2*len(s.columns))
	for col, c := range s.columns {
		if col == n.direct {
			continue
		}
		if err := n.wait(col, c); err != nil {
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
	w, err := n.zip.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: method}) // without a clock
	if err != nil {
		return nil, err
	}
	_, err = w.Write(appendNPY(nil, dtype, shape...))
	return w, err
}

// wait makes the files of a column.
func (n *npzWriter) wait(col int, c encode.Column) (err error) {
	values := &waiting{name: c.Name, dtype: dtypes[c.Kind]}
	values.shape = func() []uint64 {
		if c.Len > 0 {
			return []uint64{n.rows, uint64(c.Len)}
		}
		return []uint64{values.values}
	}
	n.waits[2*col] = values
	if err := values.create(n.spec.Temp); err != nil {
		return err
	}
	if c.Len != encode.Var {
		return nil
	}
	offsets := &waiting{name: c.Name + "_offsets", dtype: "<i8", shape: func() []uint64 { return []uint64{n.rows + 1} }}
	n.waits[2*col+1] = offsets
	if err := offsets.create(n.spec.Temp); err != nil {
		return err
	}
	return offsets.offset(0)
}

func (w *waiting) create(dir string) (err error) {
	if w.f, err = os.CreateTemp(dir, w.name+"-*.npy"); err == nil {
		w.w = bufio.NewWriterSize(w.f, 64<<10)
	}
	return err
}

func (w *waiting) offset(n uint64) error {
	_, err := w.w.Write(binary.LittleEndian.AppendUint64(nil, n))
	return err
}

// Write appends the rows of t.
func (n *npzWriter) Write(t *encode.Table) error {
	n.rows += uint64(t.Rows)
	if n.rows > n.spec.Rows {
		return fmt.Errorf("write npz: more than %d rows", n.spec.Rows)
	}
	for col, c := range t.Columns {
		values := n.waits[2*col]
		if values == nil {
			if _, err := n.board.Write(t.Data[col]); err != nil {
				return err
			}
			continue
		}
		base := values.values
		values.values += uint64(len(t.Data[col]) / c.Kind.Size())
		if _, err := values.w.Write(t.Data[col]); err != nil {
			return err
		}
		for _, end := range t.Ends[col] {
			if err := n.waits[2*col+1].offset(base + uint64(end)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close writes all that waits, what it means, and the directory of the zip.
func (n *npzWriter) Close() error {
	defer n.drop()
	if n.rows != n.spec.Rows {
		return fmt.Errorf("write npz: %d rows, want %d", n.rows, n.spec.Rows)
	}
	for _, w := range n.waits {
		if w == nil {
			continue
		}
		if err := n.move(w); err != nil {
			return err
		}
	}
	if err := n.describe(); err != nil {
		return err
	}
	return n.zip.Close()
}

// move writes a waiting array into the zip.
func (n *npzWriter) move(w *waiting) error {
	if err := w.w.Flush(); err != nil {
		return err
	}
	if _, err := w.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	entry, err := n.entry(w.name, w.dtype, w.shape()...)
	if err != nil {
		return err
	}
	_, err = io.Copy(entry, w.f)
	return errors.Join(err, w.drop())
}

// drop removes the file.
func (w *waiting) drop() error {
	if w.f == nil {
		return nil
	}
	err := errors.Join(w.f.Close(), os.Remove(w.f.Name()))
	w.f = nil
	return err
}

func (n *npzWriter) drop() {
	for _, w := range n.waits {
		if w != nil {
			w.drop() // whoever gave the folder sweeps what stays
		}
	}
}

// describe writes the entries that are no columns.
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
