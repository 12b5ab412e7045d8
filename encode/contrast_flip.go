package encode

import (
	"slices"
	"strings"
)

// Contrast is flipped by rotating the board by 180 degrees and exchanging the sides. Tiles
// keep their colour.

var contrastRotated = contrastGrid.Rotated()

func flipContrast(values []byte) {
	var flipped [contrastCells]byte
	for cell, v := range values[:contrastCells] {
		occupant, tile := v/3, v%3
		if occupant > 0 {
			occupant = 3 - occupant // 1 black, 2 white
		}
		flipped[contrastRotated[cell]] = occupant*3 + tile
	}
	copy(values, flipped[:])
	hands := values[contrastCells:]
	hands[0], hands[1], hands[2], hands[3] = hands[2], hands[3], hands[0], hands[1]
}

// flipContrastAction flips the three cells of an action: origin, destination and the cell
// of the tile.
func flipContrastAction(action uint16) uint16 {
	if action >= contrastActionCount {
		return action
	}
	s := contrastStep(action)
	tile := uint16(s.Tile)
	if tile > 0 {
		first := 1 + (tile-1)/contrastCells*contrastCells
		tile = first + uint16(contrastRotated[tile-first])
	}
	from, to := uint16(contrastRotated[s.From]), uint16(contrastRotated[s.To])
	return (from*contrastCells+to)*contrastTiles + tile
}

// flipContrastText flips cells and hands of a text: 25 cells, four hands and a side.
func flipContrastText(text string) string {
	list, side, _ := strings.Cut(text, " ")
	numbers := strings.Split(list, ",")
	cells, hands := numbers[:contrastCells], numbers[contrastCells:]
	slices.Reverse(cells)
	for i, v := range cells {
		cells[i] = [9]string{"0", "1", "2", "6", "7", "8", "3", "4", "5"}[v[0]-'0']
	}
	flipped := append(slices.Clone(cells), hands[2], hands[3], hands[0], hands[1])
	return strings.Join(flipped, ",") + " " + otherWord(side, "x", "o")
}
