package encode

// Contrast is turned by half a turn of the board with the sides exchanged; tiles
// keep their kind. Nothing is ever taken.

func flipContrast(values []byte) {
	var turned [contrastCells]byte
	for cell, v := range values[:contrastCells] {
		occupant, tile := v/3, v%3
		if occupant > 0 {
			occupant = 3 - occupant // 1 black, 2 white
		}
		turned[contrastCells-1-cell] = occupant*3 + tile
	}
	copy(values, turned[:])
	hands := values[contrastCells:]
	hands[0], hands[1], hands[2], hands[3] = hands[2], hands[3], hands[0], hands[1]
}

// flipContrastAction turns the cells that an action names: where from, where to, and
// where a tile goes.
func flipContrastAction(action uint16) uint16 {
	if action >= contrastActions {
		return action
	}
	s := contrastStep(action)
	tile := uint16(s.Tile)
	if tile > 0 { // 1 to 25 black, 26 to 50 gray
		first := 1 + (tile-1)/contrastCells*contrastCells
		tile = first + contrastCells - 1 - (tile - first)
	}
	from, to := contrastCells-1-uint16(s.From), contrastCells-1-uint16(s.To)
	return (from*contrastCells+to)*contrastTiles + tile
}
