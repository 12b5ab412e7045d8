package encode

import (
	"cmp"
	"slices"
	"strings"

	"selfplay/engine"
)

// Where chooses decisions by conditions on them and on their games: reason=fifty,ply>=8. All
// conditions have to hold. The language is
//
//	where     = condition { "," condition }
//	condition = [ "!" ] ( flag | word operator value { "|" value } )
//	operator  = "=" | "!=" | "<" | "<=" | ">" | ">="
//
// with spaces between any two parts. Of the values separated by | one has to fit; they go with =
// and != only. A value is a number, a range of numbers that cannot be negative (10-20, 10-, -20), a
// name, or text; what has commas stands in double quotes. A name may be shortened to a beginning
// that no other name has.
//
// A word without a value in a position, such as the score of one that was not searched, fits no
// condition, != included. A ! before a condition means that it does not hold, so it includes such
// positions: !score>300 where score<=300 does not.
//
//	where.go        Where, how it is written, and which decisions of a game match
//	where_plan.go   what commit records and columns of rows say of conditions, without a replay
//	where_words.go  the words: the language and its documentation come from this list
//	where_parse.go  the parser and its values; where_scan.go its tokens
type Where struct {
	tests []test     // in the order of their words
	drops *Deblunder // the model of the word drop; nil without it
}

// test is a condition.
type test struct {
	word     *word
	not      bool       // a ! stands before it
	operator string     // "" of a flag
	values   []string   // as String writes them
	ranges   []interval // of numbers, names and flags: one has to include the value
	material []*Material
}

// interval is a range of numbers, both ends included.
type interval struct{ low, high int64 }

func (s interval) has(v int64) bool { return s.low <= v && v <= s.high }

// String returns the conditions in one order, without spaces, and with whole names.
func (w *Where) String() string { return strings.Join(w.Texts(), ",") }

// Texts returns the conditions one by one, as plans store them. A nil Where has none.
func (w *Where) Texts() (list []string) {
	if w == nil {
		return nil
	}
	for i := range w.tests {
		list = append(list, w.tests[i].String())
	}
	return list
}

// Uses reports whether a condition is about a word. A nil Where has no conditions.
func (w *Where) Uses(word string) bool {
	return w != nil && slices.ContainsFunc(w.tests, func(t test) bool { return t.word.name == word })
}

// UsesLead reports whether a condition compares the values of pieces.
func (w *Where) UsesLead() bool {
	return w.Uses("lead") || w.Uses("lead_first") || w.Uses("lead_second")
}

func (t *test) String() string {
	text := t.word.name + t.operator
	if t.not {
		text = "!" + text
	}
	var values []string
	for _, v := range t.values {
		values = append(values, quoted(v))
	}
	return text + strings.Join(values, "|")
}

// quoted returns a value in quotes if it needs them.
func quoted(v string) string {
	if v == "" || strings.ContainsAny(v, ",|") || strings.TrimSpace(v) != v {
		return `"` + v + `"`
	}
	return v
}

// newWhere returns the tests in the order of their words, and values in that of their texts, each once.
func newWhere(tests []test, drops *Deblunder) *Where {
	for i := range tests {
		slices.Sort(tests[i].values)
		tests[i].values = slices.Compact(tests[i].values)
	}
	slices.SortFunc(tests, func(a, b test) int {
		return cmp.Or(wordIndex(a.word.name)-wordIndex(b.word.name), strings.Compare(a.String(), b.String()))
	})
	tests = slices.CompactFunc(tests, func(a, b test) bool { return a.String() == b.String() })
	return &Where{tests, drops}
}

// retainWhere keeps the chosen plies of a game that match the filter's Where. A ply counts in dropped
// for the first condition that it fails. Conditions on the game come first; only those on positions
// need a replay.
func (r *Replayer) retainWhere(rec *engine.Record, dropped []uint64) (err error) {
	w, c := r.view.Filter.Where, &r.choice
	l := &r.look
	l.rec = rec
	l.ofRecord(rec)
	if failed, err := w.firstFailed(ofGame, l); failed >= 0 || err != nil {
		if err == nil {
			dropped[failed] += uint64(len(c.plies))
		}
		c.plies = c.plies[:0]
		return err
	}
	keep := func(s scope, ply int) (bool, error) {
		l.atPly(rec, ply)
		if s == ofPosition {
			l.side = r.pos.Turn()
			l.outcome = rec.Outcome.For(l.side)
		}
		failed, err := w.firstFailed(s, l)
		if failed >= 0 {
			dropped[failed]++
		}
		return failed < 0, err
	}
	c.retain(func(ply uint16) bool {
		kept, failed := keep(ofDecision, int(ply))
		err = cmp.Or(err, failed)
		return kept
	})
	if err != nil || len(c.plies) == 0 || !slices.ContainsFunc(w.tests, func(t test) bool { return t.word.scope == ofPosition }) {
		return err
	}
	return r.retainOnBoard(rec, func(ply int) (bool, error) { return keep(ofPosition, ply) })
}

// firstFailed returns the index of the first condition of a scope that does not hold, -1 if all do.
func (w *Where) firstFailed(s scope, l *look) (int, error) {
	for i := range w.tests {
		t := &w.tests[i]
		if t.word.scope != s {
			continue
		}
		if holds, err := t.holds(l); err != nil || !holds {
			return i, err
		}
	}
	return -1, nil
}

// holds evaluates a condition.
func (t *test) holds(l *look) (bool, error) {
	fits, known := false, true
	switch t.word.kind {
	case textWord:
		fits = slices.ContainsFunc(t.word.texts(l.rec), func(text string) bool { return slices.Contains(t.values, text) })
	case materialWord:
		fits = slices.ContainsFunc(t.material, l.material.Of(l.pos).Equal)
	default:
		var v int64
		var err error
		if v, known, err = t.word.value(l); err != nil {
			return false, err
		}
		fits = slices.ContainsFunc(t.ranges, func(r interval) bool { return r.has(v) })
	}
	return (known && fits != (t.operator == "!=")) != t.not, nil
}
