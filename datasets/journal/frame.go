package journal

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"

	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

const (
	frameHeader = 8       // bytes: length, checksum
	maxFrame    = 1 << 28 // bytes of a body
)

// Kinds of frames, the first byte of a body.
const (
	kindFinished  = 0
	kindDecisions = 1
)

// randomBytes is the size of the random source in a body.
const randomBytes = 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf returns the checksum of a body in the journal that begins with head. It covers
// head too: a frame is valid only in journals of its own plan and shard.
func sumOf(head string, body []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(head), castagnoli), castagnoli, body)
}

// appendFrame appends the frame of a finished game to a journal that begins with head.
func appendFrame(dst []byte, head string, r *engine.Record) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, frameHeader)...)
	dst = AppendRecord(append(dst, kindFinished), r)
	return sealFrame(dst, start, head)
}

// appendDecisions appends the frame of the decisions of a game since an earlier frame, which ended with
// from of them.
func appendDecisions(dst []byte, head string, from int, part *engine.Record, src *rand.PCG) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, frameHeader)...)
	dst = binary.AppendUvarint(append(dst, kindDecisions), uint64(from))
	dst, _ = src.AppendBinary(dst) // never fails
	return sealFrame(AppendRecord(dst, part), start, head)
}

// sealFrame writes length and checksum of the frame that begins at start.
func sealFrame(dst []byte, start int, head string) []byte {
	frame := dst[start:]
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-frameHeader))
	binary.LittleEndian.PutUint32(frame[4:], sumOf(head, frame[frameHeader:]))
	return dst
}

// cutFrame returns the body of the first frame of a journal that begins with head; false
// if the frame is incomplete or fails its checksum.
func cutFrame(data []byte, head string) (body, rest []byte, ok bool) {
	if len(data) < frameHeader {
		return nil, nil, false
	}
	n, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	data = data[frameHeader:]
	if n > maxFrame || uint64(n) > uint64(len(data)) || sumOf(head, data[:n]) != sum {
		return nil, nil, false
	}
	return data[:n], data[n:], true
}

// cutRecord returns the encoded record of a finished game in a body, nil if the body has decisions.
func cutRecord(body []byte) []byte {
	if len(body) > 0 && body[0] == kindFinished {
		return body[1:]
	}
	return nil
}

// parseDecisions parses a body with decisions.
func parseDecisions(body []byte) (from int, part *engine.Unfinished, err error) {
	p := &recordParser{data: body}
	kind := p.number(255)
	from = int(p.number(1 << 30))
	part = new(engine.Unfinished)
	if p.invalid || kind != kindDecisions || len(p.data) < randomBytes || part.Source.UnmarshalBinary(p.data[:randomBytes]) != nil {
		return 0, nil, fault.Corrupt("invalid decisions of a game")
	}
	r, err := ParseRecord(p.data[randomBytes:])
	if err == nil {
		part.Record = *r
	}
	return from, part, err
}
