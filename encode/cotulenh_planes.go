package encode

import (
	"encoding/binary"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// cotulenhTypes names the piece types by number.
var cotulenhTypes = [11]string{
	cotulenh.Commander:   "commander",
	cotulenh.Infantry:    "infantry",
	cotulenh.Tank:        "tank",
	cotulenh.Militia:     "militia",
	cotulenh.Engineer:    "engineer",
	cotulenh.Artillery:   "artillery",
	cotulenh.AntiAir:     "anti_air",
	cotulenh.Missile:     "missile",
	cotulenh.AirForce:    "air_force",
	cotulenh.Navy:        "navy",
	cotulenh.Headquarter: "headquarter",
}

// Numbers of the planes. A member has the plane of its type, 22 further for the
// opponent and 11 further again for a hero.
const (
	cotulenhTheirs = 2 * len(cotulenhTypes)
	cotulenhHeroes = len(cotulenhTypes)
	cotulenhOrigin = 2 * cotulenhTheirs
	cotulenhRest   = cotulenhOrigin + 1
	cotulenhLanded = cotulenhRest + 3
	cotulenhClock  = cotulenhLanded + 2
	cotulenhFirst  = cotulenhClock + clockBits
)

func cotulenhPlanes() planes {
	var list []Element
	for _, whose := range []string{"own", "their"} {
		for _, kind := range []string{"", "heroic_"} {
			for _, name := range cotulenhTypes {
				list = append(list, Element{Name: whose + "_" + kind + name, Doc: "where one stands, alone or in a stack"})
			}
		}
	}
	list = append(list,
		Element{Name: "origin", Doc: "the cell that a stack is being deployed from"},
		Element{Name: "rest_0", Doc: "the same cell if slot 0 of its stack may still deploy"},
		Element{Name: "rest_1", Doc: "the same cell if slot 1 of its stack may still deploy"},
		Element{Name: "rest_2", Doc: "the same cell if slot 2 of its stack may still deploy"},
		Element{Name: "landed_0", Doc: "where the first member of the deployment landed"},
		Element{Name: "landed_1", Doc: "where the second member of the deployment landed"},
	)
	list = append(list, clockPlanes()...)
	list = append(list, firstPlane(cotulenh.Game().Sides))
	return planes{version: 1, ranks: 12, files: 11, list: list, draw: drawCotulenh}
}

// cotulenhMembers holds, for each code, the planes of its members when red moves.
var cotulenhMembers = func() (table [cotulenh.NumStacks][]int) {
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		for _, m := range code.Members() {
			plane := int(m.Type)
			if m.Heroic {
				plane += cotulenhHeroes
			}
			if code.Side() == engine.Second {
				plane += cotulenhTheirs
			}
			table[code] = append(table[code], plane)
		}
	}
	return table
}()

// drawCotulenh shows the board with the mover's first rank at the bottom.
func drawCotulenh(c canvas, values []byte, turn engine.Side) {
	at := func(i int) int { return int(binary.LittleEndian.Uint16(values[2*i:])) }
	seen := &cotulenhSeen[turn&1]
	for cell, to := range seen {
		for _, plane := range cotulenhMembers[at(cell)] {
			if turn == engine.Second {
				plane = (plane + cotulenhTheirs) % (2 * cotulenhTheirs)
			}
			c.set(plane, int(to))
		}
	}
	mark := func(plane, element int) {
		if cell := at(element); cell != 0 {
			c.set(plane, int(seen[cell-1]))
		}
	}
	mark(cotulenhOrigin, 134)
	for slot := range 3 {
		if at(135)>>slot&1 == 1 {
			mark(cotulenhRest+slot, 134)
		}
	}
	mark(cotulenhLanded, 136)
	mark(cotulenhLanded+1, 137)
	c.clock(cotulenhClock, at(132))
	c.fill(cotulenhFirst, turn == engine.First)
}

// cotulenhSeen is where each side sees each cell: blue with the ranks flipped.
var cotulenhSeen = func() (table [2][cotulenhCells]uint8) {
	for cell := range cotulenhCells {
		table[engine.First][cell] = uint8(cell)
		table[engine.Second][cell] = uint8((11-cell/11)*11 + cell%11)
	}
	return table
}()
