package nnue

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
