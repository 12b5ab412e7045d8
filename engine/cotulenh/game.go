package cotulenh

import "selfplay/engine"

// Game returns the static half of CoTuLenh.
func Game() engine.Game {
	return engine.Game{
		Name:     "cotulenh",
		Title:    "Cờ Tư Lệnh",
		Rules:    1,
		Sides:    [2]string{"red", "blue"},
		MaxPlies: 1000,
		New:      func(string) engine.Position { return New() },
	}
}
