package encode

import (
	"selfplay/engine"
	"selfplay/engine/contrast"
)

// Planes of Contrast.
const (
	contrastOwnPlane   = 0 // then those of the opponent
	contrastTilePlane  = 2 // black, then gray
	contrastHandPlane  = 4 // three for black tiles and one for gray tiles; own, then the opponent's
	contrastFirstPlane = contrastHandPlane + 2*4
)

func contrastPlanes() Planes {
	list := []Element{
		{Name: "own", Doc: "pieces of the side to move"},
		{Name: "their", Doc: "pieces of the opponent"},
		{Name: "black_tile", Doc: "black tiles, also under pieces"},
		{Name: "gray_tile", Doc: "gray tiles, also under pieces"},
	}
	for _, owner := range []string{"own", "their"} {
		list = append(list,
			Element{Name: owner + "_black_1", Doc: "all cells if one black tile or more is in hand"},
			Element{Name: owner + "_black_2", Doc: "all cells if two black tiles or more are in hand"},
			Element{Name: owner + "_black_3", Doc: "all cells if three black tiles are in hand"},
			Element{Name: owner + "_gray_1", Doc: "all cells if the gray tile is in hand"},
		)
	}
	list = append(list, SidePlane(contrast.Game().Sides))
	return Planes{Version: 1, Grid: contrastGrid, Elements: list, Draw: drawContrast}
}

// drawContrast draws the board with the home row of the side to move on top: white sees it
// rotated by 180 degrees.
func drawContrast(c Canvas, values []byte, turn engine.Side) {
	for cell, v := range values[:contrastCells] {
		if turn == engine.Second {
			cell = int(contrastRotated[cell])
		}
		if occupant := v / 3; occupant != 0 {
			c.Set(contrastOwnPlane+int((occupant-1)^uint8(turn)), cell)
		}
		if tile := v % 3; tile != 0 {
			c.Set(contrastTilePlane+int(tile)-1, cell)
		}
	}
	for side := range 2 {
		plane := contrastHandPlane + 4*(side^int(turn))
		hand := values[contrastCells+2*side:]
		for n := range 3 {
			c.Fill(plane+n, int(hand[0]) > n)
		}
		c.Fill(plane+3, hand[1] > 0)
	}
	c.Fill(contrastFirstPlane, turn == engine.First)
}
