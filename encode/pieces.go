package encode

import "encoding/binary"

// pieceCounter counts pieces by the cells of the layout that Board.Codes describes.
type pieceCounter struct {
	counts []uint8 // pieces of either side, by code of a cell; nil before the first use
	layout *Layout
	board  []byte // reused
}

// countPieces returns the number of pieces of both sides at the replayer's position. Every
// member of a stack counts; neutral pieces do not.
func (r *Replayer) countPieces() int {
	c := &r.pieces
	if c.counts == nil {
		c.prepare(&r.game)
	}
	size := c.layout.Kind.Size()
	c.board = c.layout.Encode(c.board[:0], r.pos)
	n := 0
	for cell := c.board[:r.game.Board.Cells()*size]; len(cell) > 0; cell = cell[size:] {
		code := int(cell[0])
		if size == 2 {
			code = int(binary.LittleEndian.Uint16(cell))
		}
		n += int(c.counts[code])
	}
	return n
}

func (c *pieceCounter) prepare(g *Game) {
	c.layout = g.Identity()
	c.counts = make([]uint8, len(g.Board.Codes))
	for code, pieces := range g.Board.Codes {
		for _, p := range pieces {
			if p.Side != Neutral {
				c.counts[code]++
			}
		}
	}
}
