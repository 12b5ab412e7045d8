package encode

import (
	"fmt"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// Numbers of the planes. A piece has the plane of its kind, six further for the
// opponent.
const (
	chessTheirs       = 6
	chessRightsPlane  = 2 * chessTheirs
	chessPassantPlane = chessRightsPlane + 4
	chessRepeatPlane  = chessPassantPlane + 1
	chessClockPlane   = chessRepeatPlane + 2
	chessFirstPlane   = chessClockPlane + clockBits
)

func chessPlanes() planes {
	var list []Element
	for _, whose := range []string{"own", "their"} {
		for _, name := range []string{"pawns", "knights", "bishops", "rooks", "queens", "king"} {
			list = append(list, Element{Name: whose + "_" + name, Doc: "where they stand"})
		}
	}
	for _, whose := range []string{"own", "their"} {
		for _, wing := range []string{"king", "queen"} {
			list = append(list, Element{Name: fmt.Sprintf("%s_castling_%s", whose, wing), Doc: "everywhere if castling on that wing is still allowed"})
		}
	}
	list = append(list,
		Element{Name: "en_passant", Doc: "the cell behind a pawn that can be taken en passant by a legal move"},
		Element{Name: "repeated_1", Doc: "everywhere if the position occurred before in its game"},
		Element{Name: "repeated_2", Doc: "everywhere if it occurred twice before"},
	)
	list = append(list, clockPlanes()...)
	list = append(list, firstPlane(chess.Game().Sides))
	return planes{version: 1, ranks: 8, files: 8, list: list, draw: drawChess}
}

// drawChess shows the board with the mover's first rank at the bottom.
func drawChess(c canvas, values []byte, turn engine.Side) {
	flip, swap := 0, 0
	if turn == engine.Second {
		flip, swap = 56, chessTheirs // the last rank becomes the first
	}
	for cell, piece := range values[:chessCells] {
		if piece != 0 {
			c.set((int(piece)-1+swap)%(2*chessTheirs), cell^flip)
		}
	}
	for i, may := range values[chessCastling:chessPassant] {
		c.fill(chessRightsPlane+(i^int(turn)<<1), may != 0)
	}
	if file := int(values[chessPassant]) - 1; file >= 0 {
		c.set(chessPassantPlane, 2*8+file) // the mover's sixth rank
	}
	c.fill(chessRepeatPlane, values[chessRepetitions] > 0)
	c.fill(chessRepeatPlane+1, values[chessRepetitions] > 1)
	c.clock(chessClockPlane, int(values[chessHalfMove]))
	c.fill(chessFirstPlane, turn == engine.First)
}
