package engine

import "math/rand/v2"

// What games and their players share of chance. Every byte of every dataset depends
// on these lines: never change what they return.

// Below returns a uniform number in [0, n), exactly; n is not 0. See Lemire, "Fast
// random integer generation in an interval", 2019.
func Below(src *rand.PCG, n uint32) uint32 {
	product := uint64(uint32(src.Uint64()>>32)) * uint64(n)
	if low := uint32(product); low < n {
		for reject := -n % n; low < reject; low = uint32(product) {
			product = uint64(uint32(src.Uint64()>>32)) * uint64(n)
		}
	}
	return uint32(product >> 32)
}

// Mix is the step of SplitMix64: neighbours go far apart, and no two numbers to
// the same place. It makes seeds and Zobrist keys. See Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", 2014.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
