package movetext

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"unicode"
	"unicode/utf8"
)

// A file in PGN is a sequence of games: tag pairs, then moves up to a termination marker. The
// splitter finds where games begin; the parser reads them. A game also ends where tag pairs
// follow moves, so that one without a marker costs no other. A comment that is never closed
// ends at a line [Event "..."] after an empty line.

// maxComments bounds the bytes of the comments of one game. The rest is not kept.
const maxComments = 4 << 20

// splitPGN yields the texts of games in PGN.
func splitPGN(r io.Reader) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		lines := newLines(r)
		s := pgnSplitter{yield: yield}
		for {
			piece, rest, err := lines.nextPiece()
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
			if s.add(piece, lines.number, rest); s.done {
				return
			}
		}
	}
}

// pgnSplitter holds the text of the game that is being read.
type pgnSplitter struct {
	yield func(Text, error) bool
	done  bool // yield returned false

	line   int  // number of the line
	before int  // its bytes before the piece that is read
	length int  // of the piece
	blank  bool // the last line was empty
	skip   bool // the rest of the line is a comment or escaped

	text     Text
	begun    bool // text holds more than blanks
	moves    bool // text has a word of the moves
	ended    bool // text has its termination marker
	comment  bool // in braces
	comments int  // bytes of comments in text
	depth    int  // of variations in brackets
}

var eventTag = []byte(`[Event "`)

// add adds a line of the file, or the rest of a line that is too long for one piece.
func (s *pgnSplitter) add(piece []byte, number int, rest bool) {
	if rest {
		s.before += s.length
		s.length = len(piece)
		if s.begun || !s.skip {
			s.scan(piece, 0)
		}
		return
	}
	s.line, s.before, s.length, s.skip = number, 0, len(piece), false
	if bytes.HasPrefix(piece, []byte(byteOrderMark)) { // of a file that was appended to another
		makeBlank(piece)
	}
	trimmed := bytes.TrimSpace(piece)
	isEvent := s.blank && bytes.HasPrefix(trimmed, eventTag)
	isTag := isEvent || !s.comment && len(trimmed) > 0 && trimmed[0] == '['
	s.blank = len(trimmed) == 0
	switch {
	case isTag && s.begun && (s.moves || s.ended || isEvent):
		s.flush()
	case !s.comment && piece[0] == '%':
		s.skip = true
		if !s.begun {
			return
		}
	}
	at := 0
	if isTag {
		at = tagsEnd(piece)
	}
	s.scan(piece, at)
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

// scan looks for the end of the game in a piece of a line, from the byte at on. Blanks other than those of ASCII
// become spaces.
func (s *pgnSplitter) scan(piece []byte, at int) {
	start := 0 // of what belongs to the game
	for i := 0; i < len(piece) && !s.done; {
		c := piece[i]
		if c >= utf8.RuneSelf && i >= at && !s.comment && !s.skip && makeBlank(piece[i:]) {
			c = ' '
		}
		if !s.begun && !isBlank(c) {
			start, s.begun = i, true
			s.text.Number++
			s.text.Line, s.text.Column = s.line, s.before+i+1
		}
		switch {
		case s.skip:
			start, i = s.keepComment(piece, start, i, len(piece))
		case i < at, isBlank(c):
			i++
		case s.comment:
			end := bytes.IndexByte(piece[i:], '}')
			if end < 0 {
				start, i = s.keepComment(piece, start, i, len(piece))
				break
			}
			s.comment = false
			start, i = s.keepComment(piece, start, i, i+end)
			i++
		case c == '{':
			s.comment = true
			i++
		case c == ';':
			s.skip = true
		case c == '(':
			s.depth++
			i++
		case c == ')':
			s.depth = max(s.depth-1, 0)
			i++
		case s.ended && isWordStart(c), s.moves && c == '[' && isTagPair(piece[i:]):
			s.keep(piece[start:i])
			s.flush() // the next round begins a game here
			at = i + tagsEnd(piece[i:])
		default:
			word := cutWord(piece[i:])
			s.moves = true
			s.ended = s.ended || s.depth == 0 && isMarker(word)
			i += len(word)
		}
	}
	if s.begun {
		s.keep(piece[start:])
	}
}

// keepComment keeps what belongs to the game up to the byte end, of which the bytes from i on are a comment. It
// returns where the rest begins, twice. Of comments without an end line ends are kept, so that places stay right.
func (s *pgnSplitter) keepComment(piece []byte, start, i, end int) (int, int) {
	s.comments += end - i
	if s.comments <= maxComments {
		return start, end
	}
	s.keep(piece[start:i])
	s.text.Cut = true
	if end == len(piece) && end > i && piece[end-1] == '\n' {
		s.keep(piece[end-1:])
	}
	return end, end
}

// makeBlank makes the character with which a text begins spaces if it is blank in Unicode, as a no-break space is, or
// a byte order mark.
func makeBlank(text []byte) bool {
	c, size := utf8.DecodeRune(text)
	if c == utf8.RuneError && size == 1 {
		c = rune(text[0]) // Latin-1
	}
	if !unicode.IsSpace(c) && c != '\ufeff' {
		return false
	}
	copy(text[:size], "   ")
	return true
}

// cutWord returns the word with which a text begins. It makes a blank of Unicode that ends the word spaces.
func cutWord(text []byte) []byte {
	word := text[:wordLen(text)]
	for i := 0; i < len(word); {
		if word[i] < utf8.RuneSelf {
			i++
			continue
		}
		if makeBlank(word[i:]) {
			return word[:max(i, 1)]
		}
		_, size := utf8.DecodeRune(word[i:])
		i += size
	}
	return word
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
	*s = pgnSplitter{yield: s.yield, done: s.done, text: Text{Number: s.text.Number}, line: s.line, before: s.before, length: s.length, blank: s.blank}
	return !s.done
}

// isTagPair reports whether a text begins with one.
func isTagPair(text []byte) bool {
	_, _, _, ok := cutTag(text)
	return ok
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

// endsWord holds the characters that do not belong to a word.
var endsWord = func() (ends [256]bool) {
	for _, c := range []byte("{}();$<[] \t\n\r\v\f") {
		ends[c] = true
	}
	return ends
}()

// wordLen returns the length of the word, at least 1, with which a text begins. A promotion in brackets is part of it:
// c1(Q).
func wordLen(text []byte) int {
	for i, c := range text {
		if !endsWord[c] || c == '(' && i > 0 && isPromotion(text[i-1:]) || c == ')' && i > 2 && isPromotion(text[i-3:]) {
			continue
		}
		return max(i, 1)
	}
	return len(text)
}

// isPromotion reports whether a text begins with a promotion in brackets, behind the last rank or an equals sign.
func isPromotion(text []byte) bool {
	return len(text) > 3 && bytes.IndexByte([]byte("18="), text[0]) >= 0 && text[1] == '(' && text[3] == ')' &&
		bytes.IndexByte([]byte("NBRQnbrq"), text[2]) >= 0
}
