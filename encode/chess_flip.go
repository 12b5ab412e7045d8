package encode

import (
	"slices"
	"strings"
)

// Chess is flipped by reversing the ranks and exchanging the colours. Files stay, and so
// do king side and queen side.

var chessReversed = chessGrid.ReversedRows()

func flipChess(values []byte) {
	var flipped [chessCells]byte
	for cell, piece := range values[:chessCells] {
		if piece > 0 {
			piece = (piece+5)%12 + 1
		}
		flipped[chessReversed[cell]] = piece
	}
	copy(values, flipped[:])
	rights := values[chessCastling:chessPassant]
	rights[0], rights[1], rights[2], rights[3] = rights[2], rights[3], rights[0], rights[1]
}

// flipChessAction flips the origin and the direction. The planes of underpromotions name
// only files, so they stay.
func flipChessAction(action uint16) uint16 {
	if action >= chessActionCount {
		return action
	}
	from, plane := action/chessPlaneCount, action%chessPlaneCount
	return uint16(chessReversed[from])*chessPlaneCount + uint16(chessFlippedPlane[plane])
}

// chessFlippedPlane is the plane with the same vector upside down.
var chessFlippedPlane = func() (table [chessPlaneCount]uint8) {
	for plane := range table {
		table[plane] = uint8(plane)
		for other := range chessUnderPlane {
			a, _ := chessVector(0, plane)
			b, _ := chessVector(0, other)
			if plane < chessUnderPlane && b == a.upsideDown() {
				table[plane] = uint8(other)
			}
		}
	}
	return table
}()

// flipChessText flips a FEN.
func flipChessText(text string) string {
	f := strings.Fields(text)
	f[0] = flipRows(f[0])
	f[1] = otherWord(f[1], "w", "b")
	if f[2] != "-" {
		rights := []byte(swapCase(f[2]))
		slices.Sort(rights) // upper case first, king before queen
		f[2] = string(rights)
	}
	f[3] = flipSquares(f[3], chessGrid)
	return strings.Join(f, " ")
}
