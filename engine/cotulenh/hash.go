package cotulenh

import "selfplay/engine"

// Zobrist keys are computed instead of stored. A table over 285 codes and 192
// squares would take half a megabyte of cache; a key costs two multiplications.

// Keys of cells, side and session differ in the bits above the code and the square.
const (
	keyCell    = 1 << 32
	keySide    = 2 << 32
	keySession = 3 << 32
)

var sideKey = engine.Mix(keySide)

// SideKey returns the Zobrist key of blue to move.
func SideKey() uint64 { return sideKey }

// CellKey returns the key of a stack on a square, 0 for Empty.
func CellKey(s Stack, sq Square) uint64 {
	if s == Empty {
		return 0
	}
	return engine.Mix(keyCell | uint64(s)<<8 | uint64(sq))
}

// SessionKey returns the key of an open session, 0 if origin is NoSquare.
func SessionKey(origin Square, rest uint8, landed [2]uint8) uint64 {
	if origin == NoSquare {
		return 0
	}
	return engine.Mix(keySession | uint64(origin)<<24 | uint64(rest)<<16 | uint64(landed[0])<<8 | uint64(landed[1]))
}
