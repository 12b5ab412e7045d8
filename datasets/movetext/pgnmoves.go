package movetext

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"selfplay/engine"
)

// readMoves plays the moves of a game into the record and returns its termination marker.
// Moves and comments of variations are skipped.
func (p *pgnParser) readMoves(r *engine.Record) (marker engine.Result, err error) {
	b, open, ended := p.t.Bytes, []int(nil), false
	for p.skipBlank(); p.at < len(b); p.skipBlank() {
		begin := p.at
		c := b[begin]
		if p.turns != nil && stackLen(b[begin:]) > 0 {
			c = 0 // no variation
		}
		switch c {
		case '{', ';':
			comment, err := p.comment()
			if err != nil {
				return marker, err
			}
			switch {
			case len(open) > 0:
			case p.turns != nil:
				p.turns.add(turnItem{text: comment, begin: begin, comment: true})
			default:
				p.readScores(comment, begin, len(r.Actions))
			}
		case '(':
			open = append(open, begin)
			p.at++
		case ')':
			if len(open) == 0 {
				return marker, p.t.fault(begin, errors.New("a bracket closes no variation"))
			}
			open = open[:len(open)-1]
			p.at++
		case '$', '<', '>', '.', ']', '}':
			p.skipMark()
		case '[':
			return marker, p.t.fault(begin, errors.New("a tag pair among the moves"))
		default:
			word := b[begin : begin+p.wordLen(b[begin:])]
			p.at += len(word)
			if len(open) > 0 {
				continue
			}
			result, isMarker := pgnResult(word)
			switch {
			case ended:
				return marker, p.t.fault(begin, errors.New("text after the termination marker"))
			case isMarker:
				marker, ended = result, true
			default:
				err = p.playWord(word, begin, r)
			}
			if err != nil {
				return marker, err
			}
		}
	}
	if len(open) > 0 {
		return marker, p.t.fault(open[len(open)-1], errors.New("the variation is not closed"))
	}
	if p.turns != nil {
		err = p.playTurns(r)
	}
	if err == nil && !ended {
		err = p.checkWhole(len(r.Actions))
	}
	return marker, err
}

// checkWhole refuses a game without a termination marker if its tag PlyCount says that it has more
// moves: the file was cut off there. Other games without a marker are read, because people forget it.
func (p *pgnParser) checkWhole(plies int) error {
	want, err := strconv.ParseUint(string(p.tags["PlyCount"]), 10, 31)
	if err != nil || want <= uint64(plies) {
		return nil
	}
	end := len(bytes.TrimRight(p.t.Bytes, " \t\r\n"))
	return p.t.fault(end, fmt.Errorf("the game is cut off after %d of %d plies: it has no termination marker", plies, want))
}

// playWord plays the move of a word, which may begin with a number. begin is its offset.
func (p *pgnParser) playWord(word []byte, begin int, r *engine.Record) error {
	san := withoutNumber(word)
	if len(san) == 0 {
		return nil
	}
	begin += len(word) - len(san)
	if p.turns != nil {
		if !isMark(san) {
			p.turns.add(turnItem{text: san, begin: begin})
		}
		return nil
	}
	m, err := p.moves.ParseSAN(string(san))
	switch {
	case err != nil && isMark(san):
		return nil
	case err == nil && len(r.Actions) == maxPlies:
		err = errTooLong
	}
	if err != nil {
		return p.t.fault(begin, err)
	}
	p.play(m, r)
	return nil
}

// markWords are marks with letters: en passant, check, mate, novelty, diagram, editorial remark.
var markWords = []string{"e.p.", "ep", "ch", "ch.", "dbl", "dis", "mate", "N", "TN", "D", "RR"}

// isMark reports whether a word is no move, but a mark of a commentator that stands alone: !?, +/-, N. The null move --
// is none.
func isMark(word []byte) bool {
	rest := bytes.Trim(word, "!?+#=/~-±∓⩲⩱∞□")
	if len(rest) > 0 {
		return slices.Contains(markWords, string(rest))
	}
	return len(bytes.Trim(word, "-")) > 0
}

// withoutNumber removes the number of a move: 12. or 12... or 12 alone.
func withoutNumber(word []byte) []byte {
	end := 0
	for end < len(word) && word[end] >= '0' && word[end] <= '9' {
		end++
	}
	if end == 0 || end < len(word) && word[end] != '.' {
		return word // castling may be written with zeros
	}
	for end < len(word) && word[end] == '.' {
		end++
	}
	return word[end:]
}

// comment cuts a comment and returns its text.
func (p *pgnParser) comment() ([]byte, error) {
	text, end := p.t.Bytes[p.at+1:], byte('}')
	if p.t.Bytes[p.at] == ';' {
		end = '\n'
	}
	n := bytes.IndexByte(text, end)
	switch {
	case n >= 0:
		p.at += n + 2
		return text[:n], nil
	case end == '}':
		return nil, p.t.fault(p.at, errors.New("the comment is not closed"))
	}
	p.at = len(p.t.Bytes)
	return text, nil
}

// skipMark skips a glyph ($12), an expansion (<...>), or a character without a meaning.
func (p *pgnParser) skipMark() {
	rest := p.t.Bytes[p.at+1:]
	switch p.t.Bytes[p.at] {
	case '$':
		rest = bytes.TrimLeft(rest, "0123456789")
	case '<':
		if n := bytes.IndexByte(rest, '>'); n >= 0 {
			rest = rest[n+1:]
		}
	}
	p.at = len(p.t.Bytes) - len(rest)
}

// skipBlank skips blanks, and lines that begin with %.
func (p *pgnParser) skipBlank() {
	for b := p.t.Bytes; p.at < len(b); p.at++ {
		switch {
		case isBlank(b[p.at]):
		case b[p.at] == '%' && p.at > 0 && b[p.at-1] == '\n':
			n := bytes.IndexByte(b[p.at:], '\n')
			if n < 0 {
				p.at = len(b)
				return
			}
			p.at += n
		default:
			return
		}
	}
}
