//go:build !amd64 || purego

package search

const hasVectors = false

func largestVectors(keys []int32) int { return largestPlain(keys) }
