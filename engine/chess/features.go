package chess

import "selfplay/engine"

var _ engine.Featured = (*Position)(nil)

// featureSet has one feature for every piece on every cell: (enemy*6 + kind)*64 + cell. The
// kinds are pawn, knight, bishop, rook, queen, king. White numbers the cells from a8, Black
// from a1.
var featureSet = engine.FeatureSet{Name: "chess-768", Version: 1, Size: 2 * featuresPerSide, Most: 32, Policy: &policySet}

const featuresPerSide = 6 * 64

// FeatureSet returns the features of the game.
func (p *Position) FeatureSet() *engine.FeatureSet { return &featureSet }

// pieceFeatures holds the features of pieces on cell 0 of both views.
var pieceFeatures = func() (table [32]engine.Feature) {
	for kind := uint16(pawn); kind <= king; kind++ {
		own, enemy := (kind-1)*64, (kind-1)*64+featuresPerSide
		table[white|kind] = engine.NewFeature(own, enemy)
		table[black|kind] = engine.NewFeature(enemy, own)
	}
	return table
}()

// cellViews holds the cell of each square in both views.
var cellViews = func() (table [128]engine.Feature) {
	for cell, sq := range mailbox64 {
		table[sq] = engine.NewFeature(uint16(cell), uint16(cell)^56)
	}
	return table
}()

func featureOf(piece, sq uint8) engine.Feature { return pieceFeatures[piece&31] + cellViews[sq&127] }

// AppendFeatures appends one feature per piece.
func (p *Position) AppendFeatures(dst []engine.Feature) []engine.Feature {
	for set := p.occupied(); set != 0; set &= set - 1 {
		sq := squareOf(firstCell(set))
		dst = append(dst, featureOf(p.board[sq], sq))
	}
	return dst
}

// Plies returns the number of moves and null moves played since Set or Reset.
func (p *Position) Plies() int { return p.ply }

// HashAt returns the hash after the first n of them.
func (p *Position) HashAt(n int) uint64 {
	if n < p.ply {
		return p.history[n].hash
	}
	return p.hash
}

// AppendChanges derives the changes from move n alone.
func (p *Position) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature) {
	m := p.history[n].move
	if m == 0 { // a null move
		return removed, added
	}
	from, to, piece := fromOf(m), toOf(m), pieceOf(m)
	removed = append(removed, featureOf(piece, from))
	if taken := takenOf(m); taken != empty {
		removed = append(removed, featureOf(taken, to))
	}
	switch us := sideOf(piece); m & specialBits {
	case castle:
		c := castlingOf(m)
		removed, added = append(removed, featureOf(c.rook, c.rookFrom)), append(added, featureOf(c.rook, c.rookTo))
	case passant:
		removed = append(removed, featureOf(colourOf(us^1)|pawn, to-advances[us].step))
	case promotion:
		piece = colourOf(us) | promotionOf(m)
	}
	return removed, append(added, featureOf(piece, to))
}
