//go:build !purego

package search

import "golang.org/x/sys/cpu"

// hasVectors reports that the processor has the function of largest_amd64.s.
var hasVectors = cpu.X86.HasAVX2

// largestVectors is largestPlain for at least vectorKeys keys.
func largestVectors(keys []int32) int { return largestAVX2(&keys[0], len(keys)) }

// largestAVX2 returns the index of the first of the largest of n keys, at least 8.
//
//go:noescape
func largestAVX2(keys *int32, n int) int
