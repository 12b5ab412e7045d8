package chess

import "selfplay/engine"

// Keys of different things differ in the bits above what they number.
const (
	keyPiece     = 1 << 32
	keyCastling  = 2 << 32
	keyEnPassant = 3 << 32
	keySide      = 4 << 32
)

var (
	sideKey       = engine.Mix(keySide)
	castlingKeys  = someKeys(keyCastling, 1)  // by rights, 0 for none
	enPassantKeys = someKeys(keyEnPassant, 8) // by the state's en passant bits, 0 for none
)

// someKeys returns keys for the numbers from least to 15.
func someKeys(what, least uint64) (table [16]uint64) {
	for n := least; n < 16; n++ {
		table[n] = engine.Mix(what | n)
	}
	return table
}

// pieceKeys are the keys of a piece on a square.
var pieceKeys = func() (table [32][128]uint64) {
	for _, colour := range [...]uint8{white, black} {
		for kind := uint8(pawn); kind <= king; kind++ {
			for cell, sq := range mailbox64 {
				piece := colour | kind
				table[piece][sq] = engine.Mix(keyPiece | uint64(piece)<<8 | uint64(cell))
			}
		}
	}
	return table
}()

// pieceKey is the key of a piece on a square.
func pieceKey(piece, sq uint8) uint64 { return pieceKeys[piece&31][sq&127] }

// Hash returns the Zobrist hash of the pieces, the side to move, the castling
// rights, and the file of an en passant capture if one is legal.
func (p *Position) Hash() uint64 { return p.hash }

// freshHash computes the hash from nothing.
func (p *Position) freshHash() uint64 {
	h := castlingKeys[p.state&rightsBits] ^ enPassantKeys[p.state&passantBits>>passantShift]
	for _, sq := range mailbox64 {
		if piece := p.board[sq]; piece != empty {
			h ^= pieceKey(piece, sq)
		}
	}
	if p.turn() == 1 {
		h ^= sideKey
	}
	return h
}
