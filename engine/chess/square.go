package chess

import (
	"fmt"
	"math/bits"
)

// A square is a number of the 10x12 mailbox, a8 = 21 to h1 = 98. A cell is a
// number of the 8x8 board inside it, a8 = 0 to h1 = 63. Rank 8 comes first in
// both, as on the screen, so White moves towards smaller numbers:
//
//	   0   1   2   3   4   5   6   7   8   9
//	  10  11  12  13  14  15  16  17  18  19
//	  20 [21  22  23  24  25  26  27  28] 29   rank 8, cells  0 to  7
//	  30 [31  32  33  34  35  36  37  38] 39
//	   :                                    :
//	  90 [91  92  93  94  95  96  97  98] 99   rank 1, cells 56 to 63
//	 100 101 102 103 104 105 106 107 108 109
//	 110 111 112 113 114 115 116 117 118 119
//
// The board has one file of border on each side, which stops every step to the
// side, and two ranks above and below for the knights. Arrays over squares have
// 256 entries and an uint8 for index: that needs no bounds check, and the
// border simply goes on to 255.

// squareOf returns the square of a cell: 21 + 10*(cell/8) + cell%8.
func squareOf(cell int) uint8 { return uint8(21 + cell + cell>>3<<1) }

// mailbox64 lists the squares of the cells.
var mailbox64 = func() (table [64]uint8) {
	for cell := range table {
		table[cell] = squareOf(cell)
	}
	return table
}()

// mailbox is the inverse of mailbox64, -1 on the border.
var mailbox = func() (table [256]int8) {
	for sq := range table {
		table[sq] = -1
	}
	for cell, sq := range mailbox64 {
		table[sq] = int8(cell)
	}
	return table
}()

// bit is the set that holds one square, empty on the border. Sets of squares are
// 64 bits over the cells.
var bit = func() (table [256]uint64) {
	for cell, sq := range mailbox64 {
		table[sq] = 1 << cell
	}
	return table
}()

// cellOf returns the cell of a square of the board.
func cellOf(sq uint8) int { return int(mailbox[sq]) & 63 }

// first returns the smallest cell of a set that is not empty.
func first(set uint64) int { return bits.TrailingZeros64(set) & 63 }

// firstSquare returns the square of the smallest cell of a set that is not empty. It
// takes the bit alone, whose product with a de Bruijn number begins with six bits of
// its own: where there is no fast instruction for it, that and a table are faster.
func firstSquare(set uint64) uint8 { return deBruijnSquares[set&-set*deBruijn>>58] }

const deBruijn = 0x03f79d71b4cb0a89

var deBruijnSquares = func() (table [64]uint8) {
	for cell, sq := range mailbox64 {
		table[uint64(deBruijn)<<cell>>58] = sq
	}
	return table
}()

// nth returns the n-th cell of a set that has more than n.
func nth(set uint64, n uint32) int {
	for ; n > 0; n-- {
		set &= set - 1
	}
	return first(set)
}

// Steps from square to square; towards smaller numbers they wrap around.
const (
	east  uint8 = 1
	south uint8 = 10
	west        = 255 - east + 1
	north       = 255 - south + 1

	southEast = south + east
	southWest = south - east
	northEast = 255 - southWest + 1
	northWest = 255 - southEast + 1
)

// The offsets of the pieces; kings and queens go along both sets of rays.
var (
	knightSteps   = [...]int{-21, -19, -12, -8, 8, 12, 19, 21}
	diagonalSteps = [...]int{-11, -9, 9, 11}
	straightSteps = [...]int{-10, -1, 1, 10}
	kingSteps     = [...]int{-11, -10, -9, -1, 1, 9, 10, 11}
	pawnTakes     = [2][2]int{{-11, -9}, {9, 11}} // by side
)

// Where pieces reach on an empty board: by cell, as sets.
var (
	knightReach = reach(knightSteps[:], 1)
	kingReach   = reach(kingSteps[:], 1)
	diagonals   = reach(diagonalSteps[:], 7)
	straights   = reach(straightSteps[:], 7)
	pawnReach   = [2][64]uint64{reach(pawnTakes[0][:], 1), reach(pawnTakes[1][:], 1)}
)

// reach walks from every square up to limit steps of each kind.
func reach(steps []int, limit int) (table [64]uint64) {
	for cell, from := range mailbox64 {
		for _, step := range steps {
			sq := from + uint8(step)
			for n := 0; n < limit && bit[sq] != 0; n++ {
				table[cell] |= bit[sq]
				sq += uint8(step)
			}
		}
	}
	return table
}

// between holds the cells strictly between two that share a line; lines holds all
// cells of that line, from border to border.
var between, lines = joins()

func joins() (between, lines [64][64]uint64) {
	for a, from := range mailbox64 {
		for _, step := range kingSteps {
			line := walk(from, step) | walk(from, -step) | bit[from]
			passed := uint64(0)
			for sq := from + uint8(step); bit[sq] != 0; sq += uint8(step) {
				b := cellOf(sq)
				between[a][b], lines[a][b] = passed, line
				passed |= bit[sq]
			}
		}
	}
	return between, lines
}

// walk returns the cells from a square, itself not included, to the border.
func walk(from uint8, step int) (set uint64) {
	for sq := from + uint8(step); bit[sq] != 0; sq += uint8(step) {
		set |= bit[sq]
	}
	return set
}

// cellName returns the name of a cell: a8 to h1.
func cellName(cell int) string {
	return string([]byte{'a' + byte(cell&7), '8' - byte(cell>>3)})
}

// parseCell reads the name of a cell.
func parseCell(name string) (int, error) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return 0, fmt.Errorf("parse square %q: want a1 to h8", name)
	}
	return int('8'-name[1])<<3 | int(name[0]-'a'), nil
}
