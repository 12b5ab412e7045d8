package encode

import (
	"fmt"
	"slices"

	"selfplay/engine"
)

// The layout planes is the input of a network: one bit per cell and plane, from the point
// of view of the side to move. It is a function of the compact array and the side to move,
// so a dataset in the layout compact can be converted to it.

// PlanesName is the name of the layouts of planes.
const PlanesName = "planes"

// PlaneShape is the metadata key for the number of planes, ranks and files: [58,12,11].
const PlaneShape = "plane_shape"

// FirstPlane is the name of the plane that is full if the side that began the game is to
// move. It is the only plane that tells the sides apart.
const FirstPlane = "first"

// planes describes the planes of a game.
type planes struct {
	version int
	grid    Grid
	list    []Element // one per plane; layout sets Count
	// draw draws the values of a compact array from the point of view of the side to move.
	draw func(c canvas, values []byte, turn engine.Side)
}

// layout returns the layout of these planes. A plane takes whole bytes: bit i, counted from
// the lowest bit of the first byte, is cell i of the board as the side to move sees it, row
// by row. The bits after the last cell are 0.
func (b planes) layout(compact Layout) Layout {
	cells := b.grid.Cells()
	size := (cells + 7) / 8
	elements := slices.Clone(b.list)
	for i := range elements {
		elements[i].Count = size
	}
	bytes, spare := len(elements)*size, compact.Len()*compact.Kind.Size()
	return Layout{
		Name:     PlanesName,
		Version:  b.version,
		Kind:     Uint8,
		Elements: elements,
		Encode: func(dst []byte, p engine.Position) []byte {
			start, end := len(dst), len(dst)+bytes
			dst = slices.Grow(dst, bytes+spare)[:end]
			drawn := dst[start:]
			clear(drawn)
			// The compact array goes into the spare capacity after the planes.
			b.draw(canvas{drawn, size, cells}, compact.Encode(dst[end:], p), p.Turn())
			return dst
		},
		Metadata: []KeyValue{
			{PlaneShape, fmt.Sprintf("[%d,%d,%d]", len(elements), b.grid.Ranks, b.grid.Files)},
			{"plane_bits", "little"},
		},
	}
}

// canvas holds the planes of one position. All bits are 0 at first.
type canvas struct {
	bytes []byte
	size  int // bytes per plane
	cells int
}

// set sets a cell of a plane.
func (c canvas) set(plane, cell int) {
	c.bytes[plane*c.size+cell>>3] |= 1 << (cell & 7)
}

// fill sets all cells of a plane if on.
func (c canvas) fill(plane int, on bool) {
	if !on {
		return
	}
	out := c.bytes[plane*c.size:][:c.size]
	for i := range out {
		out[i] = 0xFF
	}
	if rest := c.cells & 7; rest != 0 {
		out[c.size-1] = 1<<rest - 1
	}
}

// clock fills clockBits planes with the bits of a half-move clock, the lowest first.
func (c canvas) clock(plane int, clock int) {
	clock = min(clock, 1<<clockBits-1)
	for bit := range clockBits {
		c.fill(plane+bit, clock>>bit&1 == 1)
	}
}

// clockBits is the number of planes of a half-move clock.
const clockBits = 7

// clockPlanes documents the planes of canvas.clock.
func clockPlanes() (list []Element) {
	for bit := range clockBits {
		list = append(list, Element{Name: fmt.Sprintf("half_move_%d", 1<<bit),
			Doc: fmt.Sprintf("all cells if bit %d of the half-move clock is set; the clock is capped at 127", bit)})
	}
	return list
}

// firstPlane documents the plane that tells the sides apart.
func firstPlane(sides [2]string) Element {
	return Element{Name: FirstPlane, Doc: fmt.Sprintf("all cells if %s, the side that began the game, is to move; no cell if %s is", sides[0], sides[1])}
}
