package chess

import "selfplay/engine"

// clockKept clears the half-move clock when a pawn moves.
var clockKept = [8]uint32{
	empty: ^uint32(0), pawn: clockUnit - 1, knight: ^uint32(0), bishop: ^uint32(0),
	rook: ^uint32(0), queen: ^uint32(0), king: ^uint32(0), 7: ^uint32(0),
}

// Do plays a legal move.
func (p *Position) Do(m engine.Move) {
	past, ply := p.past, p.ply
	if uint(ply) >= uint(len(past)) {
		p.grow()
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
	state = (state+clockUnit)&clockKept[piece&kindBits] ^ turnBit
	if taken := takenOf(m); taken != empty {
		p.sides[us^1] ^= bit[to]
		p.kinds[taken&kindBits] ^= bit[to] // not &^=: a piece of the same kind may stand there now
		hash ^= pieceKey(taken, to)
		state &= clockUnit - 1
	}
	if gone := state & (rightsLost[from] | rightsLost[to] | passantBits); gone != 0 {
		hash ^= castlingKeys[state&rightsBits] ^ castlingKeys[(state^gone)&rightsBits] ^ enPassantKeys[state>>passantShift&15]
		state ^= gone
	}
	p.hash, p.state = hash, state
	if m|engine.Move(state&scoredBit)<<scoredShift >= double { // one test for two things that are rare in random play
		p.complete(m)
	}
}

// grow makes room for more moves to take back.
//
//go:noinline
func (p *Position) grow() { p.past = append(p.past, make([]entry, 256+len(p.past))...) }

// complete does what a move does besides moving a piece from one square to another,
// and keeps the score if somebody asked for it; if nobody did, it leaves something
// there that is never read. The turn has passed already.
func (p *Position) complete(m engine.Move) {
	to, piece := toOf(m), pieceOf(m)
	us := sideOf(piece)
	if p.state&scoredBit != 0 {
		p.past[p.ply-1].score = p.score
		p.score += worthOn(piece, to) - worthOn(piece, fromOf(m)) - worthOn(takenOf(m), to)
		if m < double {
			return
		}
	}
	switch m & whatBits {
	case double:
		p.offerPassant(cellOf(to) - advances[us].cells)
	case castle:
		c := castlingTo(m)
		p.hash ^= pieceKey(c.rook, c.rookFrom) ^ pieceKey(c.rook, c.rookTo)
		p.score += worthOn(c.rook, c.rookTo) - worthOn(c.rook, c.rookFrom)
		p.lift(c.rook, c.rookFrom)
		p.put(c.rook, c.rookTo)
	case passant:
		victim, sq := colourOf(us^1)|pawn, to-advances[us].step
		p.hash ^= pieceKey(victim, sq)
		p.score -= worthOn(victim, sq)
		p.lift(victim, sq)
	default:
		better := colourOf(us) | promoted(m)
		p.hash ^= pieceKey(piece, to) ^ pieceKey(better, to)
		p.score += worthOn(better, to) - worthOn(piece, to)
		p.lift(piece, to)
		p.put(better, to)
	}
}

// offerPassant notes that the side to move may take en passant on a cell, if it may.
func (p *Position) offerPassant(cell int) {
	if p.passantTakers(cell) != 0 && p.passantLegal(cell) {
		p.state |= uint32(8|cell&7) << passantShift
		p.hash ^= enPassantKeys[8|cell&7]
	}
}

// castlingTo returns what castling the move is.
func castlingTo(m engine.Move) *castling {
	ways := &castles[sideOf(pieceOf(m))]
	if ways[0].move == m {
		return &ways[0]
	}
	return &ways[1]
}

// Undo takes back the last move.
func (p *Position) Undo() {
	ply := p.ply - 1
	e := &p.past[ply]
	p.ply = ply
	m := e.move
	us := e.state >> 8 & 1
	p.hash, p.state = e.hash, e.state
	if p.state&scoredBit != 0 {
		p.score = e.score
	}
	if m >= castle {
		p.prepare(m)
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

// prepare takes back what complete did.
func (p *Position) prepare(m engine.Move) {
	to, piece := toOf(m), pieceOf(m)
	us := sideOf(piece)
	switch m & whatBits {
	case castle:
		c := castlingTo(m)
		p.lift(c.rook, c.rookTo)
		p.put(c.rook, c.rookFrom)
	case passant:
		p.put(colourOf(us^1)|pawn, to-advances[us].step)
	default:
		p.lift(colourOf(us)|promoted(m), to)
		p.put(piece, to)
	}
}
