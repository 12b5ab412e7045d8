package movetext

import (
	"bytes"
	"errors"
	"io"
	"iter"
)

// A file in PGN is a sequence of games: tag pairs, then moves up to a termination marker. The
// splitter finds where games begin; the parser reads them. A game also ends where tag pairs
// follow moves, so that one without a marker costs no other. A comment that is never closed
// ends at a line [Event "..."] after an empty line.

// splitPGN yields the texts of games in PGN.
func splitPGN(r io.Reader) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		lines := newLines(r)
		s := pgnSplitter{yield: yield}
		for {
			line, err := lines.next()
			switch {
			case errors.Is(err, io.EOF):
				s.flush()
				return
			case err != nil:
				if s.flush() {
					yield(Text{}, err)
				}
				return
			}
			if s.add(line, lines.number); s.done {
				return
			}
		}
	}
}

// pgnSplitter holds the text of the game that is being read.
type pgnSplitter struct {
	yield func(Text, error) bool
	done  bool // yield returned false

	text    Text
	begun   bool // text holds more than blanks
	moves   bool // text has a word of the moves
	ended   bool // text has its termination marker
	comment bool // in braces
	depth   int  // of variations in brackets
	blank   bool // the last line was empty
}

var eventTag = []byte(`[Event "`)

// add adds a line of the file.
func (s *pgnSplitter) add(line []byte, number int) {
	trimmed := bytes.TrimSpace(line)
	isEvent := s.blank && bytes.HasPrefix(trimmed, eventTag)
	isTag := isEvent || !s.comment && len(trimmed) > 0 && trimmed[0] == '['
	s.blank = len(trimmed) == 0
	switch {
	case isTag && s.begun && (s.moves || s.ended || isEvent):
		s.flush()
	case !s.comment && line[0] == '%': // an escaped line
		if s.begun {
			s.keep(line)
		}
		return
	}
	at := 0
	if isTag {
		at = tagsEnd(line)
	}
	s.scan(line, number, at)
}

// tagsEnd returns the end of the tag pairs with which a line begins.
func tagsEnd(line []byte) int {
	end := 0
	for at := range line {
		switch c := line[at]; {
		case at < end || isBlank(c):
		case c != '[':
			return end
		default:
			_, _, size, ok := cutTag(line[at:])
			if !ok {
				return len(line)
			}
			end = at + size
		}
	}
	return end
}

// scan looks for the end of the game in a line, from the byte at on.
func (s *pgnSplitter) scan(line []byte, number, at int) {
	start := 0 // of what belongs to the game
	for i := 0; i < len(line) && !s.done; {
		c := line[i]
		if !s.begun && !isBlank(c) {
			start, s.begun = i, true
			s.text.Number++
			s.text.Line, s.text.Column = number, i+1
		}
		switch {
		case i < at, isBlank(c):
			i++
		case s.comment:
			n := bytes.IndexByte(line[i:], '}')
			if n < 0 {
				i = len(line)
				break
			}
			s.comment = false
			i += n + 1
		case c == '{':
			s.comment = true
			i++
		case c == ';':
			i = len(line)
		case c == '(':
			s.depth++
			i++
		case c == ')':
			s.depth = max(s.depth-1, 0)
			i++
		case s.ended && isWordStart(c):
			s.keep(line[start:i])
			s.flush() // the next round begins a game here
		default:
			word := line[i : i+wordLen(line[i:])]
			s.moves = true
			s.ended = s.ended || s.depth == 0 && isMarker(word)
			i += len(word)
		}
	}
	if s.begun {
		s.keep(line[start:])
	}
}

// keep appends a part of a line to the text.
func (s *pgnSplitter) keep(part []byte) {
	if len(s.text.Bytes)+len(part) > MaxText {
		s.text.TooLong = true
		return
	}
	s.text.Bytes = append(s.text.Bytes, part...)
}

// flush yields the text. It returns false if the caller wants no more.
func (s *pgnSplitter) flush() bool {
	if s.begun && !s.done {
		s.done = !s.yield(s.text, nil)
	}
	*s = pgnSplitter{yield: s.yield, done: s.done, text: Text{Number: s.text.Number}, blank: s.blank}
	return !s.done
}

// isMarker reports whether a word is the termination marker of a game.
func isMarker(word []byte) bool {
	_, ok := pgnResult(word)
	return ok
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

// isWordStart reports whether a character begins a move or its number.
func isWordStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// wordLen returns the length of the word, at least 1, with which a text begins.
func wordLen(text []byte) int {
	for i, c := range text {
		if isBlank(c) || bytes.IndexByte([]byte("{}();$<[]"), c) >= 0 {
			return max(i, 1)
		}
	}
	return len(text)
}
