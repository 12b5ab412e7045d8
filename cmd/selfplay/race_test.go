//go:build race

package main

// watched tells that the race detector watches, which makes everything many times slower.
const watched = true
