package cotulenh

import (
	"strings"

	"selfplay/engine"
)

// Member is one piece of a stack.
type Member struct {
	Type   Type
	Heroic bool
}

// NewStack returns the stack of these members, in canonical order. It returns false
// if the members do not combine.
func NewStack(side engine.Side, members ...Member) (Stack, bool) {
	var types, heroes uint16
	for _, m := range members {
		if types>>m.Type&1 == 1 {
			return Empty, false
		}
		types |= 1 << m.Type
		if m.Heroic {
			heroes |= 1 << m.Type
		}
	}
	s := codeOf(uint8(side), types, heroes)
	return s, s != Empty
}

// Combine returns the stack that s and t form together, or false if they do not
// combine.
func (s Stack) Combine(t Stack) (Stack, bool) {
	if s == Empty || t == Empty || s.Side() != t.Side() {
		return Empty, false
	}
	c := combine(s, t)
	return c, c != Empty
}

// Side returns the owner of the stack; s must not be Empty.
func (s Stack) Side() engine.Side { return engine.Side(infos[s&511].side) }

// Size returns the number of members.
func (s Stack) Size() int { return int(infos[s&511].size) }

// HasCargo reports whether s has members besides the lead.
func (s Stack) HasCargo() bool { return s.Size() > 1 }

// Lead returns the type of the first member, which carries the others.
func (s Stack) Lead() Type { return infos[s&511].lead }

// Members returns the members in canonical order, the lead first.
func (s Stack) Members() []Member {
	in := &infos[s&511]
	members := make([]Member, in.size)
	for slot := range members {
		members[slot] = Member{Type(in.kinds[slot] >> 1), in.kinds[slot]&heroicBit == 1}
	}
	return members
}

// String returns the stack as position texts write it: N, +t, (NF), (n+f). It
// returns "" for Empty.
func (s Stack) String() string {
	if s == Empty || s >= dead {
		return ""
	}
	var b strings.Builder
	upper := byte('a' - 'A')
	if s.Side() == engine.Second {
		upper = 0
	}
	members := s.Members()
	if len(members) > 1 {
		b.WriteByte('(')
	}
	for _, m := range members {
		if m.Heroic {
			b.WriteByte('+')
		}
		b.WriteByte(m.Type.Letter() - upper)
	}
	if len(members) > 1 {
		b.WriteByte(')')
	}
	return b.String()
}

// kept[code][slots] is the stack that remains when only these slots stay.
var kept = tableBySlots(func(in *stackInfo, slots uint8) Stack {
	types := in.typesIn(slots)
	return codeOf(in.side, types, in.heroes&types)
})

// member returns the member in a slot as a stack of its own.
func (s Stack) member(slot uint8) Stack { return kept[s&511][1<<slot&7] }

// without returns what remains when the member in a slot leaves.
func (s Stack) without(slot uint8) Stack { return kept[s&511][^(1<<slot)&7] }

// moving returns the part of a stack that a mover moves.
func (s Stack) moving(mover uint8) Stack {
	if mover >= Deploy {
		return s.member(mover - Deploy)
	}
	return s
}

// promoted[code][slots] is the stack after these slots became heroic.
var promoted = tableBySlots(func(in *stackInfo, slots uint8) Stack {
	return codeOf(in.side, in.types, in.heroes|in.typesIn(slots))
})

func tableBySlots(f func(in *stackInfo, slots uint8) Stack) (table [512][8]Stack) {
	for code := Stack(1); code < NumStacks; code++ {
		for slots := range uint8(8) {
			table[code][slots] = f(&infos[code], slots)
		}
	}
	return table
}

// typesIn returns the set of types in the given slots.
func (in *stackInfo) typesIn(slots uint8) (types uint16) {
	for slot := range in.size {
		if slots>>slot&1 == 1 {
			types |= 1 << (in.kinds[slot] >> 1)
		}
	}
	return types
}
