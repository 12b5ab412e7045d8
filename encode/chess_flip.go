package encode

// Chess is turned by exchanging ranks and colours: a file stays a file, and so do
// the wings.

func flipChess(values []byte) {
	var turned [chessCells]byte
	for cell, piece := range values[:chessCells] {
		if piece > 0 {
			piece = (piece+5)%12 + 1
		}
		turned[cell^56] = piece
	}
	copy(values, turned[:])
	rights := values[chessCastling:chessPassant]
	rights[0], rights[1], rights[2], rights[3] = rights[2], rights[3], rights[0], rights[1]
}

// flipChessAction turns the cell that an action leaves and the way of its plane. The
// planes of underpromotions name files alone: they stay.
func flipChessAction(action uint16) uint16 {
	if action >= chessActions {
		return action
	}
	from, plane := action/chessPlaneN, action%chessPlaneN
	return (from^56)*chessPlaneN + uint16(chessFlippedPlane[plane])
}

// chessFlippedPlane is the plane that goes down the board where another goes up.
var chessFlippedPlane = func() (table [chessPlaneN]uint8) {
	for plane := range table {
		table[plane] = uint8(plane)
		for other := range chessUnder {
			a, b := chessVector(0, plane), chessVector(0, other)
			if plane < chessUnder && b == (vector{-a.rank, a.file}) {
				table[plane] = uint8(other)
			}
		}
	}
	return table
}()
