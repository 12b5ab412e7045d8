package chess

import "selfplay/engine"

var _ engine.Featured = (*Position)(nil)

// featureSet has one feature for every piece on every cell: (enemy*6 + kind)*64 + cell. The
// kinds are pawn, knight, bishop, rook, queen, king. White numbers the cells from a8, Black
// from a1; a side whose king is on the files e to h mirrors them, so its king is always on the
// files a to d. Positions and their mirror images teach the same weights.
var featureSet = engine.FeatureSet{Name: "chess-mirrored-768", Version: 1, Size: 2 * featuresPerSide, Most: 32}

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

// mirrors holds what an exclusive or changes in the cells of both views: 7, the files, in a view
// that is mirrored.
type mirrors engine.Feature

var mirrored = [2]mirrors{mirrors(engine.NewFeature(7, 0)), mirrors(engine.NewFeature(0, 7))}

// with returns the mirrors when the king of a side is on a cell.
func (m mirrors) with(side uint8, cell int) mirrors {
	if cell&7 >= 4 {
		return m | mirrored[side&1]
	}
	return m &^ mirrored[side&1]
}

// featureOf returns the feature of a piece on a square.
func (m mirrors) featureOf(piece, sq uint8) engine.Feature {
	return (pieceFeatures[piece&31] + cellViews[sq&127]) ^ engine.Feature(m)
}

// mirrors returns those of the position as it is.
func (p *Position) mirrors() mirrors {
	return mirrors(0).with(0, p.kingCell(0)).with(1, p.kingCell(1))
}

// mirrorsAround returns the mirrors before and after move n, from those of now and the moves of
// kings since then.
func (p *Position) mirrorsAround(n int) (before, after mirrors) {
	before = p.mirrors()
	for i := p.ply - 1; i >= n; i-- {
		after = before
		if m := p.history[i].move; m != 0 && pieceOf(m)&7 == king {
			before = before.with(sideOf(pieceOf(m)), cellOf(fromOf(m)))
		}
	}
	return before, after
}

// AppendFeatures appends one feature per piece.
func (p *Position) AppendFeatures(dst []engine.Feature) []engine.Feature {
	m := p.mirrors()
	for set := p.occupied(); set != 0; set &= set - 1 {
		sq := squareOf(firstCell(set))
		dst = append(dst, m.featureOf(p.board[sq], sq))
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

// AppendChanges derives the changes from the moves since then.
func (p *Position) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	before, after := p.mirrorsAround(n)
	if before != after {
		return removed, added, false
	}
	m := p.history[n].move
	if m == 0 { // a null move
		return removed, added, true
	}
	from, to, piece := fromOf(m), toOf(m), pieceOf(m)
	removed = append(removed, after.featureOf(piece, from))
	if taken := takenOf(m); taken != empty {
		removed = append(removed, after.featureOf(taken, to))
	}
	switch us := sideOf(piece); m & specialBits {
	case castle:
		c := castlingOf(m)
		removed, added = append(removed, after.featureOf(c.rook, c.rookFrom)), append(added, after.featureOf(c.rook, c.rookTo))
	case passant:
		removed = append(removed, after.featureOf(colourOf(us^1)|pawn, to-advances[us].step))
	case promotion:
		piece = colourOf(us) | promotionOf(m)
	}
	return removed, append(added, after.featureOf(piece, to)), true
}
