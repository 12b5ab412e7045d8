package colfile

import (
	"encoding/binary"

	"selfplay/encode"
)

// extremes are the least and the greatest value of a column chunk, as keys that compare
// as the values do: a signed value has its sign bit flipped.
type extremes struct {
	min, max uint64
	any      bool // there are values
}

// add includes values of an integer kind.
func (e *extremes) add(k encode.Kind, values []byte) {
	if !e.any {
		e.min, e.any = ^uint64(0), true
	}
	lo, hi, sign := e.min, e.max, signBit(k)
	switch k.Size() {
	case 1:
		for _, v := range values {
			key := uint64(v) ^ sign
			lo, hi = min(lo, key), max(hi, key)
		}
	case 2:
		for ; len(values) >= 2; values = values[2:] {
			key := uint64(binary.LittleEndian.Uint16(values)) ^ sign
			lo, hi = min(lo, key), max(hi, key)
		}
	case 4:
		for ; len(values) >= 4; values = values[4:] {
			key := uint64(binary.LittleEndian.Uint32(values))
			lo, hi = min(lo, key), max(hi, key)
		}
	default:
		for ; len(values) >= 8; values = values[8:] {
			key := binary.LittleEndian.Uint64(values)
			lo, hi = min(lo, key), max(hi, key)
		}
	}
	e.min, e.max = lo, hi
}

// signBit returns the sign bit of a signed kind, 0 for the others.
func signBit(k encode.Kind) uint64 {
	if Signed(k) {
		return 1 << (8*k.Size() - 1)
	}
	return 0
}

// statistic returns the value of a key as Parquet's statistics store it: plain.
func statistic(k encode.Kind, key uint64) []byte {
	value := binary.LittleEndian.AppendUint64(nil, key^signBit(k))
	return widen(nil, k, value[:k.Size()])
}
