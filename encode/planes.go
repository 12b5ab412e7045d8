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

// FirstPlane is the name of the plane that is full if side 0 is to move. It is the only plane that tells the sides apart.
const FirstPlane = "first"

// Planes describes the layout planes of a game.
type Planes struct {
	Version  int
	Grid     Grid
	Elements []Element // one per plane; Layout sets Count
	// Draw draws the values of a compact array from the point of view of the side to move.
	Draw func(c Canvas, values []byte, turn engine.Side)
}

// Layout returns the layout of the planes, which are drawn from the layout compact. A plane
// takes whole bytes: bit i, counted from the lowest bit of the first byte, is cell i of the
// board as the side to move sees it, row by row. The bits after the last cell are 0.
func (b Planes) Layout(compact Layout) Layout {
	cells := b.Grid.Cells()
	size := (cells + 7) / 8
	elements := slices.Clone(b.Elements)
	for i := range elements {
		elements[i].Count = size
	}
	bytes, spare := len(elements)*size, compact.Len()*compact.Kind.Size()
	return Layout{
		Name:     PlanesName,
		Version:  b.Version,
		Kind:     Uint8,
		Elements: elements,
		Encode: func(dst []byte, p engine.Position) []byte {
			start, end := len(dst), len(dst)+bytes
			dst = slices.Grow(dst, bytes+spare)[:end]
			drawn := dst[start:]
			clear(drawn)
			// The compact array goes into the spare capacity after the planes.
			b.Draw(Canvas{drawn, size, cells}, compact.Encode(dst[end:], p), p.Turn())
			return dst
		},
		Metadata: []KeyValue{
			{PlaneShape, fmt.Sprintf("[%d,%d,%d]", len(elements), b.Grid.Ranks, b.Grid.Files)},
			{"plane_bits", "little"},
		},
	}
}

// Canvas holds the planes of one position. All bits are 0 at first.
type Canvas struct {
	bytes []byte
	size  int // bytes per plane
	cells int
}

// Set sets a cell of a plane.
func (c Canvas) Set(plane, cell int) {
	c.bytes[plane*c.size+cell>>3] |= 1 << (cell & 7)
}

// Fill sets all cells of a plane if on.
func (c Canvas) Fill(plane int, on bool) {
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

// Clock fills ClockBits planes with the bits of a half-move clock, the lowest first.
func (c Canvas) Clock(plane int, clock int) {
	clock = min(clock, 1<<ClockBits-1)
	for bit := range ClockBits {
		c.Fill(plane+bit, clock>>bit&1 == 1)
	}
}

// ClockBits is the number of planes of a half-move clock.
const ClockBits = 7

// ClockPlanes documents the planes of Canvas.Clock.
func ClockPlanes() (list []Element) {
	for bit := range ClockBits {
		list = append(list, Element{Name: fmt.Sprintf("half_move_%d", 1<<bit),
			Doc: fmt.Sprintf("all cells if bit %d of the half-move clock is set; the clock is capped at 127", bit)})
	}
	return list
}

// SidePlane documents the plane FirstPlane, which tells the sides apart.
func SidePlane(sides [2]string) Element {
	return Element{Name: FirstPlane, Doc: fmt.Sprintf("all cells if %s, side 0, is to move; no cell if %s is", sides[0], sides[1])}
}
