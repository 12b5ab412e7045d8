package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// rays is the surroundings of a square: bit 8*d + n-1 stands for the square n steps away
// in direction d, an index of directions, for n up to maxAttack. From bit 0 upwards the
// squares come in the order of target runs, ray by ray. A set of targets is therefore one
// word, and a mover's steps are its set bits.
type rays uint64

const (
	rayBits rays = 0x1F1F1F1F1F1F1F1F // all squares
	rayEnds rays = 0x8080808080808080 // the highest bit of each ray; no square
	rayOnes rays = 0x0101010101010101 // the first square of each ray
)

// first returns the first square of each ray that is in the set.
func (r rays) first() rays { return r & (rayEnds - r) }

// before returns the squares before the first one of each ray that is in the set.
func (r rays) before() rays { return (r.first() | rayEnds) - rayOnes }

// next returns the number of the lowest bit. The set must not be empty.
func (r rays) next() uint8 { return uint8(bits.TrailingZeros64(uint64(r))) & 63 }

// Four lines cross a square: its rank, its file and two diagonals. The squares of a file are
// numbered by rank, those of the other lines by file.

// windowRays[w] holds what the middle of an eleven-bit window of a line sees: the squares
// after it in byte 2, those before it, nearest first, in byte 0.
var windowRays = func() (table [1 << (2*maxAttack + 1)]uint32) {
	for w := range uint32(len(table)) {
		before := uint32(bits.Reverse8(uint8(w))) >> (8 - maxAttack) & (1<<maxAttack - 1)
		table[w] = w>>(maxAttack+1)<<16 | before
	}
	return table
}()

// window returns the squares before and after a square on its line.
func window(line uint64, at uint8) uint32 {
	return windowRays[line<<maxAttack>>(at&15)&(1<<(2*maxAttack+1)-1)]
}

// diagonalMasks holds the squares of the two diagonals through each square: the one to
// the south-east, then the one to the north-east.
var diagonalMasks = func() (table [256][2][3]uint64) {
	for _, a := range boardSquares {
		for _, b := range boardSquares {
			ranks, files := Square(a).Rank()-Square(b).Rank(), Square(a).File()-Square(b).File()
			if ranks == files {
				table[a][0][b>>6] |= 1 << (b & 63)
			}
			if ranks == -files {
				table[a][1][b>>6] |= 1 << (b & 63)
			}
		}
	}
	return table
}()

const (
	everyRank = 0x0001000100010001 // file a of the four ranks in a word
	fileToRow = 1<<48 | 1<<33 | 1<<18 | 1<<3
)

// raysAround returns the squares of a set around a square.
func raysAround(set *squareSet, sq uint8) rays {
	rank, file := sq>>4, sq&15
	row := set[rank>>2&3] >> (rank & 3 * 16) & 0xFFFF
	// One bit of each rank is left. The product moves bit 0 of the four 16-bit lanes side
	// by side into the highest lane.
	column := set[0]>>file&everyRank | set[1]>>file&everyRank<<4 | set[2]>>file&everyRank<<8
	column = column * fileToRow >> 48
	// No two squares of a diagonal share a file, so the product adds up the lanes without
	// a carry.
	m, n := &diagonalMasks[sq][0], &diagonalMasks[sq][1]
	falling := (set[0]&m[0] | set[1]&m[1] | set[2]&m[2]) * everyRank >> 48
	rising := (set[0]&n[0] | set[1]&n[1] | set[2]&n[2]) * everyRank >> 48
	// As in directions: N E S W, NW NE SE SW. The squares before are in byte 0 and those after
	// in byte 2; the rotation moves them to bytes 3 and 1.
	straight := window(column, rank) | bits.RotateLeft32(window(row, file), -8)
	diagonal := window(falling, file) | bits.RotateLeft32(window(rising, file), -8)
	return rays(straight) | rays(diagonal)<<32
}

// raySquares holds the offset of the square of each bit, rayTargets its target without flags.
// raySteps added to a step that goes to the square in the middle gives the step that goes to
// the square of the bit.
var raySquares, raySteps, rayTargets = func() (squares [64]uint8, steps [64]engine.Move, list [64]target) {
	for d, dir := range directions {
		for n := 1; n <= maxAttack; n++ {
			i := 8*d + n - 1
			squares[i], steps[i] = uint8(n*dir), engine.Move(n*dir)<<ToShift
			list[i] = target{offset: squares[i], dir: uint8(dir), dist: uint8(n)}
		}
	}
	return squares, steps, list
}()

// kindMoves holds the squares that a kind on a square may enter if nothing blocks it;
// all but air forces may join an own stack on the same squares. Commanders reach farther
// and are not in the table.
var kindMoves = func() (table [32][256]rays) {
	for kind := range table {
		for sq := range table[kind] {
			table[kind][sq] = raysWith(uint8(kind), uint8(sq), canMove)
		}
	}
	return table
}()

// raysWith returns the targets of a kind on a square that have one of the flags.
func raysWith(kind, sq, flags uint8) (set rays) {
	for _, t := range targetsFrom(kind, sq) {
		if t.flags&flags != 0 && t.dist <= maxAttack {
			set |= 1 << rayBit[t.offset]
		}
	}
	return set
}

// rayBit is the inverse of raySquares.
var rayBit = func() (table [256]uint8) {
	for i, offset := range raySquares {
		if offset != 0 {
			table[offset] = uint8(i)
		}
	}
	return table
}()
