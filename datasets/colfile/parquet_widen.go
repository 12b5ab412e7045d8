package colfile

import (
	"encoding/binary"
	"slices"

	"selfplay/encode"
)

// physicalSize returns the bytes that Parquet stores a plain value in.
func physicalSize(k encode.Kind) int {
	if k == encode.Uint64 {
		return 8
	}
	return 4
}

// widen appends values as Parquet's INT32 or INT64.
func widen(dst []byte, k encode.Kind, values []byte) []byte {
	n := len(values) / k.Size()
	start := len(dst)
	dst = slices.Grow(dst, n*physicalSize(k))[:start+n*physicalSize(k)]
	out := dst[start:]
	switch k {
	case encode.Uint8:
		for i, v := range values {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(v))
		}
	case encode.Int8:
		for i, v := range values {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(int8(v)))
		}
	case encode.Uint16:
		for i := range n {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(binary.LittleEndian.Uint16(values[2*i:])))
		}
	case encode.Int16:
		for i := range n {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(int16(binary.LittleEndian.Uint16(values[2*i:]))))
		}
	default: // as wide as stored
		copy(out, values)
	}
	return dst
}

// narrow appends the values of the kind that INT32s or INT64s hold, and reports
// whether all of them fit.
func narrow(dst []byte, k encode.Kind, stored []byte) ([]byte, bool) {
	n := len(stored) / physicalSize(k)
	start := len(dst)
	dst = slices.Grow(dst, n*k.Size())[:start+n*k.Size()]
	out := dst[start:]
	var over uint32 // bits that got lost
	switch k {
	case encode.Uint8:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			out[i] = byte(v)
			over |= v >> 8
		}
	case encode.Int8:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			out[i] = byte(v)
			over |= v ^ uint32(int8(v))
		}
	case encode.Uint16:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
			over |= v >> 16
		}
	case encode.Int16:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
			over |= v ^ uint32(int16(v))
		}
	default:
		copy(out, stored)
	}
	return dst, over == 0
}

// extremes are the least and the greatest value of a column chunk, as keys that
// compare like the values do: signed ones have their sign bit turned over.
type extremes struct {
	min, max uint64
	any      bool
}

// add takes in values of an integer kind.
func (e *extremes) add(k encode.Kind, values []byte) {
	if !e.any {
		e.min, e.any = ^uint64(0), true
	}
	lo, hi, turn := e.min, e.max, signBit(k)
	switch k.Size() {
	case 1:
		for _, v := range values {
			key := uint64(v) ^ turn
			lo, hi = min(lo, key), max(hi, key)
		}
	case 2:
		for ; len(values) >= 2; values = values[2:] {
			key := uint64(binary.LittleEndian.Uint16(values)) ^ turn
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

// statistic returns a key as Parquet stores it in statistics: the plain value.
func statistic(k encode.Kind, key uint64) []byte {
	value := binary.LittleEndian.AppendUint64(nil, key^signBit(k))
	return widen(nil, k, value[:k.Size()])
}
