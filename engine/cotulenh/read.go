package cotulenh

import (
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
