package chess

import (
	"fmt"
	"math/bits"
)

// A square is an index of the 10x12 mailbox, a8 = 21 to h1 = 98. A cell is an index
// of the 8x8 board inside it, a8 = 0 to h1 = 63. Both start at rank 8, as printed,
// so White moves towards smaller numbers:
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
// The border has one file on each side, which stops every sideways step, and two
// ranks above and below for knights. Arrays over squares have 256 entries and a
// uint8 index, which needs no bounds check; entries from 120 on belong to the
// border too.

// squareOf returns the square of a cell: 21 + 10*(cell/8) + cell%8.
func squareOf(cell int) uint8 { return uint8(21 + cell + cell>>3<<1) }

// mailbox64 maps cells to squares.
var mailbox64 = func() (table [64]uint8) {
	for cell := range table {
		table[cell] = squareOf(cell)
	}
	return table
}()

// mailbox is the inverse of mailbox64; -1 on the border.
var mailbox = func() (table [256]int8) {
	for sq := range table {
		table[sq] = -1
	}
	for cell, sq := range mailbox64 {
		table[sq] = int8(cell)
	}
	return table
}()

// bit is the set of one square's cell, 0 on the border. A set has one bit per cell.
var bit = func() (table [256]uint64) {
	for cell, sq := range mailbox64 {
		table[sq] = 1 << cell
	}
	return table
}()

// cellOf returns the cell of a square on the board.
func cellOf(sq uint8) int { return int(mailbox[sq]) & 63 }

// firstCell returns the smallest cell of a non-empty set.
func firstCell(set uint64) int { return bits.TrailingZeros64(set) & 63 }

// firstSquare returns the square of the smallest cell of a non-empty set. It
// multiplies the lowest bit with a de Bruijn number, whose top six bits then index a
// table. On processors without a fast bit-scan instruction this is faster than
// TrailingZeros64.
func firstSquare(set uint64) uint8 { return deBruijnSquares[set&-set*deBruijn>>58] }

const deBruijn = 0x03f79d71b4cb0a89

var deBruijnSquares = func() (table [64]uint8) {
	for cell, sq := range mailbox64 {
		table[uint64(deBruijn)<<cell>>58] = sq
	}
	return table
}()

// Ranks and files as sets of cells.
const (
	rank7     = 0xff << 8
	rank2     = 0xff << 48
	lastRanks = 0xff | 0xff<<56
	fileA     = 0x0101010101010101
	fileH     = fileA << 7
	allCells  = ^uint64(0)
)

// nth returns the n-th cell, from 0, of a set with more than n cells.
func nth(set uint64, n uint32) int {
	for ; n > 0; n-- {
		set &= set - 1
	}
	return firstCell(set)
}

// Steps from square to square, modulo 256.
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

// Steps by kind of piece. Kings and queens use kingSteps.
var (
	knightSteps      = [...]int{-21, -19, -12, -8, 8, 12, 19, 21}
	diagonalSteps    = [...]int{-11, -9, 9, 11}
	straightSteps    = [...]int{-10, -1, 1, 10}
	kingSteps        = [...]int{-11, -10, -9, -1, 1, 9, 10, 11}
	pawnCaptureSteps = [2][2]int{{-11, -9}, {9, 11}} // by side
)

// Targets on the empty board, by cell.
var (
	knightReach = reach(knightSteps[:], 1)
	kingReach   = reach(kingSteps[:], 1)
	diagonals   = reach(diagonalSteps[:], 7)
	straights   = reach(straightSteps[:], 7)
	pawnReach   = [2][64]uint64{reach(pawnCaptureSteps[0][:], 1), reach(pawnCaptureSteps[1][:], 1)}
)

// reach follows each step up to limit times from every square.
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

// between[a][b] has the cells strictly between two cells on a common line. lines[a][b]
// has all cells of that line, from border to border.
var between, lines = lineTables()

func lineTables() (between, lines [64][64]uint64) {
	for a, from := range mailbox64 {
		for _, step := range kingSteps {
			line := rayCells(from, step) | rayCells(from, -step) | bit[from]
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

// rayCells returns the cells of a ray, without its start, up to the border.
func rayCells(from uint8, step int) (set uint64) {
	for sq := from + uint8(step); bit[sq] != 0; sq += uint8(step) {
		set |= bit[sq]
	}
	return set
}

// cellName returns the name of a cell, a8 to h1.
func cellName(cell int) string {
	return string([]byte{'a' + byte(cell&7), '8' - byte(cell>>3)})
}

// parseCell parses the name of a cell.
func parseCell(name string) (int, error) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return 0, fmt.Errorf("parse square %q: want a1 to h8", name)
	}
	return int('8'-name[1])<<3 | int(name[0]-'a'), nil
}
