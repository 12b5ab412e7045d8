package encode

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// Columns on request cost more than they are worth to most: to list the legal moves
// takes several times as long as to play one, and hashes do not compress.

// Names of the columns on request.
const (
	legalName        = "legal"
	legalActionsName = "legal_actions"
	hashName         = "hash"
)

// extraColumns returns the columns on request, in the order that tables have them
// in: it is not the order of the request.
func extraColumns() []Column {
	return []Column{
		{Name: legalName, Kind: Uint16, Doc: "how many moves are legal"},
		{Name: legalActionsName, Kind: Uint16, Len: Var, Doc: "numbers of all legal moves, ascending"},
		{Name: hashName, Kind: Uint64, Doc: "hash of cells, side to move and whatever else legal moves depend on, not of clocks"},
	}
}

// ExtraTable returns a Markdown table of the columns on request.
func ExtraTable() string { return ColumnTable(extraColumns()) }

// ExtraNames returns the names of the columns on request, in order.
func ExtraNames() (names []string) {
	for _, c := range extraColumns() {
		names = append(names, c.Name)
	}
	return names
}

// ParseExtra reads a request for columns, +legal,+hash, and returns their names in
// the order of the table.
func ParseExtra(text string) (names []string, err error) {
	if text == "" {
		return nil, nil
	}
	known := ExtraNames()
	var asked []string
	for _, item := range strings.Split(text, ",") {
		name, plus := strings.CutPrefix(item, "+")
		switch {
		case !plus || !slices.Contains(known, name):
			return nil, fmt.Errorf("unknown column %q: want some of +%s", item, strings.Join(known, ",+"))
		case slices.Contains(asked, name):
			return nil, fmt.Errorf("column %q is asked for twice", item)
		}
		asked = append(asked, name)
	}
	return slices.DeleteFunc(known, func(name string) bool { return !slices.Contains(asked, name) }), nil
}

// extra is where the columns on request stand in a table, -1 for those that do not.
type extra struct {
	any                       bool
	legal, legalActions, hash int
	moves                     []engine.Move
	numbers                   []uint16
}

func newExtra(v View) extra {
	columns := v.Columns()
	find := func(name string) int {
		return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	}
	return extra{any: len(v.Extra) > 0, legal: find(legalName), legalActions: find(legalActionsName), hash: find(hashName)}
}

// addExtra fills the columns on request of a row.
func (r *Replayer) addExtra(t *Table, side engine.Side) {
	x := &r.extra
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
}

// listLegal lists the numbers of the legal moves, ascending.
func (r *Replayer) listLegal(side engine.Side) {
	x := &r.extra
	x.moves, x.numbers = r.pos.Moves(x.moves[:0]), x.numbers[:0]
	for _, m := range x.moves {
		number := r.game.Actions.Number(r.pos, m)
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
