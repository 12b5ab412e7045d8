package datasets

import (
	"slices"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
)

// required are the columns that the positions table of every game of the catalog has. Readers
// look them up by name. The kind and the length of a board depend on the layout.
var required = []encode.Column{
	{Name: encode.GameColumn, Kind: encode.Uint64},
	{Name: encode.PlyColumn, Kind: encode.Uint16},
	{Name: encode.SideColumn, Kind: encode.Uint8},
}

// check reports why plan and description do not fit each other, or the catalog. Readers
// index tables by what they say. A dataset of other versions is compared with the required
// columns only. A game that is not in the catalog may have any columns.
func (h *header) check() error {
	columns := h.description.Columns
	if names := columnNames(columns); !slices.Equal(h.plan.Columns, names) {
		return fault.Corrupt("the plan has columns %q, the description has %q", h.plan.Columns, names)
	}
	if _, err := encode.Find(h.plan.Game); err != nil {
		return nil
	}
	for _, want := range required {
		if encode.ColumnNamed(columns, want.Name) < 0 {
			return fault.Corrupt("column %s is missing", want.Name)
		}
	}
	if err := compareColumns(columns, required); err != nil {
		return err
	}
	if board := encode.ColumnNamed(columns, encode.BoardColumn); board < 0 || columns[board].Len < 1 {
		return fault.Corrupt("column %s is missing or not an array", encode.BoardColumn)
	}
	if n := len(h.description.Results); n <= int(engine.Draw) {
		return fault.Corrupt("%d names of results, want %d", n, engine.Draw+1)
	}
	return compareColumns(columns, h.catalogColumns())
}

// catalogColumns returns the columns that the catalog has for the game and the layout of a
// plan; nil if it does not have them in these versions.
func (h *header) catalogColumns() []encode.Column {
	game, err := encode.Find(h.plan.Game)
	if err != nil {
		return nil
	}
	layout, err := game.Layout(h.plan.Layout)
	if err != nil || layout.Version != h.plan.LayoutVersion || game.Actions.Version != h.plan.Actions {
		return nil
	}
	return encode.View{Layout: layout, Searched: true, Old: true, Deblunder: new(encode.Deblunder), Extra: encode.ExtraNames()}.Columns()
}

// compareColumns compares the columns that have the same name in both lists. It ignores
// docs and labels.
func compareColumns(columns, wanted []encode.Column) error {
	for _, want := range wanted {
		at := encode.ColumnNamed(columns, want.Name)
		if at < 0 {
			continue
		}
		if c := columns[at]; c.Kind != want.Kind || c.Len != want.Len {
			return fault.Corrupt("column %s: kind %s and length %d, want %s and %d", c.Name, c.Kind, c.Len, want.Kind, want.Len)
		}
	}
	return nil
}
