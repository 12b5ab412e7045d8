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

// CellKey returns the key of a stack on a square, 0 for Empty.
func CellKey(s Stack, sq Square) uint64 {
	if s == Empty {
		return 0
	}
	return engine.Mix(keyCell | uint64(s)<<8 | uint64(sq))
}

// key returns the key of the session, 0 if none is open.
func (s *session) key() uint64 {
	if !s.open() {
		return 0
	}
	return engine.Mix(keySession | uint64(s.origin)<<24 | uint64(s.rest)<<16 | uint64(s.landed[0])<<8 | uint64(s.landed[1]))
}

// Hash returns the Zobrist hash of cells, side to move and open session.
func (p *Position) Hash() uint64 { return p.hash }

// computeHash computes the hash from the board.
func (p *Position) computeHash() uint64 {
	h := p.session.key()
	for _, sq := range boardSquares {
		h ^= CellKey(p.cells[sq], Square(sq))
	}
	if p.turn == 1 {
		h ^= sideKey
	}
	return h
}
