package chess

import "selfplay/engine"

// castling is one of the four ways to castle.
type castling struct {
	right            uint32
	free             uint64 // cells that must be empty
	safe             [2]int // cells that the king passes and reaches
	move             engine.Move
	rook             uint8 // its piece code
	rookFrom, rookTo uint8
}

// castles are the ways to castle by side, king's side first.
var castles = [2][2]castling{
	{newCastling(white, 1, "e1g1", "h1f1", "f1g1"), newCastling(white, 2, "e1c1", "a1d1", "b1c1d1")},
	{newCastling(black, 4, "e8g8", "h8f8", "f8g8"), newCastling(black, 8, "e8c8", "a8d8", "b8c8d8")},
}

// newCastling takes the names of squares: how king and rook go, and what must be
// empty. The king passes the square that the rook goes to.
func newCastling(colour uint8, right uint32, way, rookWay, free string) castling {
	from, to := named(way[:2]), named(way[2:])
	c := castling{right: right, rook: colour | rook, rookFrom: named(rookWay[:2]), rookTo: named(rookWay[2:])}
	c.move = leaves(colour|king, from) | reaches(empty, to) | castle
	c.safe = [2]int{cellOf(c.rookTo), cellOf(to)}
	for ; free != ""; free = free[2:] {
		c.free |= bit[named(free[:2])]
	}
	return c
}

// named returns the square of a name.
func named(name string) uint8 {
	cell, err := parseCell(name)
	if err != nil {
		panic(err)
	}
	return squareOf(cell)
}

// rightsLost are the castling rights that go when a piece leaves or reaches a
// square.
var rightsLost = func() (table [128]uint32) {
	for _, ways := range castles {
		for _, c := range ways {
			table[fromOf(c.move)] |= c.right
			table[c.rookFrom] |= c.right
		}
	}
	return table
}()

// pathFree reports whether a side has a right to castle and nothing between.
func (p *Position) pathFree(us uint8, way int) bool {
	c := &castles[us&1][way&1]
	return p.state&c.right != 0 && p.occupied()&c.free == 0
}

// canCastle reports whether castling is legal.
func (p *Position) canCastle(us uint8, way int) bool {
	return p.pathFree(us, way) && !p.Check() && p.passes(us, way)
}

// passes reports whether the king of a side that is not in check is not attacked
// on the way to its castled place.
func (p *Position) passes(us uint8, way int) bool {
	c := &castles[us&1][way&1]
	them, occupied := p.sides[us&1^1], p.occupied()
	return !p.attacked(c.safe[0], us^1, them, occupied) && !p.attacked(c.safe[1], us^1, them, occupied)
}

// castlingMoves lists the castlings of a side that is not in check.
func (p *Position) castlingMoves(dst []engine.Move, us uint8) []engine.Move {
	for way := range 2 {
		if p.pathFree(us, way) && p.passes(us, way) {
			dst = append(dst, castles[us&1][way].move)
		}
	}
	return dst
}
