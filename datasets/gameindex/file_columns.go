package gameindex

import "encoding/binary"

// gameBytes is the size of a game in the columns.
const gameBytes = 1 + 1 + 2 + 2 + 2 + 4 + 2*OpeningPlies

// fileColumn is a column of the file.
type fileColumn struct {
	size   int // of a value in bytes
	append func(dst []byte, s *shard) []byte
	read   func(s *shard, data []byte)
}

// fileColumns returns the columns in the order of the file.
func fileColumns() []fileColumn {
	list := []fileColumn{
		column8(func(s *shard) []uint8 { return s.result }),
		column8(func(s *shard) []uint8 { return s.reason }),
		column16(func(s *shard) []uint16 { return s.plies }),
		column16(func(s *shard) []uint16 { return s.drop }),
		column16(func(s *shard) []uint16 { return s.dropPly }),
		{4, func(dst []byte, s *shard) []byte {
			for _, v := range s.players {
				dst = binary.LittleEndian.AppendUint32(dst, v)
			}
			return dst
		}, func(s *shard, data []byte) {
			for i := range s.players {
				s.players[i] = binary.LittleEndian.Uint32(data[4*i:])
			}
		}},
	}
	for ply := range OpeningPlies {
		list = append(list, column16(func(s *shard) []uint16 { return s.opening[ply] }))
	}
	return list
}

func column8(of func(s *shard) []uint8) fileColumn {
	return fileColumn{1,
		func(dst []byte, s *shard) []byte { return append(dst, of(s)...) },
		func(s *shard, data []byte) { copy(of(s), data) },
	}
}

func column16(of func(s *shard) []uint16) fileColumn {
	return fileColumn{2,
		func(dst []byte, s *shard) []byte {
			for _, v := range of(s) {
				dst = binary.LittleEndian.AppendUint16(dst, v)
			}
			return dst
		},
		func(s *shard, data []byte) {
			for i, values := 0, of(s); i < len(values); i++ {
				values[i] = binary.LittleEndian.Uint16(data[2*i:])
			}
		},
	}
}
