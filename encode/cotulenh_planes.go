package encode

import (
	"encoding/binary"
	"fmt"
	"strings"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Planes of CoTuLenh. A member has the plane of its type, cotulenhHeroes further if it is
// a hero, and cotulenhTheirs further if it is the opponent's.
const (
	cotulenhHeroes      = len(cotulenhTypes)
	cotulenhTheirs      = 2 * cotulenhHeroes
	cotulenhOriginPlane = 2 * cotulenhTheirs
	cotulenhRestPlane   = cotulenhOriginPlane + 1
	cotulenhLandedPlane = cotulenhRestPlane + 3
	cotulenhClockPlane  = cotulenhLandedPlane + 2
	cotulenhFirstPlane  = cotulenhClockPlane + ClockBits
)

func cotulenhPlanes() Planes {
	var list []Element
	plain := strings.NewReplacer(" ", "_", "-", "_")
	for _, owner := range []string{"own", "their"} {
		for _, rank := range []string{"", "heroic_"} {
			for _, name := range cotulenhTypes {
				list = append(list, Element{Name: owner + "_" + rank + plain.Replace(name), Doc: "cells with such a piece, alone or in a stack"})
			}
		}
	}
	list = append(list, Element{Name: "origin", Doc: "the cell of the stack that is being deployed"})
	for slot := range 3 {
		list = append(list, Element{Name: fmt.Sprintf("rest_%d", slot), Doc: fmt.Sprintf("the same cell if slot %d of the stack may still deploy", slot)})
	}
	list = append(list,
		Element{Name: "landed_0", Doc: "the cell where the first member of the deployment landed"},
		Element{Name: "landed_1", Doc: "the cell where the second member of the deployment landed"},
	)
	list = append(list, ClockPlanes()...)
	list = append(list, SidePlane(cotulenh.Game().Sides))
	return Planes{Version: 1, Grid: cotulenhGrid, Elements: list, Draw: drawCoTuLenh}
}

// cotulenhMemberPlanes holds, for each code, the planes of its members if red is to move.
var cotulenhMemberPlanes = func() (table [cotulenh.NumStacks][]int) {
	for code, pieces := range cotulenhBoard.Codes {
		for _, m := range pieces {
			plane := m.Kind + m.Side*cotulenhTheirs
			if m.Ring {
				plane += cotulenhHeroes
			}
			table[code] = append(table[code], plane)
		}
	}
	return table
}()

// drawCoTuLenh draws the board with the first rank of the side to move at the bottom.
func drawCoTuLenh(c Canvas, values []byte, turn engine.Side) {
	at := func(i int) int { return int(binary.LittleEndian.Uint16(values[2*i:])) }
	seen := &cotulenhSeen[turn&1]
	for cell, to := range seen {
		for _, plane := range cotulenhMemberPlanes[at(cell)] {
			if turn == engine.Second {
				plane = (plane + cotulenhTheirs) % (2 * cotulenhTheirs)
			}
			c.Set(plane, int(to))
		}
	}
	mark := func(plane, element int) {
		if cell := at(element); cell != 0 {
			c.Set(plane, int(seen[cell-1]))
		}
	}
	mark(cotulenhOriginPlane, cotulenhOrigin)
	for slot := range 3 {
		if at(cotulenhRest)>>slot&1 == 1 {
			mark(cotulenhRestPlane+slot, cotulenhOrigin)
		}
	}
	mark(cotulenhLandedPlane, cotulenhLanded)
	mark(cotulenhLandedPlane+1, cotulenhLanded+1)
	c.Clock(cotulenhClockPlane, at(cotulenhHalfMove))
	c.Fill(cotulenhFirstPlane, turn == engine.First)
}

// cotulenhSeen is where each side sees each cell: blue sees the ranks reversed.
var cotulenhSeen = func() (table [2][cotulenhCells]uint8) {
	for cell, reversed := range cotulenhReversed {
		table[engine.First][cell] = uint8(cell)
		table[engine.Second][cell] = reversed
	}
	return table
}()
