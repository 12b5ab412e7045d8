package nnue

import "selfplay/engine"

// The functions here do all the arithmetic on accumulators, in plain Go. Where the processor has
// vectors that vectors_amd64.s knows, those give the same results faster.

// update sets the accumulators of a view to those of src plus the rows of some features minus
// those of others. It keeps four words in registers.
func (n *Network) update(dst, src []uint64, added, removed []engine.Feature, side engine.Side) {
	if hasVectors {
		n.updateVectors(dst, src, added, removed, side)
		return
	}
	n.updatePlain(dst, src, added, removed, side)
}

func (n *Network) updatePlain(dst, src []uint64, added, removed []engine.Feature, side engine.Side) {
	src = src[:len(dst)]
	for i := 0; i+4 <= len(dst); i += 4 {
		from, rows := (*[4]uint64)(src[i:]), n.rows[i:]
		a, b, c, d := from[0], from[1], from[2], from[3]
		for _, f := range added {
			row := (*[4]uint64)(rows[f.In(side)*n.words:])
			a, b, c, d = a+row[0], b+row[1], c+row[2], d+row[3]
		}
		for _, f := range removed {
			row := (*[4]uint64)(rows[f.In(side)*n.words:])
			a, b, c, d = a-row[0], b-row[1], c-row[2], d-row[3]
		}
		to := (*[4]uint64)(dst[i:])
		to[0], to[1], to[2], to[3] = a, b, c, d
	}
}

// output returns the weighted sum of the squared clipped ReLU of both views: the squares of
// the accumulators, with those below 0 as 0 and those above QA as QA.
func (n *Network) output(own, other []uint64, bucket int) int64 {
	return n.product(own, other, n.outputWeights, n.outputPairs, bucket)
}

// outputAfter is output after the features of the views changed, own being that of side us. It does
// not change the views.
func (n *Network) outputAfter(own, other []uint64, added, removed []engine.Feature, us engine.Side, bucket int) int64 {
	if hasVectors {
		weights := n.outputWeights[2*bucket*n.hidden:][:2*n.hidden]
		return n.outputAfterVectors(own, added, removed, us, weights[:n.hidden]) +
			n.outputAfterVectors(other, added, removed, us^1, weights[n.hidden:])
	}
	var views [2][MaxHidden / lanes]uint64
	n.updatePlain(views[0][:n.words], own, added, removed, us)
	n.updatePlain(views[1][:n.words], other, added, removed, us^1)
	return n.output(views[0][:n.words], views[1][:n.words], bucket)
}

// product is output with a row of other weights: rows of 2*hidden, and the same in pairs.
func (n *Network) product(own, other []uint64, weights []int16, pairs []uint64, row int) int64 {
	if hasVectors {
		return outputVectors(own, other, weights[2*row*n.hidden:][:2*n.hidden])
	}
	pairs = pairs[row*n.hidden:][:n.hidden]
	return outputPlain(own, pairs[:n.hidden/2]) + outputPlain(other, pairs[n.hidden/2:])
}

// outputPlain multiplies two squares at once: (x + y*2^32) * (v + u*2^32) has x*u + y*v above
// bit 32. Its sums and what is below bit 32, x*v, are less than 2^31 with 512 accumulators.
func outputPlain(view, pairs []uint64) int64 {
	pairs = pairs[:2*len(view)]
	var first, second uint64
	for i, word := range view {
		v, pair := clip(word), (*[2]uint64)(pairs[2*i:])
		a, b, c, d := uint64(uint8(v)), uint64(uint8(v>>16)), uint64(uint8(v>>32)), v>>48
		first += (a*a + b*b<<32) * pair[0]
		second += (c*c + d*d<<32) * pair[1]
	}
	return upper(first) + upper(second)
}

// upper returns the part of a sum from bit 32 on. The part below it is signed too.
func upper(sum uint64) int64 { return (int64(sum) - int64(int32(sum))) >> 32 }

// packPairs packs weights in pairs for outputPlain.
func packPairs(weights []int16) []uint64 {
	pairs := make([]uint64, len(weights)/2)
	for i := range pairs {
		pairs[i] = uint64(int64(weights[2*i])<<32 + int64(weights[2*i+1]))
	}
	return pairs
}

// ones is a word of ones.
const ones = 0x0001_0001_0001_0001

// clip removes the offset of the lanes of a word and clips them to 0..QA.
func clip(word uint64) uint64 {
	positive := word >> 15 & ones // lanes from 0 on
	v := word & (positive<<15 - positive)
	above := (v + (1<<15-1-QA)*ones) >> 15 & ones // lanes above QA, whose low bits become QA
	return (v | (above<<8 - above)) & (QA * ones)
}

// Four accumulators share a uint64, 16 bits each, the first in the low bits. Such a lane
// holds a value plus 32768, from 1 to 65535: the loader proves that no sum of active
// features leaves this range.
//
// A row of weights is packed as the sum of weight * 2^(16*lane), in which a negative weight
// borrows from the lane above. Adding and subtracting such rows as plain integers therefore
// gives the right lanes without masks, whatever the order: a number has only one
// representation with lanes from 0 to 65535. Plain Go adds four lanes at once this way, and
// vectors of 64-bit integers sixteen; the bits are the same.

// lanes is the number of accumulators in a word.
const lanes = 4

// zeroLanes is a word of zeros.
const zeroLanes = 0x8000_8000_8000_8000

// packRows packs weights. Their number is a multiple of lanes.
func packRows(weights []int16) []uint64 {
	rows := make([]uint64, len(weights)/lanes)
	for i := range rows {
		for lane, w := range weights[lanes*i:][:lanes] {
			rows[i] += uint64(int64(w)) << (16 * lane)
		}
	}
	return rows
}
