package cotulenh

import "selfplay/engine"

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

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

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
