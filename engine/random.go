package engine

import "math/rand/v2"

// Random numbers that games and players share. Every byte of every dataset depends
// on these functions: never change what they return.

// Below returns an exactly uniform number in [0, n); n must not be 0. It uses Lemire's
// multiply-and-reject method.
func Below(src *rand.PCG, n uint32) uint32 {
	product := uint64(uint32(src.Uint64()>>32)) * uint64(n)
	if low := uint32(product); low < n {
		for reject := -n % n; low < reject; low = uint32(product) {
			product = uint64(uint32(src.Uint64()>>32)) * uint64(n)
		}
	}
	return uint32(product >> 32)
}

// Mix is the output function of SplitMix64, a bijection that scatters neighbouring
// numbers. It makes seeds and Zobrist keys.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
