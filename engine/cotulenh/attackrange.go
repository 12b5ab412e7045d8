package cotulenh

import "math/bits"

// squareSet is a set of squares, one bit each.
type squareSet [4]uint64

func (b *squareSet) set(sq uint8)   { b[sq>>6] |= 1 << (sq & 63) }
func (b *squareSet) clear(sq uint8) { b[sq>>6] &^= 1 << (sq & 63) }
func (b *squareSet) include(a *squareSet) {
	b[0] |= a[0]
	b[1] |= a[1]
	b[2] |= a[2]
}

func (b *squareSet) has(sq uint8) bool { return b[sq>>6]>>(sq&63)&1 != 0 }

// overlap reports whether two sets have a square in common.
func overlap(a, b *squareSet) bool { return a[0]&b[0]|a[1]&b[1]|a[2]&b[2] != 0 }

// shared returns the number of squares that two sets have in common.
func shared(a, b *squareSet) int {
	return bits.OnesCount64(a[0]&b[0]) + bits.OnesCount64(a[1]&b[1]) + bits.OnesCount64(a[2]&b[2])
}

// maxAttack is the longest attack range: that of a heroic air force or navy.
const maxAttack = 5

// relation is the position of one square relative to another.
type relation struct {
	dir, dist, diagonal uint8
	number              uint8 // diagonal*8 + dist
}

// index is unique for each pair of distance and diagonal, below 16.
func (r *relation) index() uint8 { return r.number & 15 }

// relations[b-a] holds how to go from a to b, for squares within maxAttack steps on
// one of the eight rays; dist is 0 for others. A square eleven ranks away can look
// like one five steps away. Check attackRange first where that matters.
var relations = func() (table [256]relation) {
	for d, dir := range directions {
		for n := 1; n <= maxAttack; n++ {
			r := &table[uint8(n*dir)]
			r.dir, r.dist = uint8(dir), uint8(n)
			if d >= 4 {
				r.diagonal = 1
			}
			r.number = r.diagonal<<3 | r.dist
		}
	}
	return table
}()

// attackRange holds for each square the squares within maxAttack steps on its eight
// rays: every attack on it comes from there.
var attackRange = func() (table [256]squareSet) {
	for _, sq := range boardSquares {
		for _, dir := range directions {
			for n := 1; n <= maxAttack; n++ {
				to := Square(sq + uint8(n*dir))
				if !to.Valid() {
					break
				}
				table[sq].set(uint8(to))
			}
		}
	}
	return table
}()

// inAttackRange[b-a] reports whether b is in the attack range of a or equal to a. It
// has false positives, see relations.
var inAttackRange = func() (table [256]bool) {
	for diff := range table {
		table[diff] = diff == 0 || relations[diff].dist != 0
	}
	return table
}()

// attackRangeWithin[radius] is attackRange limited to a radius.
var attackRangeWithin = func() (table [8][256]squareSet) {
	for radius := range table {
		for _, a := range boardSquares {
			for _, b := range boardSquares {
				if attackRange[a].has(b) && int(relations[b-a].dist) <= radius {
					table[radius][a].set(b)
				}
			}
		}
	}
	return table
}()
