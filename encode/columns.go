package encode

import (
	"slices"
	"strings"
)

// Columns of the positions table, in order.
const (
	colGame = iota
	colPly
	colSide
	colBoard
	colAction
	colBestAction
	colMoveRank
	colSearched
	colScore
	colOutcome
	colReason
	colPliesLeft
	colNodes
	colPolicyAction // where games are searched
	colPolicyWeight
)

// Names of columns that are looked for.
const (
	GameColumn         = "game"
	PlyColumn          = "ply"
	SideColumn         = "side"
	BoardColumn        = "board"
	PolicyActionColumn = "policy_action"
)

// ColumnNamed returns the number of a column, -1 if there is none of that name.
func ColumnNamed(columns []Column, name string) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
}

// Columns returns the columns of the positions table, one row a decision: those
// that every table has, those of searched games, and those on request.
func (v View) Columns() []Column {
	l := v.Layout
	list := []Column{
		colGame:       {Name: GameColumn, Kind: Uint64, Doc: "number of the game in the dataset, from 0"},
		colPly:        {Name: PlyColumn, Kind: Uint16, Doc: "decisions made before this one, from 0"},
		colSide:       {Name: SideColumn, Kind: Uint8, Doc: "who decides: 0 the side that moves first, 1 the other"},
		colBoard:      {Name: BoardColumn, Kind: l.Kind, Len: l.Len(), Doc: "the position before the decision, layout " + l.Name},
		colAction:     {Name: "action", Kind: Uint16, Doc: "number of the move that was played", Label: true},
		colBestAction: {Name: "best_action", Kind: Uint16, Doc: "number of the best move found; equals action where nothing was searched", Label: true},
		colMoveRank:   {Name: "move_rank", Kind: Uint8, Doc: "0 the best move or the only one looked at, n the n-th by root score, 255 drawn at random"},
		colSearched:   {Name: "searched", Kind: Bool, Doc: "whether score, nodes and policy mean something"},
		colScore:      {Name: "score", Kind: Int16, Doc: "root score in centi-units, seen by the side that decides"},
		colOutcome:    {Name: "outcome", Kind: Int8, Doc: "end of the game seen by the side that decides: 1 won, -1 lost, 0 drawn or cut off"},
		colReason:     {Name: "reason", Kind: Uint8, Doc: "how the game ended, by number (see reasons in the metadata)"},
		colPliesLeft:  {Name: "plies_left", Kind: Uint16, Doc: "decisions from this one to the end of the game, this one included"},
		colNodes:      {Name: "nodes", Kind: Uint32, Doc: "nodes searched for this decision"},
	}
	if v.Searched {
		list = append(list,
			Column{Name: PolicyActionColumn, Kind: Uint16, Len: Var, Doc: "numbers of the moves that the search has an opinion of, the best first; empty where there was none"},
			Column{Name: "policy_weight", Kind: Uint16, Len: Var, Doc: "what each of these weighs, to be divided by their sum: visits, or a softmax of root scores"},
		)
	}
	for _, c := range extraColumns() {
		if slices.Contains(v.Extra, c.Name) {
			list = append(list, c)
		}
	}
	if v.Mover {
		v.documentTurn(list)
	}
	return list
}

// documentTurn says of the columns that are turned that they are.
func (v View) documentTurn(list []Column) {
	if v.Layout.Flip != nil {
		list[colBoard].Doc += ", turned to the side that decides"
	}
	for i := range list {
		if name := list[i].Name; name == "action" || strings.HasSuffix(name, "_action") || name == legalActionsName {
			list[i].Doc += ", turned as the board is"
		}
	}
}
