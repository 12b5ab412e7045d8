package bitboard

import "math/bits"

// Two commanders face each other if they share a rank or file and nothing stands between
// them. Neither side may end its turn like that.

// sameLine reports whether two squares share a rank or file.
func sameLine(a, b uint8) bool { return (a^b)&0x0F == 0 || (a^b)&0xF0 == 0 }

// between returns the squares of the set between two squares that share a rank or file.
func (b Board) between(from, to uint8) Board {
	return b.And(linesBetween[lineIndex(from, to)])
}

// linesBetween holds the squares between two squares of a rank or file.
var linesBetween = func() (table [256 * 32]Board) {
	for _, from := range squares {
		for d := range 4 {
			path := Board{}
			for next := squareBoards[from].Shift(d); !next.Empty(); next = next.Shift(d) {
				to := next
				table[lineIndex(from, to.pop())] = path
				path = path.Or(next)
			}
		}
	}
	return table
}()

// lineIndex numbers a square and another one of its rank or file.
func lineIndex(from, to uint8) uint {
	if (from^to)&0xF0 == 0 {
		return uint(from)<<5 | uint(to&15)
	}
	return uint(from)<<5 | 16 | uint(to>>4)
}

// commandersFace reports whether the commanders face each other.
func (p *Position) commandersFace() bool {
	own := p.sides[0].commander
	return own != noSquare && p.wouldFace(0, own, p.occupied())
}

// wouldFace reports whether a commander of side us on sq would face the other one, if the
// given squares are occupied.
func (p *Position) wouldFace(us, sq uint8, occupied Board) bool {
	e := p.sides[us&1^1].commander
	return e != noSquare && e != sq && sameLine(sq, e) && occupied.between(sq, e).Empty()
}

// exposed returns the squares that the enemy commander exposes to the own commander on
// from, which may not enter or cross them. The enemy commander exposes two rays up to the
// first stack: along its file towards the rank of from (south on the same rank), and along
// its rank towards the file of from (none on the same file). The commander on from does not
// end a ray.
func (p *Position) exposed(from uint8) (b Board) {
	e := p.enemy().commander
	if e == noSquare {
		return b
	}
	blockers := p.occupied().AndNot(squareBoards[from])
	vertical := 0
	if from>>4 >= e>>4 {
		vertical = 2
	}
	b = openLine(blockers, e, vertical)
	switch {
	case from&15 < e&15:
		b = b.Or(openLine(blockers, e, 3))
	case from&15 > e&15:
		b = b.Or(openLine(blockers, e, 1))
	}
	return b
}

// openLine returns the squares in an orthogonal direction up to the first blocker.
func openLine(blockers Board, from uint8, d int) Board {
	n := openSteps(blockers, from, d)
	if n == 0 {
		return Board{}
	}
	last := from + n*uint8(directions[d])
	return linesBetween[lineIndex(from, last)].Or(squareBoards[last])
}

// openSteps returns the number of squares in a direction up to the first blocker or the
// edge.
func openSteps(blockers Board, from uint8, d int) uint8 {
	line, pos := blockers.line(from, d)
	free := 0
	if forwards[d&7] {
		free = bits.TrailingZeros64(line >> (pos + 1))
	} else {
		free = bits.LeadingZeros64(line << (64 - pos))
	}
	return min(uint8(free), edges[from][d&7])
}

// forwards says whether a direction counts up the bits of its line.
var forwards = [8]bool{false, true, true, false, false, true, true, false}

// line returns the squares of the set on the line of a direction, and the bit of the square
// from in it.
func (b Board) line(from uint8, d int) (line uint64, pos uint8) {
	file, rank := from&15, from>>4
	switch d {
	case 0, 2:
		return b.column(file), rank
	case 1, 3:
		return b.row(rank), file
	case 4, 6:
		return b.onFiles(&fallingLines[(rank-file)&31]), file
	}
	return b.onFiles(&risingLines[(rank+file)&31]), file
}
