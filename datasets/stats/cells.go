package stats

import (
	"encoding/binary"

	"selfplay/encode"
	"selfplay/engine"
)

// cells counts what stands on the cells of the board, by the codes of the layout that
// tells positions apart: its first elements are the cells.
type cells struct {
	layout *encode.Layout
	n      int
	wide   bool       // codes are two bytes
	counts [][]uint64 // plies by cell and code
	board  []byte
}

func newCells(g *encode.Game) *cells {
	l := g.Identity()
	n := l.Elements[0].Count
	return &cells{layout: l, n: n, wide: l.Kind.Size() == 2, counts: make([][]uint64, n)}
}

func (c *cells) add(pos engine.Position) {
	c.board = c.layout.Encode(c.board[:0], pos)
	for cell := range c.n {
		code := 0
		if c.wide {
			code = int(binary.LittleEndian.Uint16(c.board[2*cell:]))
		} else {
			code = int(c.board[cell])
		}
		if counts := c.counts[cell]; code < len(counts) {
			counts[code]++
			continue
		}
		grow(&c.counts[cell], code)
		c.counts[cell][code]++
	}
}

func (c *cells) merge(o *cells) {
	for cell, counts := range o.counts {
		mergeCounts(&c.counts[cell], counts)
	}
}

// Stood returns how many plies each code stood on a cell. Codes that never stood there
// may be missing at the end.
func (c *Collector) Stood(cell int) []uint64 { return c.cells.counts[cell] }
