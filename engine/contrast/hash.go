package contrast

import "selfplay/engine"

// Zobrist keys: for each square a piece of either side and a tile of either kind, for
// each content of both hands, and for the side to move. The tables take 2.5 kB.
var (
	pieceKeys = squareKeys(1)
	tileKeys  = squareKeys(3)
	handKeys  = func() (t [64]uint64) {
		for i := range t {
			t[i] = engine.Mix(5<<32 | uint64(i))
		}
		return t
	}()
	sideKey = engine.Mix(6 << 32)
)

// squareKeys returns two tables over the squares, of key classes class and class+1.
func squareKeys(class uint64) (t [2][numPlaces]uint64) {
	for i := range t {
		for sq := range t[i] {
			t[i][sq] = engine.Mix((class+uint64(i))<<32 | uint64(sq))
		}
	}
	return t
}

// Hash returns the Zobrist hash of cells, hands and side to move. The variant is
// excluded: it never changes.
func (p *Position) Hash() uint64 { return p.hash }

// computeHash computes the hash from the sets and hands.
func (p *Position) computeHash() uint64 {
	h := handKeys[p.handsIndex()]
	for i := range 2 {
		for s := p.pieces[i]; s != 0; s &= s - 1 {
			h ^= pieceKeys[i][s.first()&63]
		}
		for s := p.tiles[i]; s != 0; s &= s - 1 {
			h ^= tileKeys[i][s.first()&63]
		}
	}
	if p.turn == 1 {
		h ^= sideKey
	}
	return h
}

// handsIndex numbers the contents of both hands.
func (p *Position) handsIndex() uint8 { return handsIndex(p.hands) }

func handsIndex(hands [2]hand) uint8 { return uint8(hands[0]&7 | hands[1]&7<<3) }
