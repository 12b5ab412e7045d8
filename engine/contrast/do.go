package contrast

import "selfplay/engine"

// Do plays a legal move.
func (p *Position) Do(m engine.Move) {
	side, from, to := p.turn&1, fromOf(m), toOf(m)
	piece := pieceCodes[side]
	p.history = append(p.history, entry{p.hash, m, p.hands, [2]uint8{p.cells[from&63] - piece, p.cells[to&63]}})
	p.pieces[side] ^= one(from) | one(to)
	p.cells[from&63] -= piece
	p.cells[to&63] += piece
	h := p.hash ^ pieceKeys[side][from&63] ^ pieceKeys[side][to&63] ^ sideKey
	if placesTile(m) {
		kind, at := kindOf(m), tileSquareOf(m)
		h ^= tileKeys[(kind-1)&1][at&63] ^ handKeys[p.handsIndex()]
		p.tiles[(kind-1)&1] ^= one(at)
		p.cells[at&63] += kind
		p.hands[side] -= tileUnits[kind&3]
		h ^= handKeys[p.handsIndex()]
	}
	p.turn ^= 1
	p.hash = h
	p.hashCounts[h%numHashCounts]++
}

// Undo takes back the last move. It panics if there is none.
func (p *Position) Undo() {
	last := len(p.history) - 1
	e := p.history[last]
	p.history = p.history[:last]
	p.hashCounts[p.hash%numHashCounts]--
	p.turn ^= 1
	m := e.move
	side, from, to := p.turn&1, fromOf(m), toOf(m)
	if placesTile(m) {
		kind, at := kindOf(m), tileSquareOf(m)
		p.tiles[(kind-1)&1] ^= one(at)
		p.cells[at&63] -= kind
		p.hands[side] += tileUnits[kind&3]
	}
	piece := pieceCodes[side]
	p.pieces[side] ^= one(from) | one(to)
	p.cells[from&63] += piece
	p.cells[to&63] -= piece
	p.hash = e.hash
}
