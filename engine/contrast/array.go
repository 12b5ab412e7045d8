package contrast

import (
	"encoding/binary"
	"fmt"
)

// ArrayLen is the length of a position's array. Elements 0 to 24 are the cells from a5
// to e1 as occupant*3 + tile. Elements 25 to 28 are the tiles in hand: Black's black
// (0-3), Black's gray (0-1), White's black and White's gray. The side to move is not
// part of the array.
const ArrayLen = numCells + 4

// startArray is the array of the start of the game.
var startArray = [ArrayLen]uint8{
	3, 3, 3, 3, 3,
	0, 0, 0, 0, 0,
	0, 0, 0, 0, 0,
	0, 0, 0, 0, 0,
	6, 6, 6, 6, 6,
	3, 1, 3, 1,
}

// Array returns the array of the position.
func (p *Position) Array() (a [ArrayLen]uint8) {
	// Copy five cells and three walls at a time; the next row overwrites the walls.
	for rank := range ranks {
		eight := binary.LittleEndian.Uint64(p.cells[8*rank+9:])
		binary.LittleEndian.PutUint64(a[files*rank:], eight)
	}
	a[25], a[26] = p.hands[0].black(), p.hands[0].gray()
	a[27], a[28] = p.hands[1].black(), p.hands[1].gray()
	return a
}

// AppendArray appends the array of the position to dst.
func (p *Position) AppendArray(dst []byte) []byte {
	a := p.Array()
	return append(dst, a[:]...)
}

// MigrateV1 converts an array of version 1, the 25 cells alone, to the current array
// with full hands. certain is true only if no tile lies on the board: version 1 does
// not record which player placed a tile, so otherwise the true hands are unknown and
// Reachable rejects the result.
func MigrateV1(cells []uint8) (a [ArrayLen]uint8, certain bool, err error) {
	if len(cells) != numCells {
		return a, false, fmt.Errorf("migrate array: %d elements: want %d", len(cells), numCells)
	}
	a, certain = startArray, true
	for i, code := range cells {
		if code > maxCode {
			return [ArrayLen]uint8{}, false, fmt.Errorf("migrate array: element %d is %d: want 0 to %d", i, code, maxCode)
		}
		a[i] = code
		certain = certain && code%3 == noTile
	}
	return a, certain, nil
}
