package tablefile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// npyText is the text of a header, as the format is defined.
var npyText = regexp.MustCompile(`^\{'descr': '([<|][biu][1248])', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n$`)

// readNPY parses an .npy file.
func readNPY(t *testing.T, data []byte) (dtype, shape string, values []byte) {
	t.Helper()
	if len(data) < 10 || string(data[:8]) != "\x93NUMPY\x01\x00" {
		t.Fatalf("no header: %.20q", data)
	}
	end := 10 + int(binary.LittleEndian.Uint16(data[8:]))
	found := npyText.FindSubmatch(data[10:end])
	if found == nil || end%64 != 0 {
		t.Fatalf("header of %d bytes: %q", end, data[10:end])
	}
	return string(found[1]), string(found[2]), data[end:]
}

func TestNPYHeader(t *testing.T) {
	for want, shape := range map[string][]uint64{"5,": {5}, "0,": {0}, "123, 138": {123, 138}, "": {}} {
		dtype, got, _ := readNPY(t, headerNPY("<u2", shape...))
		if got != want || dtype != "<u2" {
			t.Errorf("%v: shape (%s), want (%s)", shape, got, want)
		}
	}
	for n := range uint64(130) { // all remainders of the length
		readNPY(t, headerNPY("|u1", 10*n*n*n*n*n*n*n, n))
	}
}

// npzReadsBack checks every column, stored and compressed.
func npzReadsBack(t *testing.T, m *made) {
	for _, compress := range []bool{false, true} {
		data := m.write(t, "npz", 50, func(s *Spec) { s.Compress = compress })
		arrays := unzip(t, data, compress)
		for col, c := range m.rows.Columns {
			dtype, shape, values := readNPY(t, arrays[c.Name+".npy"])
			n := len(m.rows.Data[col]) / c.Kind.Size()
			want := fmt.Sprintf("%d,", n)
			if c.Len > 0 {
				want = fmt.Sprintf("%d, %d", m.rows.Rows, c.Len)
			}
			if dtype != dtypes[c.Kind] || shape != want || !bytes.Equal(values, m.rows.Data[col]) {
				t.Errorf("%s: %s (%s), want %s (%s)", c.Name, dtype, shape, dtypes[c.Kind], want)
			}
			if c.Len == encode.Var {
				m.checkOffsets(t, col, arrays[c.Name+"_offsets.npy"])
			}
		}
		_, _, shape := readNPYOr(t, arrays["plane_shape.npy"])
		if planes := m.shape.Layout.Name == "planes"; planes != (len(shape) == 24) {
			t.Errorf("plane_shape has %d bytes", len(shape))
		} else if planes && binary.LittleEndian.Uint64(shape) == 0 {
			t.Errorf("plane_shape is %v", shape)
		}
		var metadata map[string]string
		_, _, text := readNPY(t, arrays["metadata.npy"])
		if err := json.Unmarshal(text, &metadata); err != nil || metadata["selfplay.source_plan_hash"] != m.ds.PlanHash() || metadata["selfplay.reasons"] == "" {
			t.Errorf("%v: %s", err, text)
		}
	}
}

func readNPYOr(t *testing.T, data []byte) (string, string, []byte) {
	if data == nil {
		return "", "", nil
	}
	return readNPY(t, data)
}

func unzip(t *testing.T, data []byte, compressed bool) map[string][]byte {
	t.Helper()
	z := must.Get(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	files := map[string][]byte{}
	for _, f := range z.File {
		if compressed != (f.Method == zip.Deflate) || f.ModifiedDate != 0 || f.ModifiedTime != 0 {
			t.Errorf("%s: method %d, modified %d %d", f.Name, f.Method, f.ModifiedDate, f.ModifiedTime)
		}
		r := must.Get(f.Open())(t)
		files[f.Name] = must.Get(io.ReadAll(r))(t)
	}
	return files
}

// checkOffsets compares offsets with the row ends of a column.
func (m *made) checkOffsets(t *testing.T, col int, file []byte) {
	t.Helper()
	dtype, shape, values := readNPY(t, file)
	want := binary.LittleEndian.AppendUint64(nil, 0)
	for _, end := range m.rows.Ends[col] {
		want = binary.LittleEndian.AppendUint64(want, uint64(end))
	}
	if dtype != "<i8" || shape != fmt.Sprintf("%d,", m.rows.Rows+1) || !bytes.Equal(values, want) {
		t.Errorf("offsets of %s: %s (%s)", m.rows.Columns[col].Name, dtype, shape)
	}
}

// TestNPZRefusesAnotherNumberOfRows: fewer or more than Spec.Rows.
func TestNPZRefusesAnotherNumberOfRows(t *testing.T) {
	m := play(t, encode.Contrast(), 0, false, 2, 20)
	f, _ := Find("npz")
	for _, n := range []int{m.rows.Rows - 1, m.rows.Rows + 1} {
		w := must.Get(f.New(io.Discard, Spec{Source: m.ds, Shape: m.shape, Rows: uint64(n), Temp: t.TempDir()}))(t)
		err := w.Write(m.rows)
		if err == nil {
			err = w.Close()
		} else {
			w.Close()
		}
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(n)) {
			t.Errorf("%d rows written, %d announced: %v", m.rows.Rows, n, err)
		}
	}
}

// tarReadsBack checks names and contents, and that the tar contains no time.
func tarReadsBack(t *testing.T, m *made) {
	archive := tar.NewReader(bytes.NewReader(m.write(t, "webdataset", 50, nil)))
	next := func(name string) []byte {
		t.Helper()
		h, err := archive.Next()
		if err != nil || h.Name != name || h.Mode != 0o644 || h.ModTime.Unix() != 0 || h.Uname+h.Gname != "" || h.Uid+h.Gid != 0 {
			t.Fatalf("%+v, %v, want %s", h, err, name)
		}
		data := must.Get(io.ReadAll(archive))(t)
		return data
	}
	board := encode.ColumnNamed(m.rows.Columns, "board")
	rest := m.objects(t, func(c encode.Column) bool { return c.Len > 0 }, false)
	for row := range m.rows.Rows {
		key := fmt.Sprintf("%010d-%05d", plain(m.rows.Columns[0], m.rows.Cell(0, row)), plain(m.rows.Columns[1], m.rows.Cell(1, row)))
		dtype, shape, values := readNPY(t, next(key+".board.npy"))
		c := m.rows.Columns[board]
		if dtype != dtypes[c.Kind] || shape != fmt.Sprintf("%d,", c.Len) || !slices.Equal(values, m.rows.Cell(board, row)) {
			t.Fatalf("row %d: %s (%s)", row, dtype, shape)
		}
		if got := next(key + ".json"); string(got)+"\n" != rest[row] {
			t.Fatalf("row %d: %s, want %s", row, got, rest[row])
		}
	}
	if h, err := archive.Next(); err != io.EOF {
		t.Errorf("%v, %v after the last row", h, err)
	}
}

func TestWIDS(t *testing.T) {
	const want = `{"__kind__":"wids-shard-index-v1","wids_version":1,"name":"train","shardlist":[{"url":"train-00000.tar","md5sum":"ab","nsamples":3,"filesize":10240}]}` + "\n"
	if got := WIDS("train", []Shard{{"train-00000.tar", "ab", 3, 10240}}); string(got) != want {
		t.Errorf("%s", got)
	}
}
