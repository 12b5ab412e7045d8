package colfile

import (
	"errors"
	"fmt"
	"sync/atomic"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

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
		if d.errs[col] = d.add(&own, r, col); d.errs[col] != nil {
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
