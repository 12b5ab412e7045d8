package encode

import (
	"selfplay/engine"
	"selfplay/engine/chess"
)

// Planes of chess. A piece has the plane of its kind; the opponent's pieces follow after
// chessTheirs planes.
const (
	chessTheirs       = 6
	chessRightsPlane  = 2 * chessTheirs
	chessPassantPlane = chessRightsPlane + 4
	chessRepeatPlane  = chessPassantPlane + 1
	chessClockPlane   = chessRepeatPlane + 2
	chessFirstPlane   = chessClockPlane + ClockBits
)

func chessPlanes() Planes {
	var list []Element
	for _, owner := range []string{"own", "their"} {
		for _, name := range []string{"pawns", "knights", "bishops", "rooks", "queens", "king"} {
			list = append(list, Element{Name: owner + "_" + name, Doc: "cells of these pieces"})
		}
	}
	for _, owner := range []string{"own", "their"} {
		for _, wing := range []string{"king", "queen"} {
			list = append(list, Element{Name: owner + "_castling_" + wing, Doc: "all cells if the right to castle on the " + wing + " side exists"})
		}
	}
	list = append(list,
		Element{Name: "en_passant", Doc: "the cell behind a pawn that a legal move can capture en passant"},
		Element{Name: "repeated_1", Doc: "all cells if the position occurred before in the game"},
		Element{Name: "repeated_2", Doc: "all cells if the position occurred twice before"},
	)
	list = append(list, ClockPlanes()...)
	list = append(list, SidePlane(chess.Game().Sides))
	return Planes{Version: 1, Grid: chessGrid, Elements: list, Draw: drawChess}
}

// drawChess draws the board with the first rank of the side to move at the bottom.
func drawChess(c Canvas, values []byte, turn engine.Side) {
	flip, swap := 0, 0
	if turn == engine.Second {
		flip, swap = 56, chessTheirs // cell^56 reverses the ranks
	}
	for cell, piece := range values[:chessCells] {
		if piece != 0 {
			c.Set((int(piece)-1+swap)%(2*chessTheirs), cell^flip)
		}
	}
	for i, right := range values[chessCastling:chessPassant] {
		c.Fill(chessRightsPlane+(i^int(turn)<<1), right != 0)
	}
	if file := int(values[chessPassant]) - 1; file >= 0 {
		c.Set(chessPassantPlane, 2*8+file) // the sixth rank of the side to move
	}
	c.Fill(chessRepeatPlane, values[chessRepetitions] > 0)
	c.Fill(chessRepeatPlane+1, values[chessRepetitions] > 1)
	c.Clock(chessClockPlane, int(values[chessHalfMove]))
	c.Fill(chessFirstPlane, turn == engine.First)
}
