package encode

// View describes how games become rows: what a row contains, from which point of view, and
// which decisions get a row. All of it is in the plan of a dataset, because the rows of a
// record are a pure function of the record and the View.
type View struct {
	Layout   *Layout
	Searched bool     // the games were searched: the table has policy columns
	Caps     bool     // some searches were cheap: the table says which were full
	Old      bool     // the table has columns with what an earlier search found
	Extra    []string // names of the extra columns
	// Deblunder adds the column of value targets; nil: no such column.
	Deblunder *Deblunder
	// Mover shows every row from the view of the side to move: where the second side is to
	// move, the board and all action numbers are flipped (see Layout.Flip), so that the
	// input of a network and the index of its policy agree. The column side is not flipped.
	// Layouts without Flip are always seen so: see SeenByMover.
	Mover  bool
	Filter Filter
	Seed   uint64 // of the plan; sampling depends on it
}

// SeenByMover reports whether rows are seen from the side to move: on request, and in a
// layout whose boards are always seen so. Actions follow the board.
func (v *View) SeenByMover() bool { return v.Mover || v.Layout.Flip == nil }

// flipped reports whether the rows of a side are flipped.
func (v *View) flipped(side byte) bool { return side != 0 && v.SeenByMover() }
