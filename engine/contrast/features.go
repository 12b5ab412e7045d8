package contrast

import "selfplay/engine"

var _ engine.Featured = (*Position)(nil)

// featureSet describes cells and hands. Cells count as in the array; White sees the board
// rotated by 180 degrees. t is a tile: 0 none, 1 black, 2 gray.
//
//	  0 + t*25 + cell   own piece on tile t
//	 75 + t*25 + cell   enemy piece on tile t
//	150 + cell          black tile without a piece
//	175 + cell          gray tile without a piece
//	200 + n             the own hand has n black tiles
//	204 + n             the own hand has n gray tiles
//	206 + n, 210 + n    the same of the enemy's hand
var featureSet = engine.FeatureSet{
	Name: "contrast-cells", Version: 1,
	Size: 212,
	Most: 22, // ten pieces, eight tiles, four numbers of tiles in hand

	Policy: &policySet,
}

const (
	bareTileFeatures = 150
	handFeatures     = 200
	grayFeatures     = 4 // after handFeatures
	enemyHand        = 6 // after the features of the own hand
)

// FeatureSet returns the features of the game.
func (p *Position) FeatureSet() *engine.FeatureSet { return &featureSet }

// noFeature is what a cell without piece and tile has.
const noFeature = ^engine.Feature(0)

// codeFeatures holds the features of cell codes on cell 0 of both views.
var codeFeatures = func() (table [16]engine.Feature) {
	for code := range uint16(maxCode + 1) {
		occupant, tile := code/3, code%3
		switch f := tile * numCells; {
		case occupant == 1:
			table[code] = engine.NewFeature(f, f+3*numCells)
		case occupant == 2:
			table[code] = engine.NewFeature(f+3*numCells, f)
		case tile == noTile:
			table[code] = noFeature
		default:
			f += bareTileFeatures - numCells
			table[code] = engine.NewFeature(f, f)
		}
	}
	return table
}()

// cellViews holds the cell of each square in both views.
var cellViews = func() (table [numPlaces]engine.Feature) {
	for cell := range uint8(numCells) {
		table[squareOf(cell)] = engine.NewFeature(uint16(cell), numCells-1-uint16(cell))
	}
	return table
}()

// appendCode appends the feature of a cell, if it has one.
func appendCode(dst []engine.Feature, code, sq uint8) []engine.Feature {
	if f := codeFeatures[code&15]; f != noFeature {
		dst = append(dst, f+cellViews[sq&63])
	}
	return dst
}

// ofHand returns the features of a side's black and gray tiles.
func ofHand(side uint8, h hand) (black, gray engine.Feature) {
	n, g := uint16(handFeatures+h.black()), uint16(handFeatures+grayFeatures+h.gray())
	if side == 0 {
		return engine.NewFeature(n, n+enemyHand), engine.NewFeature(g, g+enemyHand)
	}
	return engine.NewFeature(n+enemyHand, n), engine.NewFeature(g+enemyHand, g)
}

// AppendFeatures appends the features of cells and hands.
func (p *Position) AppendFeatures(dst []engine.Feature) []engine.Feature {
	for cell := range uint8(numCells) {
		sq := squareOf(cell)
		dst = appendCode(dst, p.cells[sq&63], sq)
	}
	for side, h := range p.hands {
		black, gray := ofHand(uint8(side), h)
		dst = append(dst, black, gray)
	}
	return dst
}

// Plies returns the number of moves played since Set or Reset.
func (p *Position) Plies() int { return len(p.history) }

// HashAt returns the hash after the first n of them.
func (p *Position) HashAt(n int) uint64 {
	if n < len(p.history) {
		return p.history[n].hash
	}
	return p.hash
}

// AppendChanges derives the changes from move n and what the history knows of it.
func (p *Position) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	removed, added = p.history[n].appendChanges(p.turn^uint8(len(p.history)-n)&1, removed, added)
	return removed, added, true
}

// appendChanges appends the changes of a move of a side.
func (e *entry) appendChanges(side uint8, removed, added []engine.Feature) (r, a []engine.Feature) {
	from, to, piece := fromOf(e.move), toOf(e.move), pieceCodes[side&1]
	removed = appendCode(removed, e.tiles[0]+piece, from)
	removed = appendCode(removed, e.tiles[1], to)
	added = appendCode(added, e.tiles[1]+piece, to)
	if !placesTile(e.move) {
		return removed, appendCode(added, e.tiles[0], from)
	}
	kind, at, left := kindOf(e.move), tileSquareOf(e.move), e.tiles[0]
	if at == from {
		left = kind
	} else {
		added = appendCode(added, kind, at)
	}
	added = appendCode(added, left, from)
	before, after := e.hands[side&1], e.hands[side&1]-tileUnits[kind&3]
	black, gray := ofHand(side&1, before)
	newBlack, newGray := ofHand(side&1, after)
	if kind == blackTile {
		return append(removed, black), append(added, newBlack)
	}
	return append(removed, gray), append(added, newGray)
}

var _ engine.Policied = (*Position)(nil)

// policySet has the parts of a move: its step, from*25 + to, and what happens with the tile,
// 625 + to*51 + Step.Tile. A row of weights for each of the 31,875 actions would take megabytes.
// Cells count as in featureSet: White sees the board rotated.
var policySet = engine.PolicySet{Name: "contrast-step-tile", Version: 1, Size: stepParts + numCells*tileParts}

const (
	stepParts = numCells * numCells
	tileParts = 1 + 2*numCells
)

// MoveParts returns the step and the tile of a move.
func (p *Position) MoveParts(m engine.Move) [2]uint16 {
	side := engine.Side(p.turn & 1)
	from, to := cellViews[fromOf(m)&63].In(side), cellViews[toOf(m)&63].In(side)
	tile := 0
	if kind := kindOf(m); kind != noTile {
		tile = 1 + int(kind-blackTile)*numCells + cellViews[tileSquareOf(m)&63].In(side)
	}
	return [2]uint16{uint16(from*numCells + to), uint16(stepParts + to*tileParts + tile)}
}
