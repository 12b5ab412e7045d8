package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Game returns the game as package cotulenh does, with positions of this package.
func Game() engine.Game {
	g := cotulenh.Game()
	g.New = func(string) engine.Position { return New() }
	return g
}
