package chess

import "selfplay/engine"

var sideNames = [2]string{"white", "black"}

// Game returns the static half of chess.
func Game() engine.Game {
	return engine.Game{
		Name:      "chess",
		Title:     "Chess",
		Rules:     1,
		Sides:     sideNames,
		MaxPlies:  1000,
		MostMoves: 218, // no position of a game has more
		New:       func(string) engine.Position { return New() },
	}
}
