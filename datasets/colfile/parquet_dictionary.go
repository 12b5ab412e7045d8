package colfile

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// The dictionary indexes of a page are their width in bits, then one bit-packed run, padded
// to a multiple of eight indexes.

// appendIndexHeader appends what precedes count indexes of size bytes each.
func appendIndexHeader(dst []byte, count, size int) []byte {
	dst = append(dst, byte(8*size))
	return binary.AppendUvarint(dst, uint64(indexGroups(count))<<1|1)
}

// appendPadding appends what follows count indexes of size bytes each.
func appendPadding(dst []byte, count, size int) []byte {
	for range (indexGroups(count)*8 - count) * size {
		dst = append(dst, 0)
	}
	return dst
}

// indexGroups returns the groups of eight that count indexes fill.
func indexGroups(count int) int { return (count + 7) / 8 }

// identitySize returns the entries of the identity dictionary for values whose set bits
// are known: the power of two above them.
func identitySize(set uint64) int { return 1 << bits.Len64(set) }

// bitsSet returns the bits that are set in any of the values of size bytes, 1 or 2.
func bitsSet(values []byte, size int) uint64 {
	var set uint64
	for ; len(values) >= 32; values = values[32:] {
		set |= binary.LittleEndian.Uint64(values) | binary.LittleEndian.Uint64(values[8:]) |
			binary.LittleEndian.Uint64(values[16:]) | binary.LittleEndian.Uint64(values[24:])
	}
	for ; len(values) >= 8; values = values[8:] {
		set |= binary.LittleEndian.Uint64(values)
	}
	for i, b := range values {
		set |= uint64(b) << (8 * i)
	}
	set |= set >> 32
	set |= set >> 16
	if size == 1 {
		set |= set >> 8
	}
	return set & (1<<(8*size) - 1)
}

// appendIdentity appends the page of the identity dictionary: the numbers from 0 as
// INT32.
func appendIdentity(dst []byte, entries int) []byte {
	for i := range entries {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(i))
	}
	return dst
}

// labelDictionary holds the values of a chunk of uint16 in order of first occurrence.
type labelDictionary struct {
	values []uint16
	index  [1 << 16]uint16 // of each value; stale unless values has it there
}

func (l *labelDictionary) reset() { l.values = l.values[:0] }

// appendIndexes appends the indexes of little-endian values and adds new values to the
// dictionary.
func (l *labelDictionary) appendIndexes(dst, values []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, len(values))[:start+len(values)]
	out := dst[start:]
	for i := 0; i < len(values); i += 2 {
		v := binary.LittleEndian.Uint16(values[i:])
		at := l.index[v]
		if int(at) >= len(l.values) || l.values[at] != v {
			at = uint16(len(l.values))
			l.index[v] = at
			l.values = append(l.values, v)
		}
		binary.LittleEndian.PutUint16(out[i:], at)
	}
	return dst
}

// appendPage appends the body of the dictionary page: the values as INT32.
func (l *labelDictionary) appendPage(dst []byte) []byte {
	for _, v := range l.values {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

// parseLabels returns the values of a dictionary page; false unless all are uint16 and
// at most 65,536.
func parseLabels(body []byte) ([]uint16, bool) {
	if len(body)%4 != 0 || len(body) > 4<<16 {
		return nil, false
	}
	labels := make([]uint16, 0, len(body)/4)
	for ; len(body) > 0; body = body[4:] {
		v := binary.LittleEndian.Uint32(body)
		if v > 0xFFFF {
			return nil, false
		}
		labels = append(labels, uint16(v))
	}
	return labels, true
}

// appendLabels appends the values of indexes, two bytes each; false if an index is
// outside the dictionary.
func appendLabels(dst []byte, labels []uint16, indexes []byte) ([]byte, bool) {
	for ; len(indexes) >= 2; indexes = indexes[2:] {
		at := int(binary.LittleEndian.Uint16(indexes))
		if at >= len(labels) {
			return dst, false
		}
		dst = binary.LittleEndian.AppendUint16(dst, labels[at])
	}
	return dst, true
}
