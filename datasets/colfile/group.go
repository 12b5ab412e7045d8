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
		n := 0
		err := r.Scan(group, col, func(v Cells) {
			n += v.Rows
			visit(col, v)
		})
		if err != nil {
			return 0, fmt.Errorf("row group %d: column %s: %w", group, c.Name, err)
		}
		if n != rows {
			return 0, fault.Corrupt("row group %d: column %s: %d rows, want %d", group, c.Name, n, rows)
		}
	}
	return rows, nil
}
