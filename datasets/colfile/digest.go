package colfile

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/zeebo/xxh3"

	"selfplay/encode"
)

// Row digest, version 1. It is over values, not over bytes of a file: the same
// for Parquet and Arrow, lists and packed boards, whatever the batches were.
//
//	column = XXH3-128 of the column's values, little endian, in row order
//	lengths = for a Var column, XXH3-128 of each row's length as uint32
//	digest = XXH3-128 of rows as uint64, then for every column
//	         name, 0x00, kind's name, 0x00, Len as int32, column [, lengths]
//
// Numbers are little endian, sums big endian (the canonical form of XXH3). A
// string is the list of its bytes; a bool is the byte 0 or 1.

// rowDigest sums up the rows of one table.
type RowDigest struct {
	columns []encode.Column
	Rows    uint64
	values  []*xxh3.Hasher
	lengths []*xxh3.Hasher
	scratch []byte
}

func NewRowDigest(columns []encode.Column) *RowDigest {
	d := &RowDigest{columns: columns}
	for range columns {
		d.values = append(d.values, xxh3.New())
		d.lengths = append(d.lengths, xxh3.New())
	}
	return d
}

// add adds whole rows.
func (d *RowDigest) Add(t *encode.Table) {
	for i := range d.columns {
		d.addCells(i, Cells{t.Rows, t.Data[i], t.Ends[i]})
	}
	d.Rows += uint64(t.Rows)
}

// addCells adds cells to one column; the caller counts rows once they are
// complete.
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

// sum returns the digest in hexadecimal.
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
