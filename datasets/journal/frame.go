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

// appendFrame appends the frame of a game.
func appendFrame(dst []byte, r *engine.Record) []byte {
	start := len(dst)
	dst = appendRecord(append(dst, make([]byte, frameHeader)...), r)
	frame := dst[start:]
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-frameHeader))
	binary.LittleEndian.PutUint32(frame[4:], crc32.Checksum(frame[frameHeader:], castagnoli))
	return dst
}

// cutFrame returns the record of the first frame; false if the frame is incomplete or
// fails its checksum.
func cutFrame(data []byte) (record, rest []byte, ok bool) {
	if len(data) < frameHeader {
		return nil, nil, false
	}
	n, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	data = data[frameHeader:]
	if n > maxFrame || uint64(n) > uint64(len(data)) || crc32.Checksum(data[:n], castagnoli) != sum {
		return nil, nil, false
	}
	return data[:n], data[n:], true
}
