package encode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
// The language and its documentation come from the list of words in where_words.go; where_plan.go says what
// commit records and columns of rows answer without a replay.
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
		v, known, err = t.word.value(l)
		if err != nil {
			return false, err
		}
		fits = slices.ContainsFunc(t.ranges, func(r interval) bool { return r.has(v) })
	}
	return (known && fits != (t.operator == "!=")) != t.not, nil
}

// ParseWhere parses conditions on decisions of the game. drops is the model of the word drop; it
// may be nil, and the word is then refused. The error is a *WhereError.
func (g *Game) ParseWhere(text string, drops *Deblunder) (*Where, error) {
	p := &whereParser{scanner: scanner{text: text}, game: g, drops: drops}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return nil, p.fail(0, "want one line of text")
	}
	var tests []test
	for {
		t, err := p.test()
		if err != nil {
			return nil, err
		}
		tests = append(tests, t)
		if p.ended() {
			return newWhere(tests, drops), nil
		}
		if !p.skip(",") {
			return nil, p.fail(p.at, "want a comma before the next condition")
		}
	}
}

// whereParser parses the text of a Where.
type whereParser struct {
	scanner
	game  *Game
	drops *Deblunder
}

// test parses a condition.
func (p *whereParser) test() (t test, err *WhereError) {
	not := p.skip("!")
	name, at := p.word()
	i := wordIndex(name)
	switch {
	case name == "":
		return t, p.fail(at, "a condition is missing: want one such as ply>=8")
	case i < 0:
		return t, p.unknown(at, "word", name, p.game.WhereWords())
	}
	t.word, t.not = &whereWords[i], not
	if t.word.name == dropWord && p.drops == nil {
		return t, p.fail(at, "drop needs a model of scores in the files of the dataset, and cannot be part of a plan")
	}
	if t.word.lacks != nil && t.word.lacks(p.game) != "" {
		return t, p.fail(at, "%s: %s", name, t.word.lacks(p.game))
	}
	begin := p.at
	t.operator = p.operator()
	switch {
	case t.word.kind == flagWord && t.operator != "":
		return t, p.fail(begin, "%s takes no value: want %s or !%s", name, name, name)
	case t.word.kind == flagWord:
		t.ranges = []interval{{1, 1}}
		return t, nil
	case t.operator == "":
		return t, p.fail(p.at, "want =, !=, <, <=, > or >= after %s", name)
	case t.word.kind != numberWord && t.operator != "=" && t.operator != "!=":
		return t, p.fail(begin, "%s has no order: want = or != after it", name)
	}
	err = p.values(&t)
	return t, err
}

// dropWord is the word that needs a model.
const dropWord = "drop"

// values parses the values of a condition.
func (p *whereParser) values(t *test) *WhereError {
	for {
		text, at, err := p.value()
		if err == nil {
			err = p.addValue(t, text, at)
		}
		if err != nil {
			return err
		}
		if !p.skip("|") {
			return nil
		}
		if t.operator != "=" && t.operator != "!=" {
			return p.fail(p.at-1, "| goes with = and != only")
		}
	}
}

// addValue adds a value, which stands at a place of the text.
func (p *whereParser) addValue(t *test, text string, at int) *WhereError {
	switch w := t.word; w.kind {
	case numberWord:
		r, err := w.parseSpan(text, t.operator)
		if err != nil {
			return p.fail(at, "%v", err)
		}
		t.ranges = append(t.ranges, r)
	case nameWord:
		names := w.names(p.game)
		i := indexOfName(names, text)
		if i < 0 {
			return p.unknown(at, w.name, text, names)
		}
		text, t.ranges = names[i], append(t.ranges, interval{int64(i), int64(i)})
	case materialWord:
		m, err := p.game.ParseMaterial(text)
		if err != nil {
			return p.fail(at, "%v", err)
		}
		t.material = append(t.material, m)
	}
	t.values = append(t.values, text)
	return nil
}

// indexOfName returns the index of a name or of its beginning, -1 if none or several have it.
func indexOfName(names []string, text string) int {
	if i := slices.Index(names, text); i >= 0 || text == "" {
		return i
	}
	begins := func(name string) bool { return strings.HasPrefix(name, text) }
	first := slices.IndexFunc(names, begins)
	if first < 0 || slices.ContainsFunc(names[first+1:], begins) {
		return -1
	}
	return first
}

// parseSpan returns the numbers that fit an operator and a number or range. The text of numbers is
// that of strconv.Itoa, so that a condition is written in one way.
func (w *word) parseSpan(text, operator string) (interval, error) {
	if low, high, isRange := strings.Cut(text, "-"); isRange && w.min >= 0 {
		return w.parseRange(low, high, text, operator)
	}
	n, err := w.parseNumber(text)
	if err != nil {
		return interval{}, err
	}
	switch operator {
	case "<":
		return interval{math.MinInt64, n - 1}, nil
	case "<=":
		return interval{math.MinInt64, n}, nil
	case ">":
		return interval{n + 1, math.MaxInt64}, nil
	case ">=":
		return interval{n, math.MaxInt64}, nil
	}
	return interval{n, n}, nil
}

// parseRange parses 10-20, 10- and -20.
func (w *word) parseRange(low, high, text, operator string) (s interval, err error) {
	if operator != "=" && operator != "!=" {
		return s, fmt.Errorf("%q is a range: it goes with = and != only", text)
	}
	s = interval{w.min, w.max}
	if low != "" {
		s.low, err = w.parseNumber(low)
	}
	if err == nil && high != "" {
		s.high, err = w.parseNumber(high)
	}
	switch {
	case err != nil:
	case low+high == "":
		err = fmt.Errorf("%q: want a lower bound, an upper bound or both, such as 10-20", text)
	case s.low > s.high:
		err = fmt.Errorf("%q: want the smaller number of a range first", text)
	}
	return s, err
}

func (w *word) parseNumber(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < w.min || n > w.max || strconv.FormatInt(n, 10) != text {
		return 0, fmt.Errorf("%q: want a whole number from %d to %d for %s", text, w.min, w.max, w.name)
	}
	return n, nil
}

// WhereError is why a text is no Where, and where in it.
type WhereError struct {
	Text   string
	Column int // character, from 1
	Msg    string
	Word   string   // an unknown word or name; "" for other mistakes
	Known  []string // the words or names that may stand there
}

func (e *WhereError) Error() string {
	text := fmt.Sprintf("read conditions %q: column %d: %s", e.Text, e.Column, e.Msg)
	if e.Known != nil {
		text += ": want one of " + strings.Join(e.Known, ", ")
	}
	return text
}

// scanner splits the text of a Where into its parts.
type scanner struct {
	text string
	at   int // in bytes
}

// fail returns an error about the place at.
func (s *scanner) fail(at int, format string, args ...any) *WhereError {
	return &WhereError{Text: s.text, Column: utf8.RuneCountInString(s.text[:at]) + 1, Msg: fmt.Sprintf(format, args...)}
}

// unknown returns an error about a word or a name at a place.
func (s *scanner) unknown(at int, what, word string, known []string) *WhereError {
	e := s.fail(at, "unknown %s %q", what, word)
	e.Word, e.Known = word, known
	return e
}

// space skips spaces.
func (s *scanner) space() {
	rest := strings.TrimLeft(s.text[s.at:], " ")
	s.at = len(s.text) - len(rest)
}

// ended reports whether nothing follows but spaces.
func (s *scanner) ended() bool {
	s.space()
	return s.at == len(s.text)
}

// skip skips spaces and a text, and reports whether it was there.
func (s *scanner) skip(text string) bool {
	s.space()
	if !strings.HasPrefix(s.text[s.at:], text) {
		return false
	}
	s.at += len(text)
	return true
}

// word returns the letters and underscores that follow, and where they begin.
func (s *scanner) word() (word string, at int) {
	s.space()
	at = s.at
	for s.at < len(s.text) && isWordByte(s.text[s.at]) {
		s.at++
	}
	return s.text[at:s.at], at
}

func isWordByte(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// operators lists the operators, longer ones before their beginnings.
var operators = []string{"!=", "<=", ">=", "=", "<", ">"}

// operator returns the operator that follows, "" if none does.
func (s *scanner) operator() string {
	for _, o := range operators {
		if s.skip(o) {
			return o
		}
	}
	return ""
}

// value returns the value that follows, and where it begins.
func (s *scanner) value() (text string, at int, err *WhereError) {
	s.space()
	at = s.at
	if s.skip(`"`) {
		text, _, closed := strings.Cut(s.text[s.at:], `"`)
		if !closed {
			return "", at, s.fail(at, "the quotes are not closed")
		}
		s.at += len(text) + 1
		return text, at, nil
	}
	rest := s.text[s.at:]
	if end := strings.IndexAny(rest, ",|"); end >= 0 {
		rest = rest[:end]
	}
	s.at += len(rest)
	text = strings.TrimRight(rest, " ")
	switch quote := strings.IndexByte(text, '"'); {
	case quote >= 0:
		return "", at, s.fail(at+quote, "quotes inside of a value: want the whole value in quotes")
	case text == "":
		return "", at, s.fail(at, "a value is missing")
	}
	return text, at, nil
}
