// Package cotulenh plays Cờ Tư Lệnh, Vietnamese commander chess.
package cotulenh

import (
	"math/rand/v2"

	"selfplay/engine"
)

// Game returns the static half.
func Game() engine.Game {
	return engine.Game{Name: "cotulenh", Title: "Cờ Tư Lệnh", Rules: 1, Sides: [2]string{"red", "blue"}, MaxPlies: 1000,
		New: func(string) engine.Position { return New() }}
}

// Position placeholder.
type Position struct{}

func New() *Position                                         { return &Position{} }
func (p *Position) Set(text string) error                    { return nil }
func (p *Position) String() string                           { return "" }
func (p *Position) Turn() engine.Side                        { return 0 }
func (p *Position) Check() bool                              { return false }
func (p *Position) Moves(dst []engine.Move) []engine.Move    { return dst }
func (p *Position) Do(m engine.Move)                         {}
func (p *Position) Undo()                                    {}
func (p *Position) Random(src *rand.PCG) (engine.Move, bool) { return 0, false }
func (p *Position) Outcome() engine.Outcome                  { return engine.Ongoing }
func (p *Position) Hash() uint64                             { return 0 }
func (p *Position) FormatMove(m engine.Move) string          { return "" }
func (p *Position) ParseMove(t string) (engine.Move, error)  { return 0, nil }
