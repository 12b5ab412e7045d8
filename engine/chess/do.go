package chess

import "selfplay/engine"

// clockMask clears the half-move clock when a pawn moves.
var clockMask = [8]uint32{
	empty: ^uint32(0), pawn: clockUnit - 1, knight: ^uint32(0), bishop: ^uint32(0),
	rook: ^uint32(0), queen: ^uint32(0), king: ^uint32(0), 7: ^uint32(0),
}

// Do plays a legal move.
func (p *Position) Do(m engine.Move) {
	past, ply := p.history, p.ply
	if uint(ply) >= uint(len(past)) {
		p.growHistory()
		p.Do(m)
		return
	}
	hash, state := p.hash, p.state
	past[ply].hash, past[ply].state, past[ply].move = hash, state, m
	p.ply = ply + 1

	from, to, piece := fromOf(m), toOf(m), pieceOf(m)
	p.board[from] = empty
	p.board[to] = piece
	moved := bit[from] | bit[to]
	us := state >> 8 & 1
	p.sides[us] ^= moved
	p.kinds[piece&kindBits] ^= moved
	hash ^= pieceKey(piece, from) ^ pieceKey(piece, to) ^ sideKey
	state = (state+clockUnit)&clockMask[piece&kindBits] ^ turnBit
	if taken := takenOf(m); taken != empty {
		p.sides[us^1] ^= bit[to]
		p.kinds[taken&kindBits] ^= bit[to] // not &^=: the moving piece may have the same kind
		hash ^= pieceKey(taken, to)
		state &= clockUnit - 1
	}
	if gone := state & (p.castles.lost[from] | p.castles.lost[to] | passantBits); gone != 0 {
		hash ^= p.castles.keys[state&rightsBits] ^ p.castles.keys[(state^gone)&rightsBits] ^ enPassantKeys[state>>passantShift&15]
		state ^= gone
	}
	p.hash, p.state = hash, state
	if m|engine.Move(state&scoredBit)<<scoredShift >= double { // special move or kept score: both rare in random play
		p.doSpecial(m)
	}
}

// growHistory makes room for more entries.
//
//go:noinline
func (p *Position) growHistory() { p.history = append(p.history, make([]entry, 256+len(p.history))...) }

// doSpecial completes a move that is more than one piece moving to one square, and
// updates the score if scoredBit is set. Without scoredBit it may leave a meaningless
// score, which is never read. The side to move has changed already.
func (p *Position) doSpecial(m engine.Move) {
	to, piece := toOf(m), pieceOf(m)
	us := sideOf(piece)
	if p.state&scoredBit != 0 {
		p.history[p.ply-1].score = p.score
		p.score += pieceScore(piece, to) - pieceScore(piece, fromOf(m)) - pieceScore(takenOf(m), to)
		if m < double {
			return
		}
	}
	switch m & specialBits {
	case double:
		p.allowPassant(cellOf(to) - advances[us].cells)
	case castle:
		// Do moved the king to square to, in Chess960 onto its own rook.
		c := p.castlingOf(m)
		p.hash ^= pieceKey(c.king, to) ^ pieceKey(c.king, c.kingTo) ^ pieceKey(c.rook, c.rookFrom) ^ pieceKey(c.rook, c.rookTo)
		p.score += pieceScore(c.king, c.kingTo) - pieceScore(c.king, to) + pieceScore(c.rook, c.rookTo) - pieceScore(c.rook, c.rookFrom)
		p.remove(c.king, to)
		p.remove(c.rook, c.rookFrom)
		p.put(c.king, c.kingTo)
		p.put(c.rook, c.rookTo)
	case passant:
		victim, sq := colourOf(us^1)|pawn, to-advances[us].step
		p.hash ^= pieceKey(victim, sq)
		p.score -= pieceScore(victim, sq)
		p.remove(victim, sq)
	default:
		promoted := colourOf(us) | promotionOf(m)
		p.hash ^= pieceKey(piece, to) ^ pieceKey(promoted, to)
		p.score += pieceScore(promoted, to) - pieceScore(piece, to)
		p.remove(piece, to)
		p.put(promoted, to)
	}
}

// Undo takes back the last move. It panics if there is none.
func (p *Position) Undo() {
	ply := p.ply - 1
	e := &p.history[ply]
	p.ply = ply
	m := e.move
	us := e.state >> 8 & 1
	p.hash, p.state = e.hash, e.state
	if p.state&scoredBit != 0 {
		p.score = e.score
	}
	if m >= castle {
		if m < passant {
			p.undoCastling(m)
			return
		}
		p.undoSpecial(m)
	}
	from, to, piece, taken := fromOf(m), toOf(m), pieceOf(m), takenOf(m)
	p.board[from] = piece
	p.board[to] = taken
	moved := bit[from] | bit[to]
	p.sides[us] ^= moved
	p.kinds[piece&kindBits] ^= moved
	if taken != empty {
		p.sides[us^1] ^= bit[to]
		p.kinds[taken&kindBits] ^= bit[to]
	}
}

// undoCastling puts king and rook back. Both may stand where the other one goes.
func (p *Position) undoCastling(m engine.Move) {
	c := p.castlingOf(m)
	p.remove(c.king, c.kingTo)
	p.remove(c.rook, c.rookTo)
	p.put(c.king, fromOf(m))
	p.put(c.rook, c.rookFrom)
}

// undoSpecial reverts what doSpecial did to the board by a move other than castling.
func (p *Position) undoSpecial(m engine.Move) {
	to, piece := toOf(m), pieceOf(m)
	us := sideOf(piece)
	switch m & specialBits {
	case passant:
		p.put(colourOf(us^1)|pawn, to-advances[us].step)
	default:
		p.remove(colourOf(us)|promotionOf(m), to)
		p.put(piece, to)
	}
}

var _ engine.Passer = (*Position)(nil)

// Pass lets the other side move. It refuses in check, and where the side to move has only
// pawns: there zugzwang is common. It clears the half-move clock, so that no position
// after it repeats one before it.
func (p *Position) Pass() bool {
	us := p.turn()
	if p.sides[us]&^(p.kinds[pawn]|p.kinds[king]) == 0 || p.Check() {
		return false
	}
	if p.ply >= len(p.history) {
		p.growHistory()
	}
	e := &p.history[p.ply]
	e.hash, e.state, e.move, e.score = p.hash, p.state, 0, p.score
	p.ply++
	p.hash ^= sideKey ^ enPassantKeys[p.state>>passantShift&15]
	p.state = p.state&(clockUnit-1)&^passantBits ^ turnBit
	return true
}

// TakePass takes back the last Pass.
func (p *Position) TakePass() {
	p.ply--
	e := &p.history[p.ply]
	p.hash, p.state, p.score = e.hash, e.state, e.score
}
