//go:build !goexperiment.simd || !amd64

package nnue

// hasVectors reports that this build and this processor have the functions below.
const hasVectors = false

func (n *Network) updateVectors(dst, src []uint64, added, removed []int) {}

func outputVectors(own, other []uint64, weights []int16) int64 { return 0 }
