package encode

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

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
