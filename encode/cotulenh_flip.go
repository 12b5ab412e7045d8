package encode

import (
	"encoding/binary"
	"strings"

	"selfplay/engine/cotulenh"
)

// CoTuLenh is flipped by reversing the ranks and exchanging the colours: the terrain is
// symmetric, and files stay.

var cotulenhReversed = cotulenhGrid.ReversedRows()

// cotulenhPerSide is the number of stacks of one colour. Blue's codes follow red's.
const cotulenhPerSide = (cotulenh.NumStacks - 1) / 2

func flipCoTuLenh(values []byte) {
	var flipped [cotulenhCells]uint16
	for cell := range flipped {
		code := binary.LittleEndian.Uint16(values[2*cell:])
		switch {
		case code > cotulenhPerSide:
			code -= cotulenhPerSide
		case code > 0:
			code += cotulenhPerSide
		}
		flipped[cotulenhReversed[cell]] = code
	}
	for cell, code := range flipped {
		binary.LittleEndian.PutUint16(values[2*cell:], code)
	}
	for _, element := range [...]int{cotulenhOrigin, cotulenhLanded, cotulenhLanded + 1} { // cell + 1
		place := values[2*element:]
		if cell := binary.LittleEndian.Uint16(place); cell > 0 {
			binary.LittleEndian.PutUint16(place, 1+uint16(cotulenhReversed[cell-1]))
		}
	}
}

// flipCoTuLenhAction flips the origin and the ray.
func flipCoTuLenhAction(action uint16) uint16 {
	if action >= cotulenhCommit {
		return action
	}
	mover, ray := action%cotulenhMovers, action/cotulenhMovers
	from := uint16(cotulenhReversed[ray/cotulenhRays])
	return (from*cotulenhRays+uint16(cotulenhFlippedRay[ray%cotulenhRays]))*cotulenhMovers + mover
}

// cotulenhFlippedRay is the ray with the same vector upside down.
var cotulenhFlippedRay = func() (table [cotulenhRays]uint8) {
	for i, a := range cotulenhRayList {
		for j, b := range cotulenhRayList {
			if b == a.upsideDown() {
				table[i] = uint8(j)
			}
		}
	}
	return table
}()

// flipCoTuLenhText flips a text. The last field is the open deployment: origin, stack and
// the cells where members landed.
func flipCoTuLenhText(text string) string {
	f := strings.Fields(text)
	f[0] = flipRows(f[0])
	f[1] = otherWord(f[1], "r", "b")
	if len(f) > 6 {
		session := strings.Split(f[6], ":")
		session[0], session[2] = flipSquares(session[0], cotulenhGrid), flipSquares(session[2], cotulenhGrid)
		f[6] = strings.Join(session, ":")
	}
	return strings.Join(f, " ")
}
