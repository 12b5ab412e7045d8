package tablefile

import (
	"encoding/binary"
	"strconv"

	"selfplay/encode"
)

// AppendValue appends the first value of v in decimal; a bool as true or false.
func AppendValue(dst []byte, k encode.Kind, v []byte) []byte {
	switch k {
	case encode.Bool:
		return strconv.AppendBool(dst, v[0] != 0)
	case encode.Uint8:
		return strconv.AppendUint(dst, uint64(v[0]), 10)
	case encode.Int8:
		return strconv.AppendInt(dst, int64(int8(v[0])), 10)
	case encode.Uint16:
		return strconv.AppendUint(dst, uint64(binary.LittleEndian.Uint16(v)), 10)
	case encode.Int16:
		return strconv.AppendInt(dst, int64(int16(binary.LittleEndian.Uint16(v))), 10)
	case encode.Uint32:
		return strconv.AppendUint(dst, uint64(binary.LittleEndian.Uint32(v)), 10)
	}
	return strconv.AppendUint(dst, binary.LittleEndian.Uint64(v), 10)
}

// AppendList appends all values of v in decimal, separated by separator. Boards have kind
// Uint8 or Uint16 and consist mostly of single digits, which have a fast path.
func AppendList(dst []byte, k encode.Kind, v []byte, separator byte) []byte {
	start := len(dst)
	switch k {
	case encode.Uint8:
		for _, n := range v {
			dst = append(appendSmall(dst, uint16(n)), separator)
		}
	case encode.Uint16:
		for ; len(v) >= 2; v = v[2:] {
			dst = append(appendSmall(dst, uint16(v[0])|uint16(v[1])<<8), separator)
		}
	default:
		for size := k.Size(); len(v) >= size; v = v[size:] {
			dst = append(AppendValue(dst, k, v), separator)
		}
	}
	if len(dst) > start {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func appendSmall(dst []byte, n uint16) []byte {
	if n < 10 {
		return append(dst, '0'+byte(n))
	}
	return strconv.AppendUint(dst, uint64(n), 10)
}
