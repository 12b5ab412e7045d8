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
	colPolicyAction // the last two only in datasets of searched games
	colPolicyWeight
)

// Names of columns that other packages look up.
const (
	GameColumn       = "game"
	PlyColumn        = "ply"
	SideColumn       = "side"
	BoardColumn      = "board"
	ActionColumn     = "action"
	BestActionColumn = "best_action"
	SearchedColumn   = "searched"
	ScoreColumn      = "score"
	OutcomeColumn    = "outcome"

	moveRankName  = "move_rank"
	reasonName    = "reason"
	pliesLeftName = "plies_left"
	nodesName     = "nodes"

	PolicyActionColumn = "policy_action"

	FullSearchColumn = "full_search"

	OldBestActionColumn = "old_best_action"
	OldScoreColumn      = "old_score"
	OldNodesColumn      = "old_nodes"

	ValueTargetColumn = "value_target"
)

// ColumnNamed returns the index of the column with the given name, -1 if none has it.
func ColumnNamed(columns []Column, name string) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
}

// Columns returns the columns of the positions table, which has one row per decision: the
// common columns, those of searched games, and the extra columns.
func (v View) Columns() []Column {
	l := v.Layout
	list := []Column{
		colGame:       {Name: GameColumn, Kind: Uint64, Doc: "number of the game in the dataset, from 0"},
		colPly:        {Name: PlyColumn, Kind: Uint16, Doc: "number of earlier decisions in the game, from 0"},
		colSide:       {Name: SideColumn, Kind: Uint8, Doc: "side to move, as index of sides in the metadata: 0 the side that moves first in the start position of the game, 1 the other"},
		colBoard:      {Name: BoardColumn, Kind: l.Kind, Len: l.Len(), Doc: "position before the decision, layout " + l.Name},
		colAction:     {Name: ActionColumn, Kind: Uint16, Doc: "action number of the move that was played", Label: true},
		colBestAction: {Name: BestActionColumn, Kind: Uint16, Doc: "action number of the best move found; equals action without a search", Label: true},
		colMoveRank:   {Name: moveRankName, Kind: Uint8, Doc: "rank of the move by root score or visits: 0 the best or the only one searched, 1 the next, and so on; 255 a random move"},
		colSearched:   {Name: SearchedColumn, Kind: Bool, Doc: "whether the position was searched; if not, score and nodes are 0 and the policy is empty"},
		colScore:      {Name: ScoreColumn, Kind: Int16, Doc: "root score in centi-units, from the view of the side to move, -29,999 to 29,999; beyond 20,000 or -20,000 it is a proven win or loss"},
		colOutcome:    {Name: OutcomeColumn, Kind: Int8, Doc: "end of the game, from the view of the side to move: 1 won, -1 lost, 0 drawn or cut off"},
		colReason:     {Name: reasonName, Kind: Uint8, Doc: "how the game ended, by number (see reasons in the metadata)"},
		colPliesLeft:  {Name: pliesLeftName, Kind: Uint16, Doc: "decisions from this one to the end of the game, including this one"},
		colNodes:      {Name: nodesName, Kind: Uint32, Doc: "nodes searched for this decision"},
	}
	if v.Searched {
		list = append(list,
			Column{Name: PolicyActionColumn, Kind: Uint16, Len: Var, Doc: "action numbers of the moves that the search rated, the best first; empty without a policy"},
			Column{Name: "policy_weight", Kind: Uint16, Len: Var, Doc: "weight of each of these moves, to be divided by their sum: visits, or a softmax of root scores"},
		)
	}
	if v.Caps {
		list = append(list, Column{Name: FullSearchColumn, Kind: Bool, Doc: "whether the search was full, with a policy; false for cheap searches (playout cap randomisation), searches that rate no moves, and without a search"})
	}
	if v.Old {
		list = append(list,
			Column{Name: OldBestActionColumn, Kind: Uint16, Doc: "best_action before another player searched the games again; equals action without a search"},
			Column{Name: OldScoreColumn, Kind: Int16, Doc: "score before that; 0 without a search"},
			Column{Name: OldNodesColumn, Kind: Uint32, Doc: "nodes before that; 0 without a search"},
		)
	}
	if v.Deblunder != nil {
		list = append(list, Column{Name: ValueTargetColumn, Kind: Int16, Doc: "outcome in 10,000ths, or, for decisions up to a blunder, the value of the position in which it was made, by its score; -10,000 to 10,000, from the view of the side to move"})
	}
	list = append(list, described(v.extraColumns())...)
	if v.SeenByMover() {
		v.documentFlip(list)
	}
	return list
}

// AllColumns returns every column that positions may have, in any layout. Kind and length of
// the board are those of no layout.
func AllColumns() []Column {
	return View{Layout: new(Layout), Searched: true, Caps: true, Old: true, Deblunder: new(Deblunder), Extra: ExtraNames()}.Columns()
}

// documentFlip adds to the docs of board and actions from which side they are seen.
func (v View) documentFlip(list []Column) {
	seen := ", flipped to the view of the side to move"
	if v.Layout.Flip == nil {
		seen = ", seen from the side to move"
	}
	list[colBoard].Doc += seen
	for i := range list {
		if name := list[i].Name; name == ActionColumn || strings.HasSuffix(name, "_action") || name == legalActionsName {
			list[i].Doc += ", where side is 1 flipped like the board"
		}
	}
}
