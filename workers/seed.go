package workers

import "math/rand/v2"

// reseed makes src a function of (seed, game) and of nothing else. No two pairs
// give the same state: its low half tells the game, and then its high half the
// seed, since mix is one to one.
//
// Every byte of every dataset depends on these few lines. Never change them.
func reseed(src *rand.PCG, seed, game uint64) {
	g := mix(game)
	src.Seed(mix(seed^g), g)
}

// mix is the step of SplitMix64: neighbours go far apart, and no two numbers to
// the same place. See Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators", 2014.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
