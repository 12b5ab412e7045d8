//go:build !purego

package nnue

import (
	"golang.org/x/sys/cpu"

	"selfplay/engine"
)

// hasVectors reports that the processor has the functions of vectors_amd64.s.
var hasVectors = cpu.X86.HasAVX2

func (n *Network) updateVectors(dst, src []uint64, added, removed []engine.Feature, side engine.Side) {
	updateAVX2(&dst[0], &src[0], &n.rows[0], n.words, added, removed, uint64(16*(side&1)))
}

func outputVectors(own, other []uint64, weights []int16) int64 {
	return outputAVX2(&own[0], &other[0], &weights[0], len(own))
}

func (n *Network) outputAfterVectors(view []uint64, added, removed []engine.Feature, side engine.Side, weights []int16) int64 {
	return outputAfterAVX2(&view[0], &n.rows[0], &weights[0], n.words, added, removed, uint64(16*(side&1)))
}

// updateAVX2 is updatePlain. dst and src have a number of words that is a multiple of 4, and rows
// has as many for each feature. The number of a feature is in its 16 bits from shift on.
//
//go:noescape
func updateAVX2(dst, src, rows *uint64, words int, added, removed []engine.Feature, shift uint64)

// outputAVX2 is the output of two views, each of a number of words that is a multiple of 4. There
// are two weights for each accumulator: those of own come first.
//
//go:noescape
func outputAVX2(own, other *uint64, weights *int16, words int) int64

// outputAfterAVX2 is the output of one view after updateAVX2, which it does not change.
//
//go:noescape
func outputAfterAVX2(view, rows *uint64, weights *int16, words int, added, removed []engine.Feature, shift uint64) int64
