//go:build !race

package program

const watched = false
