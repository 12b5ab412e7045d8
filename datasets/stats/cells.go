package stats

import (
	"encoding/binary"

	"selfplay/encode"
	"selfplay/engine"
)

// cells counts the codes of every cell. Codes are those of the layout that identifies
// positions; its first elements are the cells.
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
		if counts := c.counts[cell]; code < len(counts) { // nearly always
			counts[code]++
			continue
		}
		*at(&c.counts[cell], code)++
	}
}

func (c *cells) merge(o *cells) {
	for cell, counts := range o.counts {
		mergeCounts(&c.counts[cell], counts)
	}
}

// Occupancy returns the number of plies with each code on a cell, indexed by code. Codes
// after the last one that occurred are missing.
func (c *Collector) Occupancy(cell int) []uint64 { return c.cells.counts[cell] }
