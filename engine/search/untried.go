package search

import (
	"fmt"

	"selfplay/engine"
)

// untried is a move of an expanded node and its prior. It is packed so that the largest one
// is the one to try next, the first of those with the highest prior: from the top the
// prior, how far the move is from the end of the longest list, and the move.
type untried uint64

const (
	orderBits    = 15
	maxMoveCount = 1 << orderBits
)

func newUntried(prior int32, order int, m engine.Move) untried {
	return untried(prior)<<(32+orderBits) | untried(maxMoveCount-1-order)<<32 | untried(m)
}

func (u untried) move() engine.Move { return engine.Move(u) }

// order returns the index of the move in the list of moves.
func (u untried) order() uint16 { return maxMoveCount - 1 - uint16(u>>32)&(maxMoveCount-1) }

// prior returns the prior in 65536ths.
func (u untried) prior() int32 { return int32(u >> (32 + orderBits)) }

// checkedMoveCount returns the number of some moves.
func checkedMoveCount(moves []engine.Move) uint16 {
	if len(moves) > maxMoveCount {
		panic(fmt.Sprintf("search: %d moves, at most %d fit", len(moves), maxMoveCount))
	}
	return uint16(len(moves))
}
