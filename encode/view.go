package encode

// View says how games become rows: what a row shows of a position, from which
// side, and which decisions have a row. All of it stands in the plan of a dataset,
// for rows are a pure function of a record and a View.
type View struct {
	Layout   *Layout
	Searched bool     // games are searched: the policy has columns
	Extra    []string // columns on request, by name
	// Mover shows everything as the side to move sees it: the board and all numbers of
	// actions are turned where the second side decides, see Layout.Turn, so that what
	// a network sees and the index of its policy agree. The side itself stays.
	Mover  bool
	Filter Filter
	Seed   uint64 // the plan's: what samples are drawn from
}

// flipped reports whether a row of this side is flipped.
func (v *View) flipped(side byte) bool { return v.Mover && side != 0 }
