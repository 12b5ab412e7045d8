package colfile

import (
	"encoding/binary"

	"selfplay/datasets/internal/fault"
)

// thriftWalk walks over a struct in Thrift's compact protocol, in which Parquet stores
// footers and page headers. Arrow's parser allocates as many elements as a list claims to
// have. The walk checks that each element has at least one byte.
//
// Protocol: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
type thriftWalk struct {
	data []byte // what is left
	err  error
}

// Types of the compact protocol that the walk tells apart.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI64    = 6 // 4 to 6 are integers: varints
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// maxThriftDepth bounds the nesting of structs and lists. Parquet's takes under ten.
const maxThriftDepth = 32

// structure walks over a struct and calls visit, if it is not nil, with its integers and with
// those of the structs in it. outer is the field of the inner struct, 0 for the struct itself.
func (w *thriftWalk) structure(depth int, visit func(outer, field, value int64)) {
	field := int64(0)
	for w.err == nil {
		head := w.take(1)
		if len(head) == 0 || head[0] == 0 {
			return
		}
		if delta := head[0] >> 4; delta > 0 {
			field += int64(delta)
		} else {
			field = w.zigzag()
		}
		switch kind := head[0] & 15; {
		case kind > thriftByte && kind <= thriftI64:
			if v := w.zigzag(); visit != nil {
				visit(0, field, v)
			}
		case kind == thriftStruct && visit != nil && depth < maxThriftDepth:
			outer := field
			w.structure(depth+1, func(_, field, value int64) { visit(outer, field, value) })
		case kind != thriftTrue && kind != thriftFalse: // the type is the value of a bool
			w.value(kind, depth)
		}
	}
}

// value walks over a value outside the fields of a struct.
func (w *thriftWalk) value(kind byte, depth int) {
	if depth++; depth > maxThriftDepth {
		w.fail()
		return
	}
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		w.take(1)
	case 4, 5, thriftI64:
		w.varint()
	case thriftDouble:
		w.take(8)
	case thriftBinary:
		w.take(w.varint())
	case thriftList, thriftSet:
		w.list(depth)
	case thriftMap:
		w.pairs(depth)
	case thriftStruct:
		w.structure(depth, nil)
	default:
		w.fail()
	}
}

func (w *thriftWalk) list(depth int) {
	head := w.take(1)
	if len(head) == 0 {
		return
	}
	count := uint64(head[0] >> 4)
	if count == 15 {
		count = w.varint()
	}
	w.elements(count, depth, head[0]&15)
}

func (w *thriftWalk) pairs(depth int) {
	count := w.varint()
	if count == 0 {
		return
	}
	if kinds := w.take(1); len(kinds) > 0 {
		w.elements(count, depth, kinds[0]>>4, kinds[0]&15)
	}
}

// elements walks over count elements, each of which has a value of every kind.
func (w *thriftWalk) elements(count uint64, depth int, kinds ...byte) {
	if count > uint64(len(w.data)) {
		w.fail()
	}
	for ; count > 0 && w.err == nil; count-- {
		for _, kind := range kinds {
			w.value(kind, depth)
		}
	}
}

// take cuts off n bytes; none after an error.
func (w *thriftWalk) take(n uint64) []byte {
	if w.err != nil || n > uint64(len(w.data)) {
		w.fail()
		return nil
	}
	cut := w.data[:n]
	w.data = w.data[n:]
	return cut
}

func (w *thriftWalk) varint() uint64 {
	v, n := binary.Uvarint(w.data)
	if n <= 0 {
		w.fail()
		return 0
	}
	w.take(uint64(n))
	return v
}

func (w *thriftWalk) zigzag() int64 {
	v := w.varint()
	return int64(v>>1) ^ -int64(v&1)
}

func (w *thriftWalk) fail() {
	if w.err == nil {
		w.err = fault.Corrupt("structure with more elements than bytes")
	}
}
