package plan

import (
	"slices"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
)

// check reports why plan and description do not fit each other, or the columns that positions
// of any game have. Readers look columns up by name and index tables by what they say.
func (h *File) check() error {
	columns := h.Description.Columns
	if names := ColumnNames(columns); !slices.Equal(h.Plan.Columns, names) {
		return fault.Corrupt("the plan has columns %q, the description has %q", h.Plan.Columns, names)
	}
	for _, name := range []string{encode.GameColumn, encode.PlyColumn, encode.SideColumn, encode.BoardColumn} {
		if encode.ColumnNamed(columns, name) < 0 {
			return fault.Corrupt("column %s is missing", name)
		}
	}
	if n := len(h.Description.Results); n <= int(engine.Draw) {
		return fault.Corrupt("%d names of results, want %d", n, engine.Draw+1)
	}
	for _, want := range encode.AllColumns() {
		if at := encode.ColumnNamed(columns, want.Name); at >= 0 {
			if err := compareColumn(columns[at], want); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareColumn compares kind and length of a column with those that encode gives it. Those
// of a board depend on the layout.
func compareColumn(c, want encode.Column) error {
	switch {
	case c.Name == encode.BoardColumn && c.Len < 1:
		return fault.Corrupt("column %s is not an array", c.Name)
	case c.Name != encode.BoardColumn && (c.Kind != want.Kind || c.Len != want.Len):
		return fault.Corrupt("column %s: kind %s and length %d, want %s and %d", c.Name, c.Kind, c.Len, want.Kind, want.Len)
	}
	return nil
}
