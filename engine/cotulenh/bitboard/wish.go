package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Wishes are asked by people, one at a time, so package cotulenh answers them on a mailbox.

var _ interface {
	engine.EndReader
	engine.Arbiter
	engine.Guarded
} = (*Position)(nil)

// onMailbox returns the position on a mailbox.
func (p *Position) onMailbox() *cotulenh.Position {
	m := cotulenh.New()
	err := m.Set(p.String())
	if err != nil {
		panic(err) // both engines read the same texts
	}
	return m
}

// Wish returns a legal step as a wish.
func (p *Position) Wish(m engine.Move) engine.Wish { return p.onMailbox().Wish(m) }

// Obstacle returns why no legal step fulfils a wish.
func (p *Position) Obstacle(w engine.Wish) engine.Obstacle { return p.onMailbox().Obstacle(w) }

// Zones returns the air defense of a side.
func (p *Position) Zones(side engine.Side) []engine.Zone { return p.onMailbox().Zones(side) }
