package colfile

import "encoding/binary"

// labels is the dictionary of a column chunk of uint16: its values in the order in
// which they first occur.
type labels struct {
	values []uint16
	index  [1 << 16]uint16 // of a value; means something only if values agrees
}

func (l *labels) reset() { l.values = l.values[:0] }

// replace overwrites values, as little-endian bytes, with their indexes.
func (l *labels) replace(values []byte) {
	for i := 0; i < len(values); i += 2 {
		v := binary.LittleEndian.Uint16(values[i:])
		at := l.index[v]
		if int(at) >= len(l.values) || l.values[at] != v {
			at = uint16(len(l.values))
			l.index[v] = at
			l.values = append(l.values, v)
		}
		binary.LittleEndian.PutUint16(values[i:], at)
	}
}

// appendPage appends the dictionary page: the values as INT32.
func (l *labels) appendPage(dst []byte) []byte {
	for _, v := range l.values {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

// setPage reads a dictionary page; false if it is none of uint16.
func (l *labels) setPage(body []byte) bool {
	l.values = l.values[:0]
	for ; len(body) >= 4; body = body[4:] {
		v := binary.LittleEndian.Uint32(body)
		if v > 0xFFFF || len(l.values) == len(l.index) {
			return false
		}
		l.values = append(l.values, uint16(v))
	}
	return len(body) == 0
}

// lookUp appends the values of indexes; false if one is beyond the dictionary.
func (l *labels) lookUp(dst, indexes []byte) ([]byte, bool) {
	for ; len(indexes) >= 2; indexes = indexes[2:] {
		at := int(binary.LittleEndian.Uint16(indexes))
		if at >= len(l.values) {
			return dst, false
		}
		dst = binary.LittleEndian.AppendUint16(dst, l.values[at])
	}
	return dst, true
}
