package positions

import "encoding/binary"

// endedBit marks, beside the side to move, that the step ended a game.
const endedBit = 2

// observe returns the observation as a frame, which is valid until the next one.
func (b *batch) observe() []byte {
	dst := appendHeader(b.frame[:0], kindObservation, 0)
	size := 0
	if b.flags&flagPlanes != 0 {
		size = b.layout.Len() * b.layout.Kind.Size()
	}
	for _, v := range [4]uint32{uint32(len(b.seats)), uint32(len(b.actions)), uint32(size), 0} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	for _, end := range b.ends {
		dst = binary.LittleEndian.AppendUint32(dst, end)
	}
	for _, action := range b.actions {
		dst = append(dst, byte(action), byte(action>>8))
	}
	dst = b.appendStates(dst)
	if size > 0 {
		for i := range b.seats {
			dst = b.layout.Encode(dst, b.seats[i].pos)
		}
	}
	binary.LittleEndian.PutUint32(dst[8:], uint32(len(dst)-headerSize))
	b.frame = dst
	return dst
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
