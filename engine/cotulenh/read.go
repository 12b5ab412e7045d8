package cotulenh

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// description is what a position text describes.
type description struct {
	cells      [256]Stack
	turn       uint8
	half, full uint32
	session    string // seventh field if it is a session
}

// parsePosition reads a position text but does not check its session. It reports the first
// error in this order: the format of the whole text, misplaced marks, then pieces.
func parsePosition(text string) (*description, error) {
	fields := strings.Fields(text)
	if len(fields) < 6 {
		return nil, fault(kindFormat, "structure", "found %d fields: want at least 6", len(fields))
	}
	d := new(description)
	if err := d.readClocks(fields); err != nil {
		return nil, err
	}
	rows := strings.Split(fields[0], "/")
	if len(rows) != ranks {
		return nil, fault(kindRankCount, "structure", "found %d ranks: want %d", len(rows), ranks)
	}
	if err := checkRows(rows, checkRank); err != nil {
		return nil, err
	}
	if text[0] != fields[0][0] {
		return nil, fault(kindRankCount, "structure", "the text begins with white space: remove it")
	}
	if err := checkRows(rows, checkMarks); err != nil {
		return nil, err
	}
	origin := Square(NoSquare)
	if len(fields) > 6 && strings.Contains(fields[6], ":") {
		d.session = fields[6]
		origin, _ = ParseSquare(d.session[:strings.IndexByte(d.session, ':')])
	}
	return d, d.place(rows, origin)
}

// checkRows applies a check to each rank and returns the first error.
func checkRows(rows []string, check func(row string) *engine.TextError) error {
	for i, row := range rows {
		if err := check(row); err != nil {
			return inRank(err, i)
		}
	}
	return nil
}

// readClocks reads the side to move, the unused fields and the clocks.
func (d *description) readClocks(fields []string) error {
	switch fields[1] {
	case "r":
		d.turn = 0
	case "b":
		d.turn = 1
	default:
		return fault(kindFormat, "structure", "side to move is %q: want r or b", fields[1])
	}
	for i := 2; i <= 3; i++ {
		if fields[i] != "-" {
			return fault(kindFormat, "structure", "field %d is %q: want -", i+1, fields[i])
		}
	}
	if !isDigits(fields[4]) {
		return fault(kindFormat, "structure", "half-move clock is %q: want a number", fields[4])
	}
	if !isDigits(fields[5]) || fields[5][0] == '0' {
		return fault(kindFormat, "structure", "full-move number is %q: want a number from 1", fields[5])
	}
	half, errHalf := strconv.ParseUint(fields[4], 10, 16)
	full, errFull := strconv.ParseUint(fields[5], 10, 16)
	if errHalf != nil || errFull != nil {
		return fault(kindFormat, "structure", "clocks are %s and %s: want at most %d", fields[4], fields[5], MaxClock)
	}
	d.half, d.full = uint32(half), uint32(full)
	return nil
}

// placer puts the pieces of a text on the board, left to right. Every prefix of a stack
// must be a stack, and its lead must fit the terrain. A session's origin may have any
// terrain, because a remnant may wait there.
type placer struct {
	d          *description
	origin     Square
	commanders [2]bool // the sides whose commander is placed
}

// place puts all pieces on the board.
func (d *description) place(rows []string, origin Square) error {
	p := placer{d: d, origin: origin}
	for rank, row := range rows {
		if err := p.placeRank(rank, row); err != nil {
			return inRank(err, rank)
		}
	}
	return nil
}

func (p *placer) placeRank(rank int, row string) *engine.TextError {
	file := 0
	inStack, heroic := false, false
	for i := 0; i < len(row); {
		c := row[i]
		length := 1
		switch {
		case isDigits(row[i : i+1]):
			var n int
			n, length = emptyRun(row, i)
			file += n
		case c == '+':
			heroic = true
		case c == '(':
			inStack = true
		case c == ')':
			inStack = false
			file++
		default:
			if err := p.placePiece(squareAt(rank, file), c, heroic); err != nil {
				return atColumn(err, i)
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

func (p *placer) placePiece(sq Square, letter byte, heroic bool) *engine.TextError {
	t, _ := typeOf(letter | 0x20)
	side := engine.First
	if isLower := letter >= 'a'; isLower {
		side = engine.Second
	}
	cell := &p.d.cells[sq]
	piece, _ := NewStack(side, Member{t, heroic})
	if *cell != Empty {
		sum, ok := cell.Combine(piece)
		if !ok {
			return fault(kindCombination, "combination", "%v and %v do not combine to a stack", *cell, piece)
		}
		piece = sum
	}
	*cell = piece
	if sq != p.origin && !CanStand(piece.Lead(), sq) {
		return fault(kindTerrain, "terrain", "%v cannot stand on the terrain of %v", piece, sq)
	}
	if t == Commander {
		if p.commanders[side] {
			return fault(kindCommander, "semantic", "second commander of the same side on %v: want one", sq)
		}
		p.commanders[side] = true
	}
	return nil
}

// Kinds of errors in a position text. All but kindSession are the names that the
// published engine uses.
const (
	kindFormat      = "FEN_INVALID_FORMAT"
	kindRankCount   = "FEN_INVALID_RANK_COUNT"
	kindFileCount   = "FEN_INVALID_FILE_COUNT"
	kindPiece       = "FEN_INVALID_PIECE"
	kindParentheses = "FEN_MISMATCH_PARENTHESES"
	kindCombination = "COMBINATION_FAILED"
	kindTerrain     = "BOARD_INVALID_TERRAIN"
	kindCommander   = "COMMANDER_LIMIT_EXCEEDED"
	kindSession     = "FEN_INVALID_SESSION"
)

func fault(kind, category, format string, args ...any) *engine.TextError {
	return &engine.TextError{Kind: kind, Category: category, Msg: fmt.Sprintf(format, args...)}
}

// inRank adds the printed rank to an error; row counts from rank 12.
func inRank(err *engine.TextError, row int) error {
	err.Rank = ranks - row
	return err
}

// atColumn adds the place in the rank's text to an error.
func atColumn(err *engine.TextError, index int) *engine.TextError {
	err.Column = index + 1
	return err
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// emptyRun reads the number of empty squares at row[i]. A 1 and a digit after it are
// one number; any other digit is a number of its own.
func emptyRun(row string, i int) (value, length int) {
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
			n, l := emptyRun(row, i)
			if n < 1 || n > files {
				return atColumn(fault(kindFileCount, "lexical", "a run of %d empty squares: want 1 to %d", n, files), i)
			}
			width += n
			length = l
		case c == '+':
			if plus {
				return atColumn(fault(kindFormat, "lexical", "two + in a row: want one"), i)
			}
		case c == '(':
			if open >= 0 {
				return atColumn(fault(kindFormat, "structure", "( inside a stack"), i)
			}
			open = i
			width++
		case c == ')':
			if open < 0 {
				return atColumn(fault(kindParentheses, "structure", ") without ("), i)
			}
			open = -1
		default:
			if _, ok := typeOf(c | 0x20); !ok {
				return atColumn(fault(kindPiece, "lexical", "%q is not a piece: want one of %s", c, typeLetters), i)
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
		return atColumn(fault(kindParentheses, "structure", "( without )"), open)
	case plus:
		return atColumn(fault(kindFormat, "lexical", "+ at the end of the rank: want a piece after it"), len(row)-1)
	case width != files:
		return fault(kindFileCount, "structure", "%d squares: want %d", width, files)
	}
	return nil
}

// checkMarks rejects what the published engine accepts without a clear meaning: a +
// before anything but a letter, a stack of none or one, a number inside a stack.
func checkMarks(row string) *engine.TextError {
	open, members := -1, 0
	for i := range len(row) {
		c := row[i]
		switch {
		case i > 0 && row[i-1] == '+' && !isLetter(c):
			return atColumn(fault(kindFormat, "lexical", "+ before %q: want a piece after it", c), i-1)
		case c == '(':
			open, members = i, 0
		case c == ')':
			if members < 2 {
				return atColumn(fault(kindFormat, "structure", "%d pieces in parentheses: want 2 or 3", members), open)
			}
			open = -1
		case isLetter(c):
			members++
		case open >= 0 && c != '+':
			return atColumn(fault(kindFormat, "structure", "a number inside a stack"), i)
		}
	}
	return nil
}

// openSession reads a session field for the board as arranged. The published engine
// writes O:STAY:STEPS, where the board is the one before the session and every step in
// STEPS contains >; those steps are replayed.
func (p *Position) openSession(text string) error {
	invalid := func(format string, args ...any) error {
		return fault(kindSession, "session", "session %q: "+format, append([]any{text}, args...)...)
	}
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return invalid("want origin:members:squares")
	}
	origin, err := ParseSquare(parts[0])
	if err != nil {
		return invalid("origin %q is not a square", parts[0])
	}
	if s := p.cells[origin]; s == Empty || s.Side() != p.Turn() {
		return invalid("want a stack of the side to move on %v", origin)
	}
	if p.sides[p.turn&1].commander == NoSquare {
		return invalid("the side to move has no commander")
	}
	if strings.Contains(parts[2], ">") {
		if !p.replaySession(origin, parts[1], strings.TrimSuffix(parts[2], "...")) {
			return invalid("its steps are illegal or do not lead to an open session with the members %q", parts[1])
		}
		p.startHistory()
		return nil
	}
	p.session = noSession
	p.session.origin = uint8(origin)
	if !p.readRest(parts[1]) {
		return invalid("members %q are not part of the stack on %v", parts[1], origin)
	}
	if !p.readLanded(parts[2]) {
		return invalid("landing squares %q: want - or one or two squares with own stacks", parts[2])
	}
	if p.nothingDeployed() {
		return invalid("no member has deployed")
	}
	if !p.canContinue() {
		return invalid("no deploy step is legal, so the turn would have ended")
	}
	p.startHistory()
	return nil
}

// readRest sets the slots of the origin's stack that text names.
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

// readLanded sets the landing squares.
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

// nothingDeployed reports that no deploy step can have been played. A whole stack that
// may still deploy is possible after a suicide, which resets the half-move clock.
func (p *Position) nothingDeployed() bool {
	all := 1<<p.cells[p.session.origin].Size() - 1
	return int(p.session.rest) == all && p.session.landed == noSession.landed && p.half != 0
}

// replaySession plays the steps of the published engine's session field. It reports
// whether all are legal and leave a session open with the members of rest.
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

// ParseMove reads the text of a legal step.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	list := p.Moves(p.moves[:0])
	p.moves = list
	for _, m := range list {
		if p.FormatMove(m) == text {
			return m, nil
		}
	}
	return 0, fmt.Errorf("parse move %q: not a legal step in this position", text)
}
