package encode

import (
	"selfplay/engine"
	"selfplay/engine/contrast"
)

// Numbers of the planes.
const (
	contrastOwn   = 0
	contrastTheir = 1
	contrastTile  = 2 // black, then gray
	contrastHand  = 4 // three for black tiles and one for gray ones, own and then their
	contrastFirst = contrastHand + 2*4
)

func contrastPlanes() planes {
	list := []Element{
		{Name: "own", Doc: "pieces of the side to move"},
		{Name: "their", Doc: "pieces of the other side"},
		{Name: "black_tile", Doc: "black tiles, also under pieces"},
		{Name: "gray_tile", Doc: "gray tiles, also under pieces"},
	}
	for _, whose := range []string{"own", "their"} {
		list = append(list,
			Element{Name: whose + "_black_1", Doc: "everywhere if one black tile or more is left in hand"},
			Element{Name: whose + "_black_2", Doc: "everywhere if two black tiles or more are left in hand"},
			Element{Name: whose + "_black_3", Doc: "everywhere if three black tiles are left in hand"},
			Element{Name: whose + "_gray_1", Doc: "everywhere if the gray tile is left in hand"},
		)
	}
	list = append(list, firstPlane(contrast.Game().Sides))
	return planes{version: 1, ranks: 5, files: 5, list: list, draw: drawContrast}
}

// drawContrast shows the board with the mover's home row on top: white sees it
// turned by half a turn.
func drawContrast(c canvas, values []byte, turn engine.Side) {
	for cell, v := range values[:contrastCells] {
		if turn == engine.Second {
			cell = contrastCells - 1 - cell
		}
		if occupant := v / 3; occupant != 0 {
			c.set(contrastOwn+int((occupant-1)^uint8(turn)), cell)
		}
		if tile := v % 3; tile != 0 {
			c.set(contrastTile+int(tile)-1, cell)
		}
	}
	for side := range 2 {
		plane := contrastHand + 4*(side^int(turn))
		hand := values[contrastCells+2*side:]
		for n := range 3 {
			c.fill(plane+n, int(hand[0]) > n)
		}
		c.fill(plane+3, hand[1] > 0)
	}
	c.fill(contrastFirst, turn == engine.First)
}
