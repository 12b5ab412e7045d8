package colfile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/internal/goroutine"
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

// Reading a new file back takes a fifth of the time of random rows. The digest has one sum for each
// column, so other goroutines read columns of a Parquet file while processors are idle.

// DigestRows returns the digest of all rows of r, whose columns are given.
func DigestRows(r Reader, columns []encode.Column) (*RowDigest, error) {
	d, err := newColumnDigest(r, columns)
	if err != nil {
		return nil, err
	}
	busy.Add(1)
	defer busy.Add(-1)
	group := goroutine.New()
	for range len(columns) - 1 {
		own, ok := copyReader(r)
		if !ok || !reserve() {
			break
		}
		group.Go(func() error {
			defer busy.Add(-1)
			d.take(own)
			return nil
		})
	}
	d.take(r)
	return d.sum, errors.Join(append(d.errs, group.Wait())...)
}

// columnDigest is a digest whose columns several goroutines take in turn.
type columnDigest struct {
	sum  *RowDigest
	rows []int // of each group
	next atomic.Int64
	errs []error // of each column
}

func newColumnDigest(r Reader, columns []encode.Column) (*columnDigest, error) {
	d := &columnDigest{sum: NewRowDigest(columns), errs: make([]error, len(columns))}
	for g := range r.Groups() {
		n, err := r.Rows(g)
		if err != nil {
			return nil, fmt.Errorf("row group %d: %w", g, err)
		}
		d.rows = append(d.rows, n)
		d.sum.Rows += uint64(n)
	}
	return d, nil
}

// take adds columns until none is left. A column with an error keeps it, and ends the work.
func (d *columnDigest) take(r Reader) {
	own := *d.sum // the sums of columns are shared, scratch is not
	own.scratch = nil
	for {
		col := int(d.next.Add(1)) - 1
		if col >= len(d.errs) {
			return
		}
		d.errs[col] = d.add(&own, r, col)
		if d.errs[col] != nil {
			d.next.Store(int64(len(d.errs)))
		}
	}
}

// add adds one column of all groups.
func (d *columnDigest) add(own *RowDigest, r Reader, col int) error {
	for g, rows := range d.rows {
		if err := scanColumn(r, g, col, rows, own.columns[col], func(v Cells) { own.addCells(col, v) }); err != nil {
			return err
		}
	}
	return nil
}

// copyReader returns a reader of the same file for another goroutine, if the format allows it.
func copyReader(r Reader) (Reader, bool) {
	p, ok := r.(*parquetReader)
	if !ok {
		return nil, false
	}
	own := *p
	own.packed, own.body = nil, nil
	return &own, true
}

// scanColumn visits the cells of a column of a group, which must have the rows of the group.
func scanColumn(r Reader, group, col, rows int, c encode.Column, visit func(Cells)) error {
	n := 0
	err := r.Scan(group, col, func(v Cells) {
		n += v.Rows
		visit(v)
	})
	if err != nil {
		return fmt.Errorf("row group %d: column %s: %w", group, c.Name, err)
	}
	if n != rows {
		return fault.Corrupt("row group %d: column %s: %d rows, want %d", group, c.Name, n, rows)
	}
	return nil
}

// CompareRows compares n rows of want, from row w, with n rows of got, from row g. Both
// have the same columns. It returns nil if they are equal, otherwise an ErrCorrupt that
// names the first row that differs, counted in want, its first differing column and
// both values.
func CompareRows(want *encode.Table, w int, got *encode.Table, g, n int) error {
	row, column := n, -1
	for col := range want.Columns {
		if i := firstDifference(want, w, got, g, n, col); i < row {
			row, column = i, col
		}
	}
	if column < 0 {
		return nil
	}
	c := want.Columns[column]
	return fault.Corrupt("row %d: column %s: %s, replay gives %s", w+row, c.Name,
		cellText(c, got.Cell(column, g+row)), cellText(c, want.Cell(column, w+row)))
}

// firstDifference returns the first of n rows in which a column of want and of got differ, or n.
func firstDifference(want *encode.Table, w int, got *encode.Table, g, n, col int) int {
	a, b := cut(want, col, w, w+n), cut(got, col, g, g+n)
	if bytes.Equal(a.Values, b.Values) && slices.Equal(a.Ends, b.Ends) {
		return n
	}
	for i := range n {
		if !bytes.Equal(want.Cell(col, w+i), got.Cell(col, g+i)) {
			return i
		}
	}
	return n
}

// cellText formats a cell for an error message.
func cellText(c encode.Column, v []byte) string {
	if c.Kind == encode.String {
		return fmt.Sprintf("%q", v)
	}
	var values []int64
	for size := c.Kind.Size(); len(v) >= size; v = v[size:] {
		var b [8]byte
		copy(b[:], v[:size])
		u := binary.LittleEndian.Uint64(b[:])
		if Signed(c.Kind) { // extend the sign from the top bit of size bytes
			shift := 64 - 8*size
			values = append(values, int64(u<<shift)>>shift)
			continue
		}
		values = append(values, int64(u))
	}
	if c.Len == encode.Scalar {
		return fmt.Sprint(values[0])
	}
	return fmt.Sprint(values)
}
