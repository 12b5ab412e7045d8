package bitboard

import (
	"sync"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Texts are read and written by package cotulenh, so both engines accept the same texts
// with the same errors.

// Reset returns to the start of the game and forgets the history. It keeps the memory of p.
func (p *Position) Reset() { p.copyFrom(startPosition()) }

// Set makes p the position that text describes and forgets the history. The error is
// always an *engine.TextError and leaves p unchanged.
func (p *Position) Set(text string) error {
	if p.reader == nil {
		p.reader = cotulenh.New()
	}
	if err := p.reader.Set(text); err != nil {
		return err
	}
	p.load(p.reader)
	return nil
}

// String returns the canonical text.
func (p *Position) String() string {
	a := p.Parts()
	return a.String()
}

// Parts returns the position as numbers.
func (p *Position) Parts() cotulenh.Parts {
	half, full := p.Clocks()
	a := cotulenh.Parts{Turn: p.Turn(), HalfMove: half, FullMove: full, Origin: -1, Landed: [2]int{-1, -1}}
	for cell, sq := range squares {
		a.Cells[cell] = p.cells[sq]
	}
	if origin, open := p.Session(); open {
		a.Origin, a.Rest = origin.Cell(), p.session.rest
		list, n := p.Landed()
		for i := range n {
			a.Landed[i] = list[i].Cell()
		}
	}
	return a
}

// SAN returns a legal step in SAN: see cotulenh.Position.SAN.
func (p *Position) SAN(m engine.Move) string { return cotulenh.SAN(p, m) }

// TurnSAN implements engine.TurnNotation.
func (p *Position) TurnSAN(moves []engine.Move) (text string, sure bool) {
	return cotulenh.TurnSAN(p, moves)
}

// EndsIn implements engine.EndReader.
func (p *Position) EndsIn(fen string, turn []engine.Move, text string) error {
	return cotulenh.EndsIn(p, fen, turn, text)
}

// ReadTurn implements engine.TurnNotation.
func (p *Position) ReadTurn(text string) ([][]engine.Move, error) { return cotulenh.ReadTurn(p, text) }

// Clocks returns the half-move clock and the full-move number. In a session the half-move
// clock already has the value after commit.
func (p *Position) Clocks() (half, full uint16) { return uint16(p.half), uint16(p.full) }

// FullMove returns the full-move number.
func (p *Position) FullMove() uint16 { return uint16(p.full) }

// AppendCells appends the stack codes of the 132 cells to dst, row by row from a12, as
// little-endian uint16: 264 bytes.
func (p *Position) AppendCells(dst []byte) []byte { return cotulenh.AppendCells(dst, &p.cells) }

// load makes p the position of the other engine, with its order of stacks and without
// history.
func (p *Position) load(q *cotulenh.Position) {
	p.clear()
	for side := range engine.Side(2) {
		for _, sq := range q.Pieces(side) {
			p.set(uint8(sq), q.At(sq))
		}
	}
	half, full := q.Clocks()
	p.turn, p.half, p.full = uint8(q.Turn()), uint32(half), uint32(full)
	if origin, open := q.Session(); open {
		p.session = session{uint8(origin), q.Rest(), noSession.landed}
		list, n := q.Landed()
		for i := range n {
			p.session.landed[i] = uint8(list[i])
		}
	}
	p.startHistory(q.Hash())
}

// clear empties the board and forgets everything except memory.
func (p *Position) clear() {
	*p = Position{log: p.log[:0], history: p.history[:0], turnHashes: p.turnHashes[:0], scratch: p.scratch}
	p.sides[0].commander = noSquare
	p.sides[1].commander = noSquare
	p.session = noSession
}

// startHistory starts a history at the current position, which has the given hash.
func (p *Position) startHistory(hash uint64) {
	p.log = p.log[:0]
	p.hash = hash
	if !p.session.open() {
		p.pushTurn()
	}
}

// startPosition is the start of the game, for Reset to copy.
var startPosition = sync.OnceValue(func() *Position {
	p := new(Position)
	p.load(cotulenh.New())
	return p
})

// copyFrom makes p a copy of q, which has no history, and keeps the memory of p.
func (p *Position) copyFrom(q *Position) {
	log, past, hashes, scratch := p.log[:0], p.history[:0], append(p.turnHashes[:0], q.turnHashes...), p.scratch
	*p = *q
	p.log, p.history, p.turnHashes, p.scratch = log, past, hashes, scratch
}
