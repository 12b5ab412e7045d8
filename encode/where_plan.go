package encode

import (
	"encoding/binary"
	"slices"

	"selfplay/engine"
)

// Conditions are evaluated in three stages, the cheapest first: what the commit record of a shard says of its
// games (MayMatch), what columns of a row say (ByColumns and RowMatcher), and what only the record of a game
// or its positions say (Replayer).

// MayMatch reports whether a decision of some games can match, given their numbers, which are those from first up to,
// but not including, end, and their outcomes. A nil Where matches all.
func (w *Where) MayMatch(g *Game, first, end uint64, outcomes []engine.Outcome) bool {
	if w == nil {
		return true
	}
	l := look{game: g, reasons: g.AllReasons()}
	overlaps := func(r interval) bool { return int64(first) <= r.high && int64(end) > r.low }
	for i := range w.tests {
		t := &w.tests[i]
		plain := !t.not && t.operator != "!="
		if t.word.name == GameColumn && plain && !slices.ContainsFunc(t.ranges, overlaps) {
			return false
		}
	}
	return slices.ContainsFunc(outcomes, func(o engine.Outcome) bool {
		l.result, l.reason = o.Result, o.Reason
		for i := range w.tests {
			t := &w.tests[i]
			if t.word.scope != ofGame || !slices.Contains(t.word.columns, reasonName) {
				continue
			}
			if holds, err := t.holds(&l); err == nil && !holds {
				return false
			}
		}
		return true
	})
}

// ByColumns divides the conditions into those that columns of rows answer, and the others. Both are nil without
// conditions. A nil Where has none.
func (w *Where) ByColumns(columns []Column) (stored, others *Where) {
	if w == nil {
		return nil, nil
	}
	for _, t := range w.tests {
		to := &stored
		if t.word.columns == nil || slices.ContainsFunc(t.word.columns, func(name string) bool { return ColumnNamed(columns, name) < 0 }) {
			to = &others
		}
		if *to == nil {
			*to = &Where{drops: w.drops}
		}
		(*to).tests = append((*to).tests, t)
	}
	return stored, others
}

// RowMatcher evaluates conditions on rows by their columns. It belongs to one goroutine.
type RowMatcher struct {
	tests []rowTest
	look  look
}

// rowTest is a condition that columns answer.
type rowTest struct {
	*test
	// known is, for each value of a single column of at most 2 bytes, whether the condition holds, once it
	// has been evaluated; nil for other columns.
	known []verdict
}

// verdict is whether a condition holds for a value of a column.
type verdict uint8

const (
	notEvaluated verdict = iota
	holds
	fails
)

// NewRowMatcher returns a matcher of conditions that columns answer; see ByColumns.
func (g *Game) NewRowMatcher(stored *Where) *RowMatcher {
	m := &RowMatcher{look: look{game: g, reasons: g.AllReasons()}}
	for i := range stored.tests {
		m.tests = append(m.tests, rowTest{test: &stored.tests[i]})
	}
	return m
}

// Columns returns the names of the columns that the matcher reads, each once.
func (m *RowMatcher) Columns() (names []string) {
	for _, t := range m.tests {
		names = append(names, t.word.columns...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Match returns those of some rows of a table that match. rows ascend; it keeps the result in their memory. The
// table has Columns, and may have others.
func (m *RowMatcher) Match(t *Table, rows []int) ([]int, error) {
	for i := range m.tests {
		var err error
		rows, err = m.retain(&m.tests[i], t, rows)
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// retain keeps the rows for which a condition holds.
func (m *RowMatcher) retain(test *rowTest, t *Table, rows []int) ([]int, error) {
	var columns []int
	var facts []rowFact
	for _, name := range test.word.columns {
		columns = append(columns, ColumnNamed(t.Columns, name))
		facts = append(facts, rowFacts[slices.IndexFunc(rowFacts, func(f rowFact) bool { return f.column == name })])
	}
	data, size := t.Data[columns[0]], t.Columns[columns[0]].Kind.Size()
	if len(columns) == 1 && size <= 2 && test.known == nil {
		test.known = make([]verdict, 1<<(8*size))
	}
	kept := rows[:0] // written behind the rows that are still to be read
	for _, row := range rows {
		v, value := notEvaluated, 0
		switch {
		case test.known == nil:
		case size == 1:
			value = int(data[row])
			v = test.known[value]
		default:
			value = int(binary.LittleEndian.Uint16(data[2*row:]))
			v = test.known[value]
		}
		if v == notEvaluated {
			for i, f := range facts {
				f.set(&m.look.facts, t.Cell(columns[i], row))
			}
			ok, err := m.evaluate(test)
			if err != nil {
				return nil, err
			}
			v = fails
			if ok {
				v = holds
			}
			if test.known != nil {
				test.known[value] = v
			}
		}
		if v == holds {
			kept = append(kept, row)
		}
	}
	return kept, nil
}

// evaluate evaluates a condition on the facts of a row.
func (m *RowMatcher) evaluate(test *rowTest) (bool, error) {
	f := &m.look.facts
	f.result = resultOf(f.side, f.outcome, f.reason)
	return test.holds(&m.look)
}

// rowFact says how a column sets a fact.
type rowFact struct {
	column string
	set    func(f *facts, cell []byte)
}

// rowFacts lists the columns of word.columns.
var rowFacts = []rowFact{
	{GameColumn, func(f *facts, cell []byte) { f.number = binary.LittleEndian.Uint64(cell) }},
	{PlyColumn, func(f *facts, cell []byte) { f.ply = binary.LittleEndian.Uint16(cell) }},
	{SideColumn, func(f *facts, cell []byte) { f.side = engine.Side(cell[0] & 1) }}, // also of a damaged file
	{moveRankName, func(f *facts, cell []byte) { f.rank = cell[0] }},
	{SearchedColumn, func(f *facts, cell []byte) { f.searched = cell[0] != 0 }},
	{ScoreColumn, func(f *facts, cell []byte) { f.rootScore = int16(binary.LittleEndian.Uint16(cell)) }},
	{OutcomeColumn, func(f *facts, cell []byte) { f.outcome = int8(cell[0]) }},
	{reasonName, func(f *facts, cell []byte) { f.reason = engine.Reason(cell[0]) }},
	{pliesLeftName, func(f *facts, cell []byte) { f.left = binary.LittleEndian.Uint16(cell) }},
	{nodesName, func(f *facts, cell []byte) { f.nodes = binary.LittleEndian.Uint32(cell) }},
	{FullSearchColumn, func(f *facts, cell []byte) { f.rated = cell[0] != 0 }},
	{legalName, func(f *facts, cell []byte) { f.legal = int(binary.LittleEndian.Uint16(cell)) }},
}

// resultOf returns the result of a game, given its outcome from the view of a side.
func resultOf(side engine.Side, outcome int8, reason engine.Reason) engine.Result {
	switch {
	case outcome > 0:
		return engine.Win(side)
	case outcome < 0:
		return engine.Win(side.Other())
	case reason == engine.PlyLimit:
		return engine.NoResult
	}
	return engine.Draw
}
