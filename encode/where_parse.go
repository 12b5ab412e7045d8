package encode

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
		err = fmt.Errorf("%q: want a range such as 10-20, 10- or -20", text)
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
