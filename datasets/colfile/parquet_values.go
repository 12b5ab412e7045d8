package colfile

import (
	"encoding/binary"
	"slices"

	"selfplay/encode"
)

// physicalSize returns the bytes of a plain value in Parquet: INT32 or INT64.
func physicalSize(k encode.Kind) int {
	if k == encode.Uint64 {
		return 8
	}
	return 4
}

// widen appends little-endian values of kind k as INT32 or INT64. Signed values keep their
// sign.
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
	default: // stored as wide as it is
		copy(out, values)
	}
	return dst
}

// narrow appends stored INT32 or INT64 values as values of kind k and reports whether all
// fit.
func narrow(dst []byte, k encode.Kind, stored []byte) ([]byte, bool) {
	n := len(stored) / physicalSize(k)
	start := len(dst)
	dst = slices.Grow(dst, n*k.Size())[:start+n*k.Size()]
	out := dst[start:]
	var lost uint32 // bits that do not fit, of all values
	switch k {
	case encode.Uint8:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			out[i] = byte(v)
			lost |= v >> 8
		}
	case encode.Int8:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			out[i] = byte(v)
			lost |= v ^ uint32(int8(v))
		}
	case encode.Uint16:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
			lost |= v >> 16
		}
	case encode.Int16:
		for i := range n {
			v := binary.LittleEndian.Uint32(stored[4*i:])
			binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
			lost |= v ^ uint32(int16(v))
		}
	default:
		copy(out, stored)
	}
	return dst, lost == 0
}
