package cotulenh

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// setup is a position text taken apart.
type setup struct {
	cells      [256]Stack
	turn       uint8
	half, full uint32
	session    string // seventh field if it is a session
}

func fault(kind, category, format string, args ...any) *engine.TextError {
	return &engine.TextError{Kind: kind, Category: category, Msg: fmt.Sprintf(format, args...)}
}

// parse reads a position text without judging its session. The checks come in the
// order of the rule book: the format of the whole text, then marks in places where
// they mean nothing, then the pieces; the first fault is reported.
func parse(text string) (*setup, error) {
	fields := strings.Fields(text)
	if len(fields) < 6 {
		return nil, fault(kindFormat, "structure", "want 6 fields, have %d", len(fields))
	}
	u := new(setup)
	if err := u.readClocks(fields); err != nil {
		return nil, err
	}
	rows := strings.Split(fields[0], "/")
	if len(rows) != ranks {
		return nil, fault(kindRankCount, "structure", "want %d ranks, have %d", ranks, len(rows))
	}
	for i, row := range rows {
		if err := checkRank(row); err != nil {
			return nil, inRank(err, i)
		}
	}
	if text[0] != fields[0][0] {
		return nil, fault(kindRankCount, "structure", "the text begins with a blank")
	}
	for i, row := range rows {
		if err := checkMarks(row); err != nil {
			return nil, inRank(err, i)
		}
	}
	origin := Square(noSquare)
	if len(fields) > 6 && strings.Contains(fields[6], ":") {
		u.session = fields[6]
		origin, _ = ParseSquare(u.session[:strings.IndexByte(u.session, ':')])
	}
	var commanders [2]bool
	for i, row := range rows {
		if err := u.placeRank(i, row, origin, &commanders); err != nil {
			return nil, inRank(err, i)
		}
	}
	return u, nil
}

// inRank completes a fault with the rank as printed.
func inRank(err *engine.TextError, row int) error {
	err.Rank = ranks - row
	return err
}

// at completes a fault with its place in the rank's text.
func at(err *engine.TextError, index int) *engine.TextError {
	err.Column = index + 1
	return err
}

// readClocks reads all fields but the placement and the session.
func (u *setup) readClocks(fields []string) error {
	switch fields[1] {
	case "r":
		u.turn = 0
	case "b":
		u.turn = 1
	default:
		return fault(kindFormat, "structure", "side to move %q: want r or b", fields[1])
	}
	for i := 2; i <= 3; i++ {
		if fields[i] != "-" {
			return fault(kindFormat, "structure", "field %d is %q: want -", i+1, fields[i])
		}
	}
	if !isDigits(fields[4]) {
		return fault(kindFormat, "structure", "half-move clock %q: want a number", fields[4])
	}
	if !isDigits(fields[5]) || fields[5][0] == '0' {
		return fault(kindFormat, "structure", "full-move number %q: want a number from 1", fields[5])
	}
	half, errHalf := strconv.ParseUint(fields[4], 10, 16)
	full, errFull := strconv.ParseUint(fields[5], 10, 16)
	if errHalf != nil || errFull != nil {
		return fault(kindFormat, "structure", "clocks %s %s: want at most %d", fields[4], fields[5], maxClock)
	}
	u.half, u.full = uint32(half), uint32(full)
	return nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// run reads the number of empty squares at row[i]: a 1 followed by another digit
// is a number of two digits, otherwise each digit stands alone.
func run(row string, i int) (value, length int) {
	value = int(row[i] - '0')
	if value == 1 && i+1 < len(row) && isDigits(row[i+1:i+2]) {
		return 10 + int(row[i+1]-'0'), 2
	}
	return value, 1
}

// checkRank checks the format of one rank: numbers, letters, parentheses, width.
func checkRank(row string) *engine.TextError {
	width, open, plus := 0, -1, false
	for i := 0; i < len(row); {
		c := row[i]
		length := 1
		switch {
		case isDigits(row[i : i+1]):
			n, l := run(row, i)
			if n < 1 || n > files {
				return at(fault(kindFileCount, "lexical", "a run of %d squares: want 1 to %d", n, files), i)
			}
			width += n
			length = l
		case c == '+':
			if plus {
				return at(fault(kindFormat, "lexical", "two + in a row"), i)
			}
		case c == '(':
			if open >= 0 {
				return at(fault(kindFormat, "structure", "( inside a stack"), i)
			}
			open = i
			width++
		case c == ')':
			if open < 0 {
				return at(fault(kindParentheses, "structure", ") without ("), i)
			}
			open = -1
		default:
			if _, ok := typeOf(c | 0x20); !ok {
				return at(fault(kindPiece, "lexical", "%q is no piece", c), i)
			}
			if open < 0 {
				width++
			}
		}
		plus = c == '+'
		i += length
	}
	switch {
	case open >= 0:
		return at(fault(kindParentheses, "structure", "( without )"), open)
	case plus:
		return at(fault(kindFormat, "lexical", "+ at the end of the rank"), len(row)-1)
	case width != files:
		return fault(kindFileCount, "structure", "%d squares: want %d", width, files)
	}
	return nil
}

// checkMarks refuses what the format allows but nobody means: a + before anything
// but a letter, an empty stack, a stack of one, a number inside a stack.
func checkMarks(row string) *engine.TextError {
	open, members := -1, 0
	for i := range len(row) {
		c := row[i]
		switch {
		case i > 0 && row[i-1] == '+' && !isLetter(c):
			return at(fault(kindFormat, "lexical", "+ before %q: want a piece", c), i-1)
		case c == '(':
			open, members = i, 0
		case c == ')':
			if members < 2 {
				return at(fault(kindFormat, "structure", "a stack of %d: want 2 or 3 pieces in parentheses", members), open)
			}
			open = -1
		case isLetter(c):
			members++
		case open >= 0 && c != '+':
			return at(fault(kindFormat, "structure", "a number inside a stack"), i)
		}
	}
	return nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// placeRank puts the pieces of one rank on the board, left to right. Every prefix
// of a stack must be a stack, and its lead must fit the ground, except on the
// origin of a session, where a remnant may wait on any.
func (u *setup) placeRank(rank int, row string, origin Square, commanders *[2]bool) *engine.TextError {
	file := 0
	inStack, heroic := false, false
	for i := 0; i < len(row); {
		c := row[i]
		length := 1
		switch {
		case isDigits(row[i : i+1]):
			var n int
			n, length = run(row, i)
			file += n
		case c == '+':
			heroic = true
		case c == '(':
			inStack = true
		case c == ')':
			inStack = false
			file++
		default:
			if err := u.place(squareAt(rank, file), c, heroic, origin, commanders); err != nil {
				return at(err, i)
			}
			heroic = false
			if !inStack {
				file++
			}
		}
		i += length
	}
	return nil
}

func (u *setup) place(sq Square, letter byte, heroic bool, origin Square, commanders *[2]bool) *engine.TextError {
	t, _ := typeOf(letter | 0x20)
	side := engine.First
	if isLower := letter >= 'a'; isLower {
		side = engine.Second
	}
	piece, _ := NewStack(side, Member{t, heroic})
	if before := u.cells[sq]; before != Empty {
		sum, ok := before.Combine(piece)
		if !ok {
			return fault(kindCombination, "combination", "%v and %v cannot stand together", before, piece)
		}
		u.cells[sq] = sum
	} else {
		u.cells[sq] = piece
	}
	if lead := u.cells[sq].Lead(); sq != origin && !CanStand(lead, sq) {
		return fault(kindTerrain, "terrain", "%v cannot stand on %v", u.cells[sq], sq)
	}
	if t == Commander {
		if commanders[side] {
			return fault(kindCommander, "semantic", "a second commander of one side on %v", sq)
		}
		commanders[side] = true
	}
	return nil
}

// openSession reads the session field on top of the board as arranged.
func (p *Position) openSession(u *setup) error {
	refuse := func(format string, args ...any) error {
		return fault(kindSession, "session", "session %q: "+format, append([]any{u.session}, args...)...)
	}
	parts := strings.Split(u.session, ":")
	if len(parts) != 3 {
		return refuse("want origin:members:squares")
	}
	origin, err := ParseSquare(parts[0])
	if err != nil {
		return refuse("its origin is no square")
	}
	if s := p.cells[origin]; s == Empty || s.Side() != p.Turn() {
		return refuse("no stack of the side to move stands on %v", origin)
	}
	if p.sides[p.turn&1].commander == noSquare {
		return refuse("the side to move has no commander")
	}
	if strings.Contains(parts[2], ">") {
		if !p.replaySession(origin, parts[1], strings.TrimSuffix(parts[2], "...")) {
			return refuse("its steps do not lead to an open session with these members")
		}
		p.begin()
		return nil
	}
	p.session = noSession
	p.session.origin = uint8(origin)
	if !p.readRest(parts[1]) {
		return refuse("%q is no part of the stack on %v", parts[1], origin)
	}
	if !p.readLanded(parts[2]) {
		return refuse("%q is no list of squares where members could stand", parts[2])
	}
	if s := p.cells[origin]; int(p.session.rest) == 1<<s.Size()-1 && p.session.landed == noSession.landed && p.half != 0 {
		return refuse("nothing has been deployed")
	}
	if !p.canGoOn() {
		return refuse("no step is left, so the turn would have ended")
	}
	p.begin()
	return nil
}

// readRest finds the slots of the origin's stack that text names.
func (p *Position) readRest(text string) bool {
	s := p.cells[p.session.origin]
	for slots := uint8(1); slots < 1<<s.Size(); slots++ {
		p.session.rest = slots
		if p.restText() == text {
			return true
		}
	}
	return false
}

func (p *Position) readLanded(text string) bool {
	if text == "-" {
		return true
	}
	names := strings.Split(text, ",")
	if len(names) > len(p.session.landed) {
		return false
	}
	for i, name := range names {
		sq, err := ParseSquare(name)
		if err != nil || uint8(sq) == p.session.origin || i > 0 && uint8(sq) == p.session.landed[0] {
			return false
		}
		if s := p.cells[sq]; s == Empty || s.Side() != p.Turn() {
			return false
		}
		p.session.landed[i] = uint8(sq)
	}
	return true
}

// replaySession plays the steps that the published engine writes into a session
// field, from the board before them. It reports whether they are legal and leave a
// session open with the members of rest.
func (p *Position) replaySession(origin Square, rest, steps string) bool {
	for _, text := range strings.Split(steps, ",") {
		i := strings.IndexByte(text, '>')
		if i < 0 {
			return false
		}
		m, err := p.ParseMove(text[:i] + origin.String() + text[i:])
		if err != nil {
			return false
		}
		p.Do(m)
	}
	return p.session.open() && p.restText() == rest
}
