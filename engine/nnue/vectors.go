//go:build goexperiment.simd && amd64

package nnue

import "simd/archsimd"

// hasVectors reports that this build and this processor have the functions below.
var hasVectors = archsimd.X86.AVX2()

// A vector is four words, and the numbers of words are multiples of four.

// updateVectors is updatePlain with two vectors at a time, where two are left.
func (n *Network) updateVectors(dst, src []uint64, added, removed []int) {
	src = src[:len(dst)]
	i := 0
	for ; i+8 <= len(dst); i += 8 {
		from, rows := (*[8]uint64)(src[i:]), n.rows[i:]
		a, b := archsimd.LoadUint64x4((*[4]uint64)(from[0:])), archsimd.LoadUint64x4((*[4]uint64)(from[4:]))
		for _, offset := range added {
			row := (*[8]uint64)(rows[offset:])
			a = a.Add(archsimd.LoadUint64x4((*[4]uint64)(row[0:])))
			b = b.Add(archsimd.LoadUint64x4((*[4]uint64)(row[4:])))
		}
		for _, offset := range removed {
			row := (*[8]uint64)(rows[offset:])
			a = a.Sub(archsimd.LoadUint64x4((*[4]uint64)(row[0:])))
			b = b.Sub(archsimd.LoadUint64x4((*[4]uint64)(row[4:])))
		}
		to := (*[8]uint64)(dst[i:])
		a.Store((*[4]uint64)(to[0:]))
		b.Store((*[4]uint64)(to[4:]))
	}
	if i+4 <= len(dst) {
		a, rows := archsimd.LoadUint64x4((*[4]uint64)(src[i:])), n.rows[i:]
		for _, offset := range added {
			a = a.Add(archsimd.LoadUint64x4((*[4]uint64)(rows[offset:])))
		}
		for _, offset := range removed {
			a = a.Sub(archsimd.LoadUint64x4((*[4]uint64)(rows[offset:])))
		}
		a.Store((*[4]uint64)(dst[i:]))
	}
	archsimd.ClearAVXUpperBits()
}

// outputVectors sums in eight lanes of 32 bits, and then in four. With 512 accumulators,
// each of the four sums 256 products of at most 127*QA*QA: less than 2^31.
func outputVectors(own, other []uint64, weights []int16) int64 {
	zero, one := archsimd.BroadcastInt16x16(0), archsimd.BroadcastInt16x16(QA)
	offset := archsimd.BroadcastInt16x16(-1 << 15)
	var sum archsimd.Int32x8
	other = other[:len(own)]
	ownWeights, otherWeights := weights[:lanes*len(own)], weights[lanes*len(own):][:lanes*len(own)]
	for i := 0; i+4 <= len(own); i += 4 {
		v := archsimd.LoadUint64x4((*[4]uint64)(own[i:])).AsInt16x16().Xor(offset).Max(zero).Min(one)
		w := archsimd.LoadInt16x16((*[16]int16)(ownWeights[lanes*i:]))
		sum = sum.Add(v.Mul(w).DotProductPairs(v))
		v = archsimd.LoadUint64x4((*[4]uint64)(other[i:])).AsInt16x16().Xor(offset).Max(zero).Min(one)
		w = archsimd.LoadInt16x16((*[16]int16)(otherWeights[lanes*i:]))
		sum = sum.Add(v.Mul(w).DotProductPairs(v))
	}
	var parts [4]int32
	sum.GetLo().Add(sum.GetHi()).Store(&parts)
	archsimd.ClearAVXUpperBits()
	return int64(parts[0]) + int64(parts[1]) + int64(parts[2]) + int64(parts[3])
}
