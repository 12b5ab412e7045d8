package othello

import (
	"math/bits"
	"math/rand/v2"

	"selfplay/engine"
)

// Position is a position of Othello. One goroutine owns it.
type Position struct {
	engine.Defaults // no check, no margins of the search

	discs  [2]uint64 // of black, of white
	turn   engine.Side
	played []ply
}

// ply is a move that was played, and the discs that it turned over.
type ply struct {
	move   engine.Move
	turned uint64
}

// New returns a position at the start of a game.
func New() *Position {
	p := &Position{played: make([]ply, 0, maxPlies)}
	p.Reset()
	return p
}

// Reset returns to the start of the game: d4 and e5 are white, e4 and d5 black.
func (p *Position) Reset() {
	p.discs = [2]uint64{1<<28 | 1<<35, 1<<27 | 1<<36}
	p.turn, p.played = engine.First, p.played[:0]
}

// Turn returns the side to move.
func (p *Position) Turn() engine.Side { return p.turn }

// own returns the discs of the side to move, and those of the opponent.
func (p *Position) own() (own, theirs uint64) { return p.discs[p.turn&1], p.discs[p.turn&1^1] }

// Do plays a legal move.
func (p *Position) Do(m engine.Move) {
	own, theirs := p.own()
	var turned uint64
	if m != pass {
		turned = outflanked(own, theirs, int(m))
		p.discs[p.turn&1] = own | turned | 1<<m
		p.discs[p.turn&1^1] = theirs &^ turned
	}
	p.played = append(p.played, ply{m, turned})
	p.turn = p.turn.Other()
}

// Undo takes back the last move.
func (p *Position) Undo() {
	last := p.played[len(p.played)-1]
	p.played = p.played[:len(p.played)-1]
	p.turn = p.turn.Other()
	if last.move != pass {
		p.discs[p.turn&1] &^= last.turned | 1<<last.move
		p.discs[p.turn&1^1] |= last.turned
	}
}

// DoRandom plays a random legal move.
func (p *Position) DoRandom(src *rand.PCG) (m engine.Move, ok bool) {
	cells := placeable(p.own())
	if cells == 0 {
		if p.Over() {
			return 0, false
		}
		p.Do(pass)
		return pass, true
	}
	for range engine.Below(src, uint32(bits.OnesCount64(cells))) {
		cells &= cells - 1
	}
	m = engine.Move(bits.TrailingZeros64(cells))
	p.Do(m)
	return m, true
}

// Hash returns the Zobrist hash of discs and side.
func (p *Position) Hash() uint64 {
	return engine.Mix(p.discs[0] ^ engine.Mix(p.discs[1]^engine.Mix(uint64(p.turn))))
}
