package chess

import "selfplay/engine"

// castling is one of the four castling moves.
type castling struct {
	right            uint32
	free             uint64 // cells that must be empty
	safe             [2]int // cells that the king crosses and reaches; must not be attacked
	move             engine.Move
	rook             uint8 // piece code of the rook
	rookFrom, rookTo uint8
}

// castles are the castling moves by side and wing: kingside 0, queenside 1.
var castles = [2][2]castling{
	{newCastling(white, 1, "e1g1", "h1f1", "f1g1"), newCastling(white, 2, "e1c1", "a1d1", "b1c1d1")},
	{newCastling(black, 4, "e8g8", "h8f8", "f8g8"), newCastling(black, 8, "e8c8", "a8d8", "b8c8d8")},
}

// newCastling takes names of squares: the king's move, the rook's move and the cells
// between. The king crosses the square that the rook goes to.
func newCastling(colour uint8, right uint32, kingMove, rookMove, free string) castling {
	from, to := mustSquare(kingMove[:2]), mustSquare(kingMove[2:])
	c := castling{right: right, rook: colour | rook, rookFrom: mustSquare(rookMove[:2]), rookTo: mustSquare(rookMove[2:])}
	c.move = fromPart(colour|king, from) | toPart(empty, to) | castle
	c.safe = [2]int{cellOf(c.rookTo), cellOf(to)}
	for ; free != ""; free = free[2:] {
		c.free |= bit[mustSquare(free[:2])]
	}
	return c
}

// mustSquare returns the square of a valid name.
func mustSquare(name string) uint8 {
	cell, err := parseCell(name)
	if err != nil {
		panic(err)
	}
	return squareOf(cell)
}

// rightsLost are the castling rights lost when a piece leaves or reaches a square.
var rightsLost = func() (table [128]uint32) {
	for _, wings := range castles {
		for _, c := range wings {
			table[fromOf(c.move)] |= c.right
			table[c.rookFrom] |= c.right
		}
	}
	return table
}()

// pathFree reports whether side us has the right to castle and the path is empty.
func (p *Position) pathFree(us uint8, wing int) bool {
	c := &castles[us&1][wing&1]
	return p.state&c.right != 0 && p.occupied()&c.free == 0
}

// canCastle reports whether castling is legal.
func (p *Position) canCastle(us uint8, wing int) bool {
	return p.pathFree(us, wing) && !p.Check() && p.kingPathSafe(us, wing)
}

// kingPathSafe reports whether the cells that the king crosses and reaches are not
// attacked. The side must not be in check.
func (p *Position) kingPathSafe(us uint8, wing int) bool {
	c := &castles[us&1][wing&1]
	them, occupied := p.sides[us&1^1], p.occupied()
	return !p.attacked(c.safe[0], us^1, them, occupied) && !p.attacked(c.safe[1], us^1, them, occupied)
}

// castlingMoves lists the castling moves of a side that is not in check.
func (p *Position) castlingMoves(dst []engine.Move, us uint8) []engine.Move {
	for wing := range 2 {
		if p.pathFree(us, wing) && p.kingPathSafe(us, wing) {
			dst = append(dst, castles[us&1][wing].move)
		}
	}
	return dst
}
