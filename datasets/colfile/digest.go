package colfile

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/zeebo/xxh3"

	"selfplay/encode"
)

// RowDigest computes the digest of the rows of one table, version 1:
//
//	column  = XXH3-128 of the column's values, little endian, in row order
//	lengths = for a Var column, XXH3-128 of each row's number of values as uint32
//	digest  = XXH3-128 of the number of rows as uint64, then for every column
//	          name, 0x00, kind's name, 0x00, Len as int32, column [, lengths]
//
// Numbers are little endian; sums are big endian, the canonical form of XXH3. A string
// is the list of its bytes; a bool is the byte 0 or 1.
//
// The digest is over values, not over the bytes of a file: it is the same for Parquet
// and Arrow, for lists and packed boards, and for any batches.
type RowDigest struct {
	Rows    uint64 // added so far
	columns []encode.Column
	values  []*xxh3.Hasher // of each column
	lengths []*xxh3.Hasher
	scratch []byte
}

// NewRowDigest returns the digest of no rows.
func NewRowDigest(columns []encode.Column) *RowDigest {
	d := &RowDigest{columns: columns}
	for range columns {
		d.values = append(d.values, xxh3.New())
		d.lengths = append(d.lengths, xxh3.New())
	}
	return d
}

// Add adds all rows of t, whose columns are those of the digest.
func (d *RowDigest) Add(t *encode.Table) {
	for i := range d.columns {
		d.addCells(i, Cells{t.Rows, t.Data[i], t.Ends[i]})
	}
	d.Rows += uint64(t.Rows)
}

// addCells adds cells to one column. The caller counts rows in d.Rows once all columns
// have them.
func (d *RowDigest) addCells(col int, c Cells) {
	d.values[col].Write(c.Values)
	if d.columns[col].Len != encode.Var {
		return
	}
	d.scratch = d.scratch[:0]
	start := int32(0)
	for _, end := range c.Ends {
		d.scratch = binary.LittleEndian.AppendUint32(d.scratch, uint32(end-start))
		start = end
	}
	d.lengths[col].Write(d.scratch)
}

// Sum returns the digest of the rows added so far, 32 hexadecimal digits.
func (d *RowDigest) Sum() string {
	h := xxh3.New()
	b := binary.LittleEndian.AppendUint64(nil, d.Rows)
	for i, c := range d.columns {
		b = append(b, c.Name...)
		b = append(b, 0)
		b = append(b, c.Kind.String()...)
		b = append(b, 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(int32(c.Len)))
		b = appendSum(b, d.values[i])
		if c.Len == encode.Var {
			b = appendSum(b, d.lengths[i])
		}
	}
	h.Write(b)
	return hex.EncodeToString(appendSum(nil, h))
}

func appendSum(dst []byte, h *xxh3.Hasher) []byte {
	sum := h.Sum128().Bytes()
	return append(dst, sum[:]...)
}
