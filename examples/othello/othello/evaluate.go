package othello

import (
	"math/bits"

	"selfplay/engine"
)

// Worth in centi-units. They were chosen by hand; matches would find better ones.
const (
	cornerWorth   = 400 // a corner is never turned over
	besideWorth   = -80 // a disc beside an empty corner lets the opponent reach it
	mobilityWorth = 25  // a cell on which the side can place
)

const corners uint64 = 1<<0 | 1<<7 | 1<<56 | 1<<63

// Evaluate returns the static score: corners, cells beside empty corners, and mobility.
func (p *Position) Evaluate() int {
	own, theirs := p.own()
	beside := besideOf(corners &^ (own | theirs))
	return cornerWorth*(count(own&corners)-count(theirs&corners)) +
		besideWorth*(count(own&beside)-count(theirs&beside)) +
		mobilityWorth*(count(placeable(own, theirs))-count(placeable(theirs, own)))
}

func count(set uint64) int { return bits.OnesCount64(set) }

// besideOf returns the neighbours of cells.
func besideOf(cells uint64) (set uint64) {
	for _, shift := range directions {
		set |= shift(cells)
	}
	return set
}

// Captures appends the legal moves to corners: only they have a gain.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	for cells := placeable(p.own()) & corners; cells != 0; cells &= cells - 1 {
		dst = append(dst, engine.Move(bits.TrailingZeros64(cells)))
	}
	return dst
}

// Gain returns the worth of a corner, and 0 for other moves.
func (p *Position) Gain(m engine.Move) int {
	if m < pass && corners>>m&1 != 0 {
		return cornerWorth
	}
	return 0
}
