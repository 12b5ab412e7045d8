package colfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/internal/must"
)

// bombSpec describes a file whose rows compress to almost nothing.
func bombSpec(format string) Spec {
	return Spec{Format: format, GroupRows: 1000, Columns: []encode.Column{
		{Name: "game", Kind: encode.Uint64, Len: encode.Scalar},
		{Name: "board", Kind: encode.Uint8, Len: 64},
		{Name: "list", Kind: encode.Uint32, Len: encode.Var},
	}}
}

// zeroTable returns rows of zeros, each with a list of n values.
func zeroTable(columns []encode.Column, rows, n int) *encode.Table {
	t := encode.NewTable(columns)
	for col, c := range columns {
		size := max(c.Len, 1)
		if c.Len == encode.Var {
			size = n
		}
		t.Data[col] = make([]byte, rows*size*c.Kind.Size())
		for row := range rows {
			if c.Len == encode.Var {
				t.Ends[col] = append(t.Ends[col], int32((row+1)*n))
			}
		}
	}
	t.Rows = rows
	return t
}

// mustRefuse reads a file. It must be refused with a text, in at most limit bytes.
func mustRefuse(t *testing.T, data []byte, s Spec, text string, limit uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readAll(data, s)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, fault.ErrCorrupt) || !strings.Contains(fmt.Sprint(err), text) {
		t.Errorf("%v, want ErrCorrupt with %q", err, text)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > limit {
		t.Errorf("%d bytes for a file of %d, want at most %d", took, len(data), limit)
	}
}

func TestLargeRowGroupsAreRefusedInLittleMemory(t *testing.T) {
	for format, text := range map[string]string{
		Parquet: "row group 0: corrupt: row group of 500000 rows, want at most 1000",
		Arrow:   "record batch of 500000 rows, want at most 73728",
	} {
		s := bombSpec(format)
		s.GroupRows = 1 << 20
		data := writeIn(t, s, zeroTable(s.Columns, 500_000, 0), 500_000)
		mustRefuse(t, data, bombSpec(format), text, 4<<20)
	}
}

// TestRowGroupOfMoreRowsThanItsFooterClaims forges the footer of a large row group.
func TestRowGroupOfMoreRowsThanItsFooterClaims(t *testing.T) {
	s := bombSpec(Parquet)
	s.GroupRows = 1 << 20
	var file bytes.Buffer
	w := must.Get(newParquetWriter(&file, s))(t)
	must.Do(t, w.Write(zeroTable(s.Columns, 500_000, 0)))
	w.rows = 10
	must.Do(t, w.Close())
	mustRefuse(t, file.Bytes(), bombSpec(Parquet), "pages of more rows than the 10 of the row group", 8<<20)
}

func TestLongListsOfFewRowsAreRefusedInLittleMemory(t *testing.T) {
	for format, text := range map[string]string{
		Parquet: "lists and strings of",
		Arrow:   "more than the rows of the record batch can take",
	} {
		s := bombSpec(format)
		data := writeIn(t, s, zeroTable(s.Columns, 8, 10<<20), 8)
		mustRefuse(t, data, s, text, 4<<20)
	}
}

// TestClaimsOfAFooter changes what the footer claims for a column chunk.
func TestClaimsOfAFooter(t *testing.T) {
	s := bombSpec(Parquet)
	data := writeIn(t, s, zeroTable(s.Columns, 1000, 3), 1000)
	const list = 2
	for text, claim := range map[string]func(p *parquetReader){
		"row group of 196000000 rows, want at most 1000": func(p *parquetReader) { p.file.MetaData().RowGroups[0].NumRows = 196_000_000 },
		"row group of -1 rows":                           func(p *parquetReader) { p.file.MetaData().RowGroups[0].NumRows = -1 },
		"lists and strings of 1099511627776 bytes": func(p *parquetReader) {
			p.file.MetaData().RowGroups[0].Columns[list].MetaData.TotalUncompressedSize = 1 << 40
		},
		"column list has no metadata": func(p *parquetReader) { p.file.MetaData().RowGroups[0].Columns[list].MetaData = nil },
		"2 columns, want 3": func(p *parquetReader) {
			p.file.MetaData().RowGroups[0].Columns = p.file.MetaData().RowGroups[0].Columns[:2]
		},
	} {
		p := must.Get(newParquetReader(bytes.NewReader(data), s))(t)
		claim(p)
		must.Fail(p.checkGroup(0))(t, fault.ErrCorrupt, text)
	}
}

// TestFooterThatClaimsManyElements replaces the footer: Arrow's parser allocates for the
// claim.
func TestFooterThatClaimsManyElements(t *testing.T) {
	s := bombSpec(Parquet)
	for name, footer := range map[string][]byte{
		"row groups":      append([]byte{0x15, 2, 0x39, 0xfc}, binary.AppendUvarint(nil, 90_000_000)...),
		"a list of lists": append([]byte{0x19}, bytes.Repeat([]byte{0x19}, 10_000)...),
	} {
		data := append([]byte("PAR1"), footer...)
		data = binary.LittleEndian.AppendUint32(data, uint32(len(footer)))
		data = append(data, "PAR1"...)
		t.Run(name, func(t *testing.T) { mustRefuse(t, data, s, "structure", 1<<20) })
	}
}

// TestPageHeaderThatClaimsMoreThanItsChunk: Arrow allocates for the claim before it reads.
func TestPageHeaderThatClaimsMoreThanItsChunk(t *testing.T) {
	for _, c := range []struct {
		size, compressed int64
		ok               bool
	}{
		{100, 50, true}, {100, 51, false}, {100, 1<<31 - 1, false}, {100, -1, false}, {-1, 50, false}, {1<<31 - 1, 50, true},
	} {
		zigzag := func(v int64) []byte { return binary.AppendUvarint(nil, uint64(v<<1)^uint64(v>>63)) }
		header := append([]byte{0x15, 0, 0x15}, zigzag(c.size)...)
		header = append(append(header, 0x15), zigzag(c.compressed)...)
		header = append(header, 0)
		data := append(header, make([]byte, 50)...)
		h, err := readPageHeader(bytes.NewReader(data), 0, int64(len(data)))
		if (err == nil) != c.ok || c.ok && h != (pageHeader{bytes: int64(len(header)), size: c.size, compressed: c.compressed}) {
			t.Errorf("page of %d bytes, %d compressed: %+v, %v", c.size, c.compressed, h, err)
		}
	}
}

// TestArrowBlocksMustBeInsideTheFile: Arrow allocates for the claims of a block.
func TestArrowBlocksMustBeInsideTheFile(t *testing.T) {
	s := bombSpec(Arrow)
	good := writeIn(t, s, zeroTable(s.Columns, 10, 3), 10)
	footer := must.Get(readArrowFooter(bytes.NewReader(good), int64(len(good))))(t)
	at := len(good) - arrowTrailer - len(footer) + arrowBlocks
	for field, value := range map[int]uint64{0: 1 << 40, 8: 1<<31 - 1, 16: 1 << 40} {
		data := bytes.Clone(good)
		if field == 8 {
			binary.LittleEndian.PutUint32(data[at+field:], uint32(value))
		} else {
			binary.LittleEndian.PutUint64(data[at+field:], value)
		}
		mustRefuse(t, data, s, "record batch 0 of", 1<<20)
	}
}

// FuzzThrift walks over any bytes: it ends, and never panics.
func FuzzThrift(f *testing.F) {
	s := bombSpec(Parquet)
	var file bytes.Buffer
	w, _ := newParquetWriter(&file, s)
	must.Do(f, errors.Join(w.Write(zeroTable(s.Columns, 10, 3)), w.Close()))
	data := file.Bytes()
	n := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	f.Add(data[len(data)-8-n : len(data)-8])
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkStructure(data); err != nil && !errors.Is(err, fault.ErrCorrupt) {
			t.Error(err)
		}
		_, _ = readPageHeader(bytes.NewReader(data), 0, int64(len(data)))
	})
}
