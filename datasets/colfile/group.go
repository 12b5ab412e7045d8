package colfile

import (
	"fmt"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// ReadGroup appends the rows of a group to t, whose columns are those of r. After an
// error t holds part of the group.
func ReadGroup(r Reader, group int, t *encode.Table) error {
	rows, err := scanGroup(r, group, t.Columns, func(col int, v Cells) {
		AppendCells(t, col, v)
	})
	t.Rows += rows
	return err
}

// ReadRows appends rows of a group, which ascend, to t, whose columns are those of r. After an
// error t holds part of them.
func ReadRows(r Reader, group int, rows []int, t *encode.Table) error {
	if len(rows) == 0 {
		return nil
	}
	for col, c := range t.Columns {
		left := rows
		err := r.ScanRows(group, col, rows, func(first int, v Cells) { left = appendRows(t, col, first, v, left) })
		if err == nil && len(left) > 0 {
			err = fault.Corrupt("no row %d", left[0])
		}
		if err != nil {
			return fmt.Errorf("row group %d: column %s: %w", group, c.Name, err)
		}
	}
	t.Rows += len(rows)
	return nil
}

// appendRows appends those of rows that cells from first on hold, and returns the others.
func appendRows(t *encode.Table, col, first int, v Cells, rows []int) []int {
	c := t.Columns[col]
	for len(rows) > 0 && rows[0] < first+v.Rows {
		n := 1 // a run of adjacent rows
		for n < len(rows) && rows[n] == rows[0]+n && rows[n] < first+v.Rows {
			n++
		}
		from := rows[0] - first
		if c.Len == encode.Var {
			AppendCells(t, col, v.slice(from, from+n, c.Kind.Size()))
		} else {
			size := max(c.Len, 1) * c.Kind.Size()
			AppendCells(t, col, Cells{Rows: n, Values: v.Values[from*size : (from+n)*size]})
		}
		rows = rows[n:]
	}
	return rows
}

// DigestGroup adds the rows of a group to d, without collecting them in a table.
func DigestGroup(r Reader, group int, d *RowDigest) error {
	rows, err := scanGroup(r, group, d.columns, d.addCells)
	d.Rows += uint64(rows)
	return err
}

// scanGroup visits the cells of a group, column by column, and returns the number of
// rows. All columns must have as many rows as the group.
func scanGroup(r Reader, group int, columns []encode.Column, visit func(col int, v Cells)) (int, error) {
	rows, err := r.Rows(group)
	if err != nil {
		return 0, fmt.Errorf("row group %d: %w", group, err)
	}
	for col, c := range columns {
		if err := scanColumn(r, group, col, rows, c, func(v Cells) { visit(col, v) }); err != nil {
			return 0, err
		}
	}
	return rows, nil
}
