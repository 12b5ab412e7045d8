package encode

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
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
// the board are those of no layout, and the docs those of an absolute board.
func AllColumns() []Column {
	absolute := &Layout{Flip: func([]byte) {}}
	return View{Layout: absolute, Searched: true, Caps: true, Old: true, Deblunder: new(Deblunder), Extra: ExtraNames()}.Columns()
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

// Extra columns appear only on request, because most are expensive: listing the legal moves takes several times as long as
// playing one, hashes and static scores do not compress, and texts of moves need memory for each. StartPlyColumn also
// appears where games may begin with any number of the full move.

// Names of the extra columns.
const (
	legalName        = "legal"
	legalActionsName = "legal_actions"
	repetitionsName  = "repetitions"
	// StaticColumn is the static score of the position.
	StaticColumn = "static_score"
	// HashColumn is the Zobrist hash of the position.
	HashColumn = "hash"
	// MoveColumn is the text of the move that was played.
	MoveColumn = "move"
	// StartPlyColumn is engine.StartPly of the first position of the game.
	StartPlyColumn = "start_ply"
)

// extraColumn is an extra column, and the function that fills its cell for a decision.
type extraColumn struct {
	Column
	add func(r *Replayer, t *Table, col int, d decision)
}

// decision is what extra columns show besides the position: the move that is played, the
// number of earlier occurrences of the position, and engine.StartPly of the game.
type decision struct {
	move     engine.Move
	earlier  uint16
	startPly int
}

// extraColumns lists the extra columns in their order in a table, which does not depend on the
// order of the request.
func extraColumns() []extraColumn {
	return []extraColumn{
		{Column{Name: StaticColumn, Kind: Int16, Doc: "hand-written static score of the position, without a search, from the view of the side to move; 0 in a game that has none"},
			func(r *Replayer, t *Table, col int, _ decision) { t.AddUint16(col, uint16(r.staticScore())) }},
		{Column{Name: legalName, Kind: Uint16, Doc: "number of legal moves"},
			(*Replayer).addLegal},
		{Column{Name: legalActionsName, Kind: Uint16, Len: Var, Doc: "action numbers of all legal moves, ascending"},
			(*Replayer).addLegalActions},
		{Column{Name: HashColumn, Kind: Uint64, Doc: "Zobrist hash of everything that legal moves depend on: cells, side to move, rights, open turn; no clocks"},
			func(r *Replayer, t *Table, col int, _ decision) { t.AddUint64(col, r.pos.Hash()) }},
		{Column{Name: repetitionsName, Kind: Uint16, Doc: "number of earlier decisions of the game with the same position (same hash); the repetition rule counts them"},
			func(_ *Replayer, t *Table, col int, d decision) { t.AddUint16(col, d.earlier) }},
		{Column{Name: MoveColumn, Kind: String, Len: Var, Doc: "text of the move that was played, as the game writes it; never flipped"},
			func(r *Replayer, t *Table, col int, d decision) { t.AddString(col, r.pos.FormatMove(d.move)) }},
		{Column{Name: StartPlyColumn, Kind: Uint32, Doc: "turns before the first position of the game, by its full-move number N and its side to move: 2 x (N - 1) + side; 0 in games without move numbers"},
			func(_ *Replayer, t *Table, col int, d decision) { t.AddUint32(col, uint32(d.startPly)) }},
	}
}

// extraColumns returns the extra columns of the view, which are the last ones of the table.
func (v *View) extraColumns() []extraColumn {
	return slices.DeleteFunc(extraColumns(), func(c extraColumn) bool { return !slices.Contains(v.Extra, c.Name) })
}

// described returns the descriptions of extra columns.
func described(list []extraColumn) (columns []Column) {
	for i := range list {
		columns = append(columns, list[i].Column)
	}
	return columns
}

// ExtraTable returns a Markdown table of the extra columns.
func ExtraTable() string { return ColumnTable(described(extraColumns())) }

// ExtraNames returns the names of the extra columns, in order.
func ExtraNames() []string { return columnNames(described(extraColumns())) }

// ParseExtra parses a request for columns, +legal,+hash, and returns their names in the
// order of the table.
func ParseExtra(text string) (names []string, err error) {
	if text == "" {
		return nil, nil
	}
	known := ExtraNames()
	var requested []string
	for _, item := range strings.Split(text, ",") {
		name, plus := strings.CutPrefix(item, "+")
		switch {
		case !plus || !slices.Contains(known, name):
			return nil, fmt.Errorf("unknown column %q: want some of +%s", item, strings.Join(known, ",+"))
		case slices.Contains(requested, name):
			return nil, fmt.Errorf("column %q is given twice", item)
		}
		requested = append(requested, name)
	}
	return slices.DeleteFunc(known, func(name string) bool { return !slices.Contains(requested, name) }), nil
}

// extra fills the extra columns of a view.
type extra struct {
	columns []extraColumn
	first   int    // index of the first one in the table; the others follow
	visits  visits // nil without the column repetitions
	// lists is set if legal moves are listed, into moves and numbers.
	lists   bool
	moves   []engine.Move
	numbers []uint16
}

func newExtra(v View) extra {
	x := extra{columns: v.extraColumns(), lists: slices.Contains(v.Extra, legalActionsName)}
	x.first = len(v.Columns()) - len(x.columns)
	if slices.Contains(v.Extra, repetitionsName) {
		x.visits = visits{}
	}
	return x
}

// addExtra fills the extra columns of a row.
func (r *Replayer) addExtra(t *Table, d decision) {
	x := &r.extra
	if x.lists {
		r.listLegal()
	}
	for i := range x.columns {
		x.columns[i].add(r, t, x.first+i, d)
	}
}

// staticScore returns the static score of the position, 0 in a game without one.
func (r *Replayer) staticScore() int {
	if p, ok := r.pos.(engine.Evaluator); ok {
		return p.Evaluate()
	}
	return 0
}

// listLegal lists the action numbers of the legal moves, ascending.
func (r *Replayer) listLegal() {
	x, flipped := &r.extra, r.view.flipped(byte(r.pos.Turn()))
	x.moves, x.numbers = r.pos.Moves(x.moves[:0]), x.numbers[:0]
	for _, m := range x.moves {
		number := r.game.Actions.Number(m)
		if flipped {
			number = r.game.Actions.Flip(number)
		}
		x.numbers = append(x.numbers, number)
	}
	slices.Sort(x.numbers)
}

func (r *Replayer) addLegal(t *Table, col int, _ decision) {
	if r.extra.lists {
		t.AddUint16(col, uint16(len(r.extra.numbers)))
	} else {
		t.AddUint16(col, uint16(r.countLegal()))
	}
}

func (r *Replayer) addLegalActions(t *Table, col int, _ decision) {
	for _, number := range r.extra.numbers {
		t.AddUint16(col, number)
	}
	t.End(col)
}

func (r *Replayer) countLegal() int {
	if c, ok := r.pos.(engine.Counter); ok {
		return c.Count()
	}
	x := &r.extra
	x.moves = r.pos.Moves(x.moves[:0])
	return len(x.moves)
}

// visits counts how often each position of a game has occurred. Positions are compared by
// engine.Position.Hash, as the rules of all games compare them. A position never recurs
// across a capture or another move that cannot be taken back, so the count over the whole
// game is the count of the rules, which look back no further than such a move.
type visits map[uint64]uint16

// add counts a position and returns how often it has occurred before.
func (v visits) add(hash uint64) (earlier uint16) {
	earlier = v[hash]
	v[hash] = earlier + 1
	return earlier
}

// Tables of the README and of dataset cards, made from the lists that define the files.

// ColumnTable returns a Markdown table of columns.
func ColumnTable(columns []Column) string {
	var b strings.Builder
	b.WriteString("| column | type | meaning |\n|---|---|---|\n")
	for _, c := range columns {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Name, c.Type(), TableCell(c.Doc))
	}
	return b.String()
}

// ElementTable returns a Markdown table of the elements of a board.
func ElementTable(elements []Element) string {
	var b strings.Builder
	b.WriteString("| index | element | meaning |\n|---|---|---|\n")
	at := 0
	for _, e := range elements {
		index := fmt.Sprint(at)
		if e.Count > 1 {
			index = fmt.Sprintf("%d-%d", at, at+e.Count-1)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", index, e.Name, TableCell(e.Doc))
		at += e.Count
	}
	return b.String()
}

// WDLTable returns a Markdown table of the models of all games.
func (c Catalog) WDLTable() string {
	var b strings.Builder
	b.WriteString("| game | used for games of | version | a | b | drawn at 0 |\n|---|---|---|---|---|---|\n")
	for _, g := range c {
		for _, m := range g.Models {
			at0 := ""
			if m.DrawnAt0 > 0 {
				at0 = fmt.Sprintf("%d %%", m.DrawnAt0)
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %s |\n", g.Name, m.Games, m.Version, m.A, m.B, at0)
		}
	}
	return b.String()
}

// Type returns the type of the column's cells in words.
func (c *Column) Type() string {
	switch {
	case c.Kind == String:
		return "string"
	case c.Len == Var:
		return "list of " + c.Kind.String()
	case c.Len > 0:
		return fmt.Sprintf("%d x %s", c.Len, c.Kind)
	}
	return c.Kind.String()
}

// TableCell escapes a text for a cell of a Markdown table.
func TableCell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
