package encode

import (
	"errors"

	"selfplay/engine"
)

// PositionColumns returns the columns of the positions table.
func PositionColumns(l *Layout) []Column {
	return []Column{
		{"game", Uint64, Scalar, "number of the game in the dataset, from 0"},
		{"ply", Uint16, Scalar, "decisions made before this one, from 0"},
		{"side", Uint8, Scalar, "who decides: 0 the side that moves first, 1 the other"},
		{"board", l.Kind, l.Len(), "the position, layout " + l.Name},
		{"action", Uint16, Scalar, "number of the move that was played"},
		{"best_action", Uint16, Scalar, "number of the best move found; equals action where nothing was searched"},
		{"rank", Uint8, Scalar, "0 the best move or the only one looked at, n the n-th by root score, 255 drawn uniformly"},
		{"searched", Bool, Scalar, "whether score, nodes and policy mean something"},
		{"score", Int16, Scalar, "root score in centi-units, seen by the side that decides"},
		{"outcome", Int8, Scalar, "end of the game seen by the side that decides: 1 won, -1 lost, 0 drawn or cut off"},
		{"reason", Uint8, Scalar, "how the game ended, by number (see reasons)"},
		{"plies_left", Uint16, Scalar, "decisions from this one to the end of the game"},
		{"nodes", Uint32, Scalar, "nodes searched for this decision"},
	}
}

// Replayer turns records into rows by playing them again. It owns a position
// and belongs to one goroutine.
type Replayer struct{}

// NewReplayer returns a replayer for games of g in layout l.
func NewReplayer(g Game, variant string, l *Layout) *Replayer { return &Replayer{} }

// Append adds one row a decision of rec to t, a table of PositionColumns. It
// never searches. A record that does not fit the rules is an error.
func (r *Replayer) Append(rec *engine.Record, t *Table) error {
	return errors.New("replay record: not written yet")
}
