package journal

import (
	"encoding/binary"
	"hash/crc32"

	"selfplay/engine"
)

const (
	frameHeader = 8       // bytes: length, checksum
	maxFrame    = 1 << 28 // bytes of a record
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf returns the checksum of a record in the journal that begins with head. It covers
// head too: a frame is valid only in journals of its own plan and shard.
func sumOf(head string, record []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(head), castagnoli), castagnoli, record)
}

// appendFrame appends the frame of a game to a journal that begins with head.
func appendFrame(dst []byte, head string, r *engine.Record) []byte {
	start := len(dst)
	dst = AppendRecord(append(dst, make([]byte, frameHeader)...), r)
	frame := dst[start:]
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-frameHeader))
	binary.LittleEndian.PutUint32(frame[4:], sumOf(head, frame[frameHeader:]))
	return dst
}

// cutFrame returns the record of the first frame of a journal that begins with head; false
// if the frame is incomplete or fails its checksum.
func cutFrame(data []byte, head string) (record, rest []byte, ok bool) {
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
