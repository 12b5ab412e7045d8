package encode

import (
	"cmp"
	"slices"
	"strings"
)

// Where chooses decisions by conditions on them and on their games: reason=fifty,ply>=8. All
// conditions have to hold. The language is
//
//	where     = condition { "," condition }
//	condition = [ "!" ] flag | word operator value { "|" value }
//	operator  = "=" | "!=" | "<" | "<=" | ">" | ">="
//
// with spaces between any two parts. Of the values separated by | one has to fit; they go with =
// and != only. A value is a number, a range of numbers that cannot be negative (10-20, 10-, -20), a
// name, or text; what has commas stands in double quotes. A name may be shortened to a beginning
// that no other name has.
//
// A word without a value in a position, such as the score of one that was not searched, fits no
// condition, != included.
//
//	where.go        Where, and how it is written
//	where_words.go  the words: the language and its documentation come from this list
//	where_parse.go  the parser; where_scan.go its tokens; where_value.go values
//	where_match.go  which decisions of a game match
type Where struct {
	tests []test     // in the order of their words
	drops *Deblunder // the model of the word drop; nil without it
}

// test is a condition.
type test struct {
	word     *word
	negated  bool
	operator string     // "" of a flag
	values   []string   // as String writes them
	ranges   []interval // of numbers, names and flags: one has to include the value
	material []*Material
}

// interval is a range of numbers, both ends included.
type interval struct{ low, high int64 }

func (s interval) has(v int64) bool { return s.low <= v && v <= s.high }

// String returns the conditions as plans store them: in one order, without spaces, and with whole
// names.
func (w *Where) String() string {
	var list []string
	for i := range w.tests {
		list = append(list, w.tests[i].String())
	}
	return strings.Join(list, ",")
}

// Uses reports whether a condition is about a word. A nil Where has no conditions.
func (w *Where) Uses(word string) bool {
	return w != nil && slices.ContainsFunc(w.tests, func(t test) bool { return t.word.name == word })
}

func (t *test) String() string {
	if t.operator == "" {
		if t.negated {
			return "!" + t.word.name
		}
		return t.word.name
	}
	var values []string
	for _, v := range t.values {
		values = append(values, quoted(v))
	}
	return t.word.name + t.operator + strings.Join(values, "|")
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
