package othello

import (
	"math/bits"

	"selfplay/engine"
)

// pass is the move of a side that cannot place a disc. Other moves are numbers of cells.
const pass engine.Move = 64

// Cells that no line to the left, or to the right, ends on.
const (
	notA uint64 = 0xFEFE_FEFE_FEFE_FEFE
	notH uint64 = 0x7F7F_7F7F_7F7F_7F7F
)

// directions shift a set of cells by one cell, without going around an edge.
var directions = [8]func(set uint64) uint64{
	func(set uint64) uint64 { return set << 1 & notA },
	func(set uint64) uint64 { return set >> 1 & notH },
	func(set uint64) uint64 { return set << 8 },
	func(set uint64) uint64 { return set >> 8 },
	func(set uint64) uint64 { return set << 9 & notA },
	func(set uint64) uint64 { return set >> 9 & notH },
	func(set uint64) uint64 { return set << 7 & notH },
	func(set uint64) uint64 { return set >> 7 & notA },
}

// placeable returns the empty cells on which a side with the discs own outflanks.
func placeable(own, theirs uint64) (cells uint64) {
	empty := ^(own | theirs)
	for _, shift := range directions {
		line := shift(own) & theirs
		for range 5 { // a line has at most six discs
			line |= shift(line) & theirs
		}
		cells |= shift(line) & empty
	}
	return cells
}

// outflanked returns the discs of the opponent that a disc on a cell turns over.
func outflanked(own, theirs uint64, cell int) (turned uint64) {
	for _, shift := range directions {
		line, next := uint64(0), shift(1<<cell)
		for next&theirs != 0 {
			line |= next
			next = shift(next)
		}
		if next&own != 0 {
			turned |= line
		}
	}
	return turned
}

// Moves appends the cells on which the side to move can place a disc, in ascending order, or the
// pass if there is none and the game goes on.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	cells := placeable(p.own())
	if cells == 0 && !p.Over() {
		return append(dst, pass)
	}
	for ; cells != 0; cells &= cells - 1 {
		dst = append(dst, engine.Move(bits.TrailingZeros64(cells)))
	}
	return dst
}

// Legal reports whether Moves lists m.
func (p *Position) Legal(m engine.Move) bool {
	cells := placeable(p.own())
	if m == pass {
		return cells == 0 && !p.Over()
	}
	return m < pass && cells>>m&1 != 0
}
