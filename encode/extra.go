package encode

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

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
