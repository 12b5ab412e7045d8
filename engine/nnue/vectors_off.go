//go:build purego || !amd64

package nnue

import "selfplay/engine"

// hasVectors reports that the processor has the functions below.
const hasVectors = false

func (n *Network) updateVectors(dst, src []uint64, added, removed []engine.Feature, side engine.Side) {
}

func outputVectors(own, other []uint64, weights []int16) int64 { return 0 }

func (n *Network) outputAfterVectors(view []uint64, added, removed []engine.Feature, side engine.Side, weights []int16) int64 {
	return 0
}
