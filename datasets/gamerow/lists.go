package gamerow

import (
	"encoding/binary"
	"slices"

	"selfplay/engine"
)

// Lists returns pointers to the lists of a record, in the order in which a journal has them. The two binary forms of a
// record, a row of the games table and a frame of a journal, differ in what stands around the lists: a journal has no
// columns, and begins each list with its length. Texts of games (package movetext, replay) are no third one: their readers
// expect moves as words, and what a search found beside each of them.
func Lists(r *engine.Record) [11]any {
	return [...]any{
		&r.Actions, &r.MoveRanks, &r.Best, &r.Scores, &r.Nodes, &r.PolicySize, &r.PolicyAction, &r.PolicyWeight,
		&r.OldBest, &r.OldScores, &r.OldNodes,
	}
}

// SizeOf returns the number of values of one of Lists, and the bytes of each.
func SizeOf(list any) (values, width int) {
	switch list := list.(type) {
	case *[]uint8:
		return len(*list), 1
	case *[]uint16:
		return len(*list), 2
	case *[]int16:
		return len(*list), 2
	default:
		return len(*list.(*[]uint32)), 4
	}
}

// AppendList appends the values of one of Lists, little endian.
func AppendList(dst []byte, list any) []byte {
	switch list := list.(type) {
	case *[]uint8:
		return append(dst, *list...)
	case *[]uint16:
		return append16(dst, *list)
	case *[]int16:
		return append16(dst, *list)
	default:
		for _, v := range *list.(*[]uint32) {
			dst = binary.LittleEndian.AppendUint32(dst, v)
		}
		return dst
	}
}

func append16[T uint16 | int16](dst []byte, list []T) []byte {
	begin := len(dst)
	dst = slices.Grow(dst, 2*len(list))[:begin+2*len(list)]
	for i, v := range list {
		binary.LittleEndian.PutUint16(dst[begin+2*i:], uint16(v))
	}
	return dst
}

// ReadList sets one of Lists to values that AppendList has written. It reuses the memory of the list.
func ReadList(list any, values []byte) {
	switch list := list.(type) {
	case *[]uint8:
		*list = append((*list)[:0], values...)
	case *[]uint16:
		read16(list, values)
	case *[]int16:
		read16(list, values)
	case *[]uint32:
		*list = (*list)[:0]
		for ; len(values) > 0; values = values[4:] {
			*list = append(*list, binary.LittleEndian.Uint32(values))
		}
	}
}

func read16[T uint16 | int16](list *[]T, values []byte) {
	out := (*list)[:0]
	for ; len(values) > 0; values = values[2:] {
		out = append(out, T(binary.LittleEndian.Uint16(values)))
	}
	*list = out
}
