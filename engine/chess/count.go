package chess

import "math/bits"

// Count returns the number of legal moves. It counts bits where Moves lists sets, and
// walks the same rays.
func (p *Position) Count() int {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.checkersAndPins(us, cell)
	if checkers != 0 || pinned != 0 || p.state&passantBits != 0 {
		p.list = p.Moves(p.list[:0]) // rare, and the lists are short
		return len(p.list)
	}
	own := p.sides[us]
	n := p.countPawns(us, p.kinds[pawn]&own) + bits.OnesCount64(p.kingTargets(us, cell))
	for set := p.kinds[knight] & own; set != 0; set &= set - 1 {
		n += bits.OnesCount64(knightReach[firstCell(set)] &^ own)
	}
	enemy := colourOf(us ^ 1)
	for set := (p.kinds[bishop] | p.kinds[queen]) & own; set != 0; set &= set - 1 {
		from := firstSquare(set)
		n += p.countRay(from, northWest, enemy) + p.countRay(from, northEast, enemy) +
			p.countRay(from, southWest, enemy) + p.countRay(from, southEast, enemy)
	}
	for set := (p.kinds[rook] | p.kinds[queen]) & own; set != 0; set &= set - 1 {
		from := firstSquare(set)
		n += p.countRay(from, north, enemy) + p.countRay(from, west, enemy) +
			p.countRay(from, east, enemy) + p.countRay(from, south, enemy)
	}
	if p.state&rightsBits != 0 {
		for wing := range 2 {
			if p.pathFree(us, wing) && p.kingPathSafe(us, wing) {
				n++
			}
		}
	}
	return n
}

// countRay counts the targets of a piece along one ray.
func (p *Position) countRay(from, step, enemy uint8) (n int) {
	to := from + step
	for p.board[to] == empty {
		n++
		to += step
	}
	if p.board[to]&enemy != 0 {
		n++
	}
	return n
}

// countPawns counts the moves of pawns that are not pinned, for a side that is not in
// check, without en passant.
func (p *Position) countPawns(us uint8, pawns uint64) int {
	t := p.pawnTargets(us, pawns, allCells)
	n := bits.OnesCount64(t.one) + bits.OnesCount64(t.two) + bits.OnesCount64(t.left) + bits.OnesCount64(t.right)
	if (t.one|t.left|t.right)&lastRanks != 0 {
		n += 3 * (bits.OnesCount64(t.one&lastRanks) + bits.OnesCount64(t.left&lastRanks) + bits.OnesCount64(t.right&lastRanks))
	}
	return n
}
