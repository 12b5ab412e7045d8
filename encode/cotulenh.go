package encode

import "selfplay/engine/cotulenh"

// CoTuLenh returns the catalog entry of Cờ Tư Lệnh.
func CoTuLenh() Game {
	return Game{Game: cotulenh.Game()}
}
