package bitboard

import "selfplay/engine/cotulenh"

// A Board says where stacks are, not what they consist of. The hybrid store keeps the code
// of each stack in an array by square; these tables say what a code means. Tables indexed
// by code have 512 entries, so that code&511 needs no bounds check.

// stackFacts holds the properties of a code.
type stackFacts struct {
	side        uint8         // 0 red, 1 blue, noSide for Empty
	size        uint8         // number of members
	lead        cotulenh.Type // type of the first member
	level       uint8         // air-defense radius of the lead, 0 for none
	kinds       [4]uint8      // kind of each slot: type*2 + heroic; three are used
	commander   uint8         // 1 if a member is the commander
	plainAir    uint8         // slots that hold an air force that is not heroic
	heroic      uint8         // slots that are heroic
	composition uint8         // number of the set of types, from 1
}

const (
	noSide   = 2
	numKinds = 22
	airKind  = uint8(cotulenh.AirForce) << 1 // an air force that is not heroic
	noLead   = 15                            // not a type; fits is false for it
)

// facts holds the properties of every code.
var facts = func() (table [512]stackFacts) {
	numbers := map[uint16]uint8{} // composition of each set of types
	for i := range table {
		table[i].side = noSide
	}
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		table[code] = factsOf(code, numbers)
	}
	return table
}()

func factsOf(code cotulenh.Stack, numbers map[uint16]uint8) stackFacts {
	members := code.Members()
	f := stackFacts{
		side: uint8(code.Side()), size: uint8(len(members)), lead: members[0].Type,
		level: uint8(cotulenh.AirDefense(code)),
	}
	types := uint16(0)
	for slot, m := range members {
		types |= 1 << m.Type
		f.kinds[slot] = kindOf(m)
		if m.Type == cotulenh.Commander {
			f.commander = 1
		}
		if m.Heroic {
			f.heroic |= 1 << slot
		}
		if f.kinds[slot] == airKind {
			f.plainAir |= 1 << slot
		}
	}
	if numbers[types] == 0 {
		numbers[types] = uint8(len(numbers) + 1)
	}
	f.composition = numbers[types]
	return f
}

func kindOf(m cotulenh.Member) uint8 {
	kind := uint8(m.Type) << 1
	if m.Heroic {
		kind++
	}
	return kind
}

// kept[code][slots] is the stack that remains when only these slots stay.
var kept = tableBySlots(func(m []cotulenh.Member, slots int) (list []cotulenh.Member) {
	for slot := range m {
		if slots>>slot&1 == 1 {
			list = append(list, m[slot])
		}
	}
	return list
})

// promoted[code][slots] is the stack after these slots became heroic.
var promoted = tableBySlots(func(m []cotulenh.Member, slots int) []cotulenh.Member {
	for slot := range m {
		m[slot].Heroic = m[slot].Heroic || slots>>slot&1 == 1
	}
	return m
})

func tableBySlots(change func(members []cotulenh.Member, slots int) []cotulenh.Member) (table [512][8]cotulenh.Stack) {
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		for slots := range 8 {
			table[code][slots], _ = cotulenh.NewStack(code.Side(), change(code.Members(), slots)...)
		}
	}
	return table
}

// joinLeads[a][b] is the lead of the stack that the compositions a and b form, or noLead
// if they do not combine.
var joinLeads = func() (table [64][64]cotulenh.Type) {
	for a := range table {
		for b := range table[a] {
			table[a][b] = noLead
		}
	}
	perSide := cotulenh.Stack(cotulenh.NumStacks-1) / 2
	for a := cotulenh.Stack(1); a <= perSide; a++ {
		for b := cotulenh.Stack(1); b <= perSide; b++ {
			if facts[a].heroic|facts[b].heroic != 0 {
				continue // leads do not depend on heroism
			}
			if sum, ok := a.Combine(b); ok {
				table[facts[a].composition][facts[b].composition] = sum.Lead()
			}
		}
	}
	return table
}()

// combine returns the stack that two stacks of one side form, Empty if they do not combine.
func combine(a, b cotulenh.Stack) cotulenh.Stack {
	sum, _ := a.Combine(b)
	return sum
}
