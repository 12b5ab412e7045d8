//go:build race

package program

// watched is true with the race detector, which makes tests many times slower.
const watched = true
