package tablefile

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/datasets/plan"
	"selfplay/encode"
)

// chosen writes some columns of rows, in another order.
type chosen struct {
	Writer
	columns []int // of the tables that are written
	table   *encode.Table
}

// Write writes the rows of t. It shares the columns of t.
func (c *chosen) Write(t *encode.Table) error {
	c.table.Rows = t.Rows
	for i, col := range c.columns {
		c.table.Data[i], c.table.Ends[i] = t.Data[col], t.Ends[col]
	}
	return c.Writer.Write(c.table)
}

// newChosen returns a writer of rows with these columns that writes those of names to w.
func newChosen(w Writer, columns []encode.Column, names []string) *chosen {
	c := &chosen{Writer: w, table: encode.NewTable(chooseColumns(columns, names))}
	for _, name := range names {
		c.columns = append(c.columns, encode.ColumnNamed(columns, name))
	}
	return c
}

// chooseColumns returns the columns with these names, which checkNames has accepted.
func chooseColumns(columns []encode.Column, names []string) (list []encode.Column) {
	for _, name := range names {
		list = append(list, columns[encode.ColumnNamed(columns, name)])
	}
	return list
}

// checkNames returns an error if names do not choose columns.
func checkNames(columns []encode.Column, names []string) error {
	known := plan.ColumnNames(columns)
	for i, name := range names {
		switch {
		case slices.Contains(names[:i], name):
			return fmt.Errorf("column %q is given twice", name)
		case slices.Contains(known, name):
			continue
		}
		return fmt.Errorf("unknown column %q: want some of %s", name, strings.Join(known, ", "))
	}
	return nil
}
