package contrast

import "selfplay/engine"

var _ interface {
	engine.LeafFeatured
	engine.LeafHasher
} = (*Position)(nil)

// HashAfter answers all moves but those that reach a goal or may lead to a fourth occurrence.
func (p *Position) HashAfter(m engine.Move) (hash uint64, ok bool) {
	side, from, to := p.turn&1, fromOf(m), toOf(m)
	hash = p.hash ^ pieceKeys[side][from&63] ^ pieceKeys[side][to&63] ^ sideKey
	if placesTile(m) {
		kind, at := kindOf(m), tileSquareOf(m)
		hands := p.hands
		hands[side] -= tileUnits[kind&3]
		hash ^= tileKeys[(kind-1)&1][at&63] ^ handKeys[p.handsIndex()] ^ handKeys[handsIndex(hands)]
	}
	return hash, p.hashCounts[hash%numHashCounts] < 3 && !goals[side].has(to) && !p.goalReached()
}

// ScoreAfter changes only what the score depends on, and takes it back. Callers have asked HashAfter.
func (p *Position) ScoreAfter(m engine.Move) (score int, ok bool) {
	side := p.turn & 1
	pieces, tiles, hands := p.pieces, p.tiles, p.hands
	p.pieces[side] ^= one(fromOf(m)) | one(toOf(m))
	if placesTile(m) {
		kind := kindOf(m)
		p.tiles[(kind-1)&1] ^= one(tileSquareOf(m))
		p.hands[side] -= tileUnits[kind&3]
	}
	p.turn ^= 1
	score = p.score(&standard)
	p.turn ^= 1
	p.pieces, p.tiles, p.hands = pieces, tiles, hands
	return score, true
}

// AppendChangesAfter derives the changes from the move and the board before it.
func (p *Position) AppendChangesAfter(m engine.Move, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	from, to := fromOf(m), toOf(m)
	e := entry{move: m, hands: p.hands, tiles: [2]uint8{p.cells[from&63] - pieceCodes[p.turn&1], p.cells[to&63]}}
	removed, added = e.appendChanges(p.turn, removed, added)
	return removed, added, true
}
