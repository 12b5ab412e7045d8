package chess

import "math/bits"

// Count returns how many moves Moves lists. It counts sets where Moves lists them
// and walks the same rays.
func (p *Position) Count() int {
	us := p.turn()
	cell := p.kingCell(us)
	checkers, pinned := p.threats(us, cell)
	if checkers != 0 || pinned != 0 || p.state&passantBits != 0 {
		p.list = p.Moves(p.list[:0]) // rare, and few moves
		return len(p.list)
	}
	own := p.sides[us]
	n := p.countPawns(us, p.kinds[pawn]&own) + bits.OnesCount64(p.kingTargets(us, cell))
	for set := p.kinds[knight] & own; set != 0; set &= set - 1 {
		n += bits.OnesCount64(knightReach[first(set)] &^ own)
	}
	enemy := colourOf(us ^ 1)
	for set := (p.kinds[bishop] | p.kinds[queen]) & own; set != 0; set &= set - 1 {
		from := firstSquare(set)
		n += p.room(from, northWest, enemy) + p.room(from, northEast, enemy) +
			p.room(from, southWest, enemy) + p.room(from, southEast, enemy)
	}
	for set := (p.kinds[rook] | p.kinds[queen]) & own; set != 0; set &= set - 1 {
		from := firstSquare(set)
		n += p.room(from, north, enemy) + p.room(from, west, enemy) +
			p.room(from, east, enemy) + p.room(from, south, enemy)
	}
	if p.state&rightsBits != 0 {
		for way := range 2 {
			if p.pathFree(us, way) && p.passes(us, way) {
				n++
			}
		}
	}
	return n
}

// room counts the squares that a piece can go to along one ray.
func (p *Position) room(from, step, enemy uint8) (n int) {
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

// countPawns counts the moves of pawns that are not pinned, without check and en
// passant.
func (p *Position) countPawns(us uint8, pawns uint64) int {
	t := p.pawnTargets(us, pawns, all)
	n := bits.OnesCount64(t.one) + bits.OnesCount64(t.two) + bits.OnesCount64(t.left) + bits.OnesCount64(t.right)
	if (t.one|t.left|t.right)&lastRanks != 0 {
		n += 3 * (bits.OnesCount64(t.one&lastRanks) + bits.OnesCount64(t.left&lastRanks) + bits.OnesCount64(t.right&lastRanks))
	}
	return n
}
