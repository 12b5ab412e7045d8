package encode

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// Extra columns appear only on request, because they are expensive: listing the legal moves takes several times as long as
// playing one, hashes and static scores do not compress, and texts of moves need memory for each.

// Names of the extra columns.
const (
	staticName       = "static_score"
	legalName        = "legal"
	legalActionsName = "legal_actions"
	repetitionsName  = "repetitions"
	// HashColumn is the Zobrist hash of the position.
	HashColumn = "hash"
	// MoveColumn is the text of the move that was played.
	MoveColumn = "move"
)

// staticVersion is the version of the hand-written scores of all games. Raise it when the Evaluate
// of a game changes: plans contain the hash of the description, and so of this text.
const staticVersion = 1

func staticDoc(version int) string {
	text := "hand-written static score of the position, without a search, from the view of the side to move; 0 in a game that has none"
	if version > 1 {
		text += fmt.Sprintf("; version %d", version)
	}
	return text
}

// extraColumns returns the extra columns in their order in a table, which does not depend
// on the order of the request.
func extraColumns() []Column {
	return []Column{
		{Name: staticName, Kind: Int16, Doc: staticDoc(staticVersion)},
		{Name: legalName, Kind: Uint16, Doc: "number of legal moves"},
		{Name: legalActionsName, Kind: Uint16, Len: Var, Doc: "action numbers of all legal moves, ascending"},
		{Name: HashColumn, Kind: Uint64, Doc: "Zobrist hash of everything that legal moves depend on: cells, side to move, rights, open turn; no clocks"},
		{Name: repetitionsName, Kind: Uint16, Doc: "number of earlier decisions of the game with the same position (same hash); the repetition rule counts them"},
		{Name: MoveColumn, Kind: String, Len: Var, Doc: "text of the move that was played, as the game writes it; never flipped"},
	}
}

// ExtraTable returns a Markdown table of the extra columns.
func ExtraTable() string { return ColumnTable(extraColumns()) }

// ExtraNames returns the names of the extra columns, in order.
func ExtraNames() (names []string) {
	for _, c := range extraColumns() {
		names = append(names, c.Name)
	}
	return names
}

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

// extra holds the indexes of the extra columns in a table, -1 for absent ones.
type extra struct {
	any                                                  bool
	static, legal, legalActions, hash, repetitions, move int

	moves   []engine.Move
	numbers []uint16
	visits  visits // nil without the column repetitions
}

func newExtra(v View) extra {
	columns := v.Columns()
	x := extra{
		any:          len(v.Extra) > 0,
		static:       ColumnNamed(columns, staticName),
		legal:        ColumnNamed(columns, legalName),
		legalActions: ColumnNamed(columns, legalActionsName),
		hash:         ColumnNamed(columns, HashColumn),
		repetitions:  ColumnNamed(columns, repetitionsName),
		move:         ColumnNamed(columns, MoveColumn),
	}
	if x.repetitions >= 0 {
		x.visits = visits{}
	}
	return x
}

// addExtra fills the extra columns of a row, in which m is played. earlier is the number of
// earlier occurrences of its position.
func (r *Replayer) addExtra(t *Table, side engine.Side, m engine.Move, earlier uint16) {
	x := &r.extra
	if x.static >= 0 {
		t.AddUint16(x.static, uint16(r.staticScore()))
	}
	switch {
	case x.legalActions >= 0:
		r.listLegal(side)
		for _, number := range x.numbers {
			t.AddUint16(x.legalActions, number)
		}
		t.End(x.legalActions)
		if x.legal >= 0 {
			t.AddUint16(x.legal, uint16(len(x.numbers)))
		}
	case x.legal >= 0:
		t.AddUint16(x.legal, uint16(r.countLegal()))
	}
	if x.hash >= 0 {
		t.AddUint64(x.hash, r.pos.Hash())
	}
	if x.repetitions >= 0 {
		t.AddUint16(x.repetitions, earlier)
	}
	if x.move >= 0 {
		t.AddString(x.move, r.pos.FormatMove(m))
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
func (r *Replayer) listLegal(side engine.Side) {
	x := &r.extra
	x.moves, x.numbers = r.pos.Moves(x.moves[:0]), x.numbers[:0]
	for _, m := range x.moves {
		number := r.game.Actions.Number(m)
		if r.view.flipped(byte(side)) {
			number = r.game.Actions.Flip(number)
		}
		x.numbers = append(x.numbers, number)
	}
	slices.Sort(x.numbers)
}

func (r *Replayer) countLegal() int {
	if c, ok := r.pos.(engine.Counter); ok {
		return c.Count()
	}
	x := &r.extra
	x.moves = r.pos.Moves(x.moves[:0])
	return len(x.moves)
}
