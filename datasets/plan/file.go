package plan

import (
	"cmp"
	"slices"

	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
)

// About holds the facts about a dataset that are not part of its plan: title and origin.
// The run that creates the dataset writes them to plan.json; later runs do not change
// them.
type About struct {
	Title   string `json:"title"`
	Licence string `json:"licence"`       // an SPDX identifier; empty if unknown
	Creator string `json:"creator"`       // a person or organization; empty if unknown
	Date    string `json:"date"`          // YYYY-MM-DD; empty if not given
	URL     string `json:"url,omitempty"` // home page
}

// File is the content of plan.json.
type File struct {
	Plan        Plan
	Hash        string
	Description Description
	About       About
}

// New completes a plan for a new dataset: with defaults, the description and the
// versions of this program.
func New(p Plan, d Description, a About) (*File, error) {
	if err := colfile.CheckColumns(d.Columns); err != nil {
		return nil, err
	}
	p = p.WithDefaults().Clone()
	p.Columns = ColumnNames(d.Columns)
	p.Description = d.Hash()
	a.Title = cmp.Or(a.Title, d.Title+" self-play")
	h := &File{p, p.Hash(), d, a}
	return h, cmp.Or(p.Validate(), h.check())
}

// Complete returns the plan as Make stores it, and its hash. It fills in the fields
// that follow from the description and from this program.
func Complete(plan Plan, d Description) (Plan, string, error) {
	h, err := New(plan, d, About{})
	if err != nil {
		return Plan{}, "", err
	}
	return h.Plan, h.Hash, nil
}

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
