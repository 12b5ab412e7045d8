package chess

import "selfplay/engine"

var _ engine.Viewed = (*Position)(nil)

// featureSet has one feature for every piece on every cell, in each bucket of the own king:
// bucket*768 + (enemy*6 + kind)*64 + cell. The kinds are pawn, knight, bishop, rook, queen,
// king. White numbers the cells from a8, Black from a1; a side whose king is on the files e to
// h mirrors them, so its king is always on the files a to d. Positions and their mirror images
// share weights, and pieces have other weights when the king is in another place.
var featureSet = engine.FeatureSet{
	Name: "chess-768x4-mirrored", Version: 1, Size: kingBuckets * featuresPerBucket, Most: 32, Views: 2 * kingBuckets,
}

const (
	featuresPerSide   = 6 * 64
	featuresPerBucket = 2 * featuresPerSide
	kingBuckets       = 4
)

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

// view says how a side numbers features: it is a function of its king's cell.
type view struct{ mirror, bucket uint16 }

// kingViews holds the views by the king's cell as the side sees it: a1 is 56. The buckets are a1
// and b1, c1 and d1, the second rank, and the rest.
var kingViews = func() (table [64]view) {
	for cell := range table {
		v := &table[cell]
		if file := cell & 7; file >= 4 {
			v.mirror = 7
		}
		bucket := 3
		switch file := cell&7 ^ int(v.mirror); cell >> 3 {
		case 7:
			bucket = file >> 1
		case 6:
			bucket = 2
		}
		v.bucket = uint16(bucket * featuresPerBucket)
	}
	return table
}()

// views are those of both sides.
type views [2]view

// move sets the view of a side when its king is on a cell.
func (v *views) move(side uint8, cell int) { v[side&1] = kingViews[(cell^56*int(side&1))&63] }

// featureOf returns the feature of a piece on a square.
func (v *views) featureOf(piece, sq uint8) engine.Feature {
	f := (pieceFeatures[piece&31] + cellViews[sq&127]) ^ engine.NewFeature(v[0].mirror, v[1].mirror)
	return f + engine.NewFeature(v[0].bucket, v[1].bucket)
}

// views returns those of the position as it is.
func (p *Position) views() (v views) {
	for side := range uint8(2) {
		v.move(side, p.kingCell(side))
	}
	return v
}

// viewsAround returns the views before and after move n, from those of now and the moves of
// kings since then.
func (p *Position) viewsAround(n int) (before, after views) {
	before = p.views()
	for i := p.ply - 1; i >= n; i-- {
		after = before
		if m := p.history[i].move; m != 0 && pieceOf(m)&kindBits == king {
			before.move(sideOf(pieceOf(m)), cellOf(fromOf(m)))
		}
	}
	return before, after
}

// AppendFeatures appends one feature per piece.
func (p *Position) AppendFeatures(dst []engine.Feature) []engine.Feature {
	v := p.views()
	for set := p.occupied(); set != 0; set &= set - 1 {
		sq := squareOf(firstCell(set))
		dst = append(dst, v.featureOf(p.board[sq], sq))
	}
	return dst
}

// View returns the number of a side's view: its bucket, and whether it is mirrored.
func (p *Position) View(side engine.Side) int {
	v := kingViews[(p.kingCell(uint8(side&1))^56*int(side&1))&63]
	return int(v.bucket/featuresPerBucket) + kingBuckets*int(v.mirror&1)
}

// AppendDifference compares the sets of cells of each piece, white ones first.
func (p *Position) AppendDifference(before *engine.Board, removed, added []engine.Feature) (r, a []engine.Feature) {
	v := p.views()
	for i := range before {
		side, kind := uint8(i/6), uint8(i%6)+pawn
		was, is := before[i], p.sides[side]&p.kinds[kind]
		before[i] = is
		piece := colourOf(side) | kind
		for set := was &^ is; set != 0; set &= set - 1 {
			removed = append(removed, v.featureOf(piece, firstSquare(set)))
		}
		for set := is &^ was; set != 0; set &= set - 1 {
			added = append(added, v.featureOf(piece, firstSquare(set)))
		}
	}
	return removed, added
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

// AppendChanges derives the changes from move n, and its views from the moves of kings since then.
func (p *Position) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	before, after := p.viewsAround(n)
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
		c := p.castlingOf(m)
		to = c.kingTo
		removed, added = append(removed, after.featureOf(c.rook, c.rookFrom)), append(added, after.featureOf(c.rook, c.rookTo))
	case passant:
		removed = append(removed, after.featureOf(colourOf(us^1)|pawn, to-advances[us].step))
	case promotion:
		piece = colourOf(us) | promotionOf(m)
	}
	return removed, append(added, after.featureOf(piece, to)), true
}
