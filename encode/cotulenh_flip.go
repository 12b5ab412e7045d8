package encode

import (
	"encoding/binary"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// CoTuLenh is turned by exchanging its ranks and its colours: the board is the same
// upside down, and a file stays a file.

// cotulenhPerSide is how many stacks a colour has: blue's codes follow red's.
const cotulenhPerSide = (cotulenh.NumStacks - 1) / 2

func flipCoTuLenh(values []byte) {
	var turned [cotulenhCells]uint16
	for cell := range turned {
		code := binary.LittleEndian.Uint16(values[2*cell:])
		switch {
		case code > cotulenhPerSide:
			code -= cotulenhPerSide
		case code > 0:
			code += cotulenhPerSide
		}
		turned[cotulenhSeen[engine.Second][cell]] = code
	}
	for cell, code := range turned {
		binary.LittleEndian.PutUint16(values[2*cell:], code)
	}
	for _, element := range [...]int{134, 136, 137} { // origin, landed: cell + 1
		place := values[2*element:]
		if cell := binary.LittleEndian.Uint16(place); cell > 0 {
			binary.LittleEndian.PutUint16(place, 1+uint16(cotulenhSeen[engine.Second][cell-1]))
		}
	}
}

// flipCoTuLenhAction turns the cell that an action leaves and the ray that it goes.
func flipCoTuLenhAction(action uint16) uint16 {
	if action >= cotulenhCommit {
		return action
	}
	what, ray := action%cotulenhWhats, action/cotulenhWhats
	from := uint16(cotulenhSeen[engine.Second][ray/cotulenhRays])
	return (from*cotulenhRays+uint16(cotulenhRayTurned[ray%cotulenhRays]))*cotulenhWhats + what
}

// cotulenhRayTurned is the ray that goes south where another goes north.
var cotulenhRayTurned = func() (table [cotulenhRays]uint8) {
	for i, a := range cotulenhRayList {
		for j, b := range cotulenhRayList {
			if b == (cotulenhRay{-a.rank, a.file}) {
				table[i] = uint8(j)
			}
		}
	}
	return table
}()
