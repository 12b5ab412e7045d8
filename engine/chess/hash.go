package chess

import "selfplay/engine"

// Seeds of keys: the class of the key in the high bits, its index in the low bits.
const (
	keyPiece     = 1 << 32
	keyCastling  = 2 << 32
	keyEnPassant = 3 << 32
	keySide      = 4 << 32
)

var (
	sideKey       = engine.Mix(keySide)
	castlingKeys  = numberedKeys(keyCastling, 1)  // indexed by castling rights; 0 for none
	enPassantKeys = numberedKeys(keyEnPassant, 8) // indexed by the en passant bits of the state; 0 for none
)

// numberedKeys returns keys for the indices from least to 15; below it 0.
func numberedKeys(class, least uint64) (table [16]uint64) {
	for n := least; n < 16; n++ {
		table[n] = engine.Mix(class | n)
	}
	return table
}

// pieceKeys are indexed by piece code and square.
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

func pieceKey(piece, sq uint8) uint64 { return pieceKeys[piece&31][sq&127] }

// Hash returns the Zobrist hash of pieces, side to move, castling rights, and the file
// of an en passant capture if one is legal.
func (p *Position) Hash() uint64 { return p.hash }

// computeHash computes the hash from the board and the state.
func (p *Position) computeHash() uint64 {
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
