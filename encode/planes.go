package encode

import (
	"fmt"
	"slices"

	"selfplay/engine"
)

// The layout planes shows a position as a network sees it: one bit a cell and
// plane, turned so that the side to move always sits on the same side. It is a
// function of the compact array and the side to move, so that a dataset in one
// layout can be made into the other.

// PlaneShape is the key of the metadata that tells how many planes a layout has,
// of how many ranks and files: [58,12,11].
const PlaneShape = "plane_shape"

// planes describes the planes of a game.
type planes struct {
	version      int
	ranks, files int
	list         []Element // one a plane; Count is set when the layout is made
	// draw draws the values of a compact array as the side to move sees them.
	draw func(c canvas, values []byte, turn engine.Side)
}

// layout returns the layout of these planes. A plane takes whole bytes: bit i of
// it, counted from the lowest bit of its first byte, is cell i of the turned
// board, row by row; the bits beyond the board are 0.
func (b planes) layout(compact Layout) Layout {
	cells := b.ranks * b.files
	size := (cells + 7) / 8
	elements := slices.Clone(b.list)
	for i := range elements {
		elements[i].Count = size
	}
	bytes, spare := len(elements)*size, compact.Len()*compact.Kind.Size()
	return Layout{
		Name:     "planes",
		Version:  b.version,
		Kind:     Uint8,
		Elements: elements,
		Encode: func(dst []byte, p engine.Position) []byte {
			start, end := len(dst), len(dst)+bytes
			dst = slices.Grow(dst, bytes+spare)[:end]
			drawn := dst[start:]
			clear(drawn)
			b.draw(canvas{drawn, size, cells}, compact.Encode(dst[end:], p), p.Turn())
			return dst
		},
		Metadata: []KeyValue{
			{PlaneShape, fmt.Sprintf("[%d,%d,%d]", len(elements), b.ranks, b.files)},
			{"plane_bits", "little"},
		},
	}
}

// canvas is where the planes of one position are drawn; all bits are 0 at first.
type canvas struct {
	bytes []byte
	size  int // bytes of a plane
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

// clock fills clockBits planes with the bits of a half-move clock, the lowest
// first.
func (c canvas) clock(plane int, clock int) {
	clock = min(clock, 1<<clockBits-1)
	for bit := range clockBits {
		c.fill(plane+bit, clock>>bit&1 == 1)
	}
}

const clockBits = 7

// clockPlanes documents them.
func clockPlanes() (list []Element) {
	for bit := range clockBits {
		list = append(list, Element{Name: fmt.Sprintf("half_move_%d", 1<<bit),
			Doc: fmt.Sprintf("everywhere: bit %d of the half-move clock, which counts up to 127", bit)})
	}
	return list
}

// firstPlane documents the plane that tells the sides apart.
func firstPlane(sides [2]string) Element {
	return Element{Name: "first", Doc: fmt.Sprintf("everywhere if %s moves, who began the game; nowhere if %s moves", sides[0], sides[1])}
}
