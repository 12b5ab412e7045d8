package positions

import (
	"encoding/binary"
	"slices"
)

// endedBit marks, beside the side to move, that the step ended a game.
const endedBit = 2

// manyPlanes is the number of bytes of the planes of a part from which to copy them costs more than another write.
const manyPlanes = 1 << 15

// planesSize returns the number of bytes of the planes of a position, 0 without planes.
func (b *batch) planesSize() int {
	if b.flags&flagPlanes == 0 {
		return 0
	}
	return b.layout.Len() * b.layout.Kind.Size()
}

// observe returns the observation as a frame in pieces, which are valid until the next one.
func (b *batch) observe() [][]byte {
	m := 0
	for i := range b.parts {
		m += len(b.parts[i].actions)
	}
	dst := appendHeader(b.frame[:0], kindObservation, 0)
	for _, v := range [4]uint32{uint32(len(b.seats)), uint32(m), uint32(b.planesSize()), 0} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	dst = b.appendStates(b.appendActions(dst))
	binary.LittleEndian.PutUint32(dst[8:], uint32(len(dst)-headerSize+len(b.seats)*b.planesSize()))
	b.pieces = append(b.pieces[:0], nil)
	copied := len(b.seats)*b.planesSize() < manyPlanes*len(b.parts)
	for i := range b.parts {
		if planes := b.parts[i].planes; copied {
			dst = append(dst, planes...)
		} else {
			b.pieces = append(b.pieces, planes)
		}
	}
	b.pieces[0], b.frame = dst, dst
	return b.pieces
}

// appendActions appends where the legal actions of each position begin, and the actions.
func (b *batch) appendActions(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	begin := uint32(0)
	for i := range b.parts {
		p := &b.parts[i]
		for _, end := range p.ends {
			dst = binary.LittleEndian.AppendUint32(dst, begin+end)
		}
		begin += uint32(len(p.actions))
	}
	for i := range b.parts {
		dst = appendNumbers(dst, b.parts[i].actions)
	}
	return dst
}

// appendNumbers appends numbers as bytes.
func appendNumbers(dst []byte, list []uint16) []byte {
	dst = slices.Grow(dst, 2*len(list))
	at := dst[len(dst) : len(dst)+2*len(list)]
	for i, v := range list {
		binary.LittleEndian.PutUint16(at[2*i:], v)
	}
	return dst[:len(dst)+len(at)]
}

// appendStates appends sides, results and reasons.
func (b *batch) appendStates(dst []byte) []byte {
	for i := range b.seats {
		state := byte(b.seats[i].pos.Turn())
		if b.seats[i].ended {
			state |= endedBit
		}
		dst = append(dst, state)
	}
	for i := range b.seats {
		dst = append(dst, byte(b.seats[i].outcome.Result))
	}
	for i := range b.seats {
		dst = append(dst, byte(b.seats[i].outcome.Reason))
	}
	return dst
}
