package cotulenh

import (
	"strings"

	"selfplay/engine"
)

// Type is a kind of piece.
type Type uint8

// The piece types. Their order numbers the stack codes: never change it.
const (
	Commander   Type = 0
	Infantry    Type = 1
	Tank        Type = 2
	Militia     Type = 3
	Engineer    Type = 4
	Artillery   Type = 5
	AntiAir     Type = 6
	Missile     Type = 7
	AirForce    Type = 8
	Navy        Type = 9
	Headquarter Type = 10
)

const numTypes = 11

const typeLetters = "citmeagsfnh"

// Letter returns the lower-case letter of the type.
func (t Type) Letter() byte { return typeLetters[t] }

// typeOf returns the type of a lower-case letter.
func typeOf(letter byte) (Type, bool) {
	i := strings.IndexByte(typeLetters, letter)
	return Type(i), i >= 0
}

// Member is one piece of a stack.
type Member struct {
	Type   Type
	Heroic bool
}

// Stack is the dense code of all that stands on a square: 0 nothing, 1 to 142 a
// red stack, 143 to 284 a blue one. Stored in every dataset: never renumber.
type Stack uint16

const (
	// Empty is the code of a square with nothing on it.
	Empty Stack = 0
	// NumStacks is the number of codes, Empty included.
	NumStacks = 285

	perSide       = (NumStacks - 1) / 2
	dead    Stack = NumStacks // content of the cells off the board
)

// compositions lists what may stand together, lead first, in the order of the
// codes: 11 pieces alone, 16 pairs, 7 triples. Each takes 2, 4 or 8 codes, one for
// every pattern of heroic members, bit k of the pattern for slot k.
const compositions = `
c i t m e a g s f n h
tc ti tm fc fi fm ft hc
nc ni nm nt nf ea eg es
ftc fti ftm nfc nfi nfm nft
`

// stackInfo is what the tables know of a code: sixteen bytes, so that an index is
// a shift.
type stackInfo struct {
	side      uint8    // 0 red, 1 blue, 2 empty, 3 dead
	size      uint8    // members
	lead      Type     // first member
	level     uint8    // radius of the air defense the lead provides, 0 none
	kinds     [4]uint8 // type*2 + heroic of each slot; three are used
	commander uint8    // 1 if a member is the commander
	types     uint16   // set of types
	heroes    uint16   // set of types that are heroic
	plainAir  uint8    // slots that hold a non-heroic air force
	heroic    uint8    // pattern of heroic slots
	group     uint8    // number of the composition, from 1
}

const (
	sideNone = 2
	sideDead = 3
)

// composition is a set of types that may stand together.
type composition struct {
	first Stack    // its first red code, 0 if the set is no stack
	slots [3]uint8 // type of each slot
	size  uint8
}

// codesFrom finds a composition by its set of types.
var codesFrom = func() (table [1 << numTypes]composition) {
	code := Stack(1)
	for _, letters := range strings.Fields(compositions) {
		c := composition{first: code, size: uint8(len(letters))}
		types := 0
		for slot := range letters {
			t, _ := typeOf(letters[slot])
			types |= 1 << t
			c.slots[slot] = uint8(t)
		}
		table[types] = c
		code += 1 << len(letters)
	}
	return table
}()

// The tables over codes have 512 entries so that code&511 needs no bounds check.

var infos = func() (table [512]stackInfo) {
	for i := range table {
		table[i].side = sideDead
	}
	table[Empty].side = sideNone
	code := Stack(1)
	for i, letters := range strings.Fields(compositions) {
		for pattern := range uint8(1 << len(letters)) {
			table[code] = newInfo(0, i+1, letters, pattern)
			table[code+perSide] = newInfo(1, i+1, letters, pattern)
			code++
		}
	}
	return table
}()

// kept is what is left of a stack when only these slots stay.
var kept = overSlots(func(in *stackInfo, slots uint8) Stack {
	types := typesIn(in, slots)
	return codeOf(in.side, types, in.heroes&types)
})

// promoted is the stack after these slots became heroic.
var promoted = overSlots(func(in *stackInfo, slots uint8) Stack {
	return codeOf(in.side, in.types, in.heroes|typesIn(in, slots))
})

func overSlots(f func(in *stackInfo, slots uint8) Stack) (table [512][8]Stack) {
	for code := Stack(1); code < NumStacks; code++ {
		for slots := range uint8(8) {
			table[code][slots] = f(&infos[code], slots)
		}
	}
	return table
}

func newInfo(side uint8, group int, letters string, pattern uint8) stackInfo {
	in := stackInfo{side: side, size: uint8(len(letters)), heroic: pattern, group: uint8(group)}
	for slot := range letters {
		t, _ := typeOf(letters[slot])
		heroic := pattern >> slot & 1
		in.kinds[slot] = uint8(t)<<1 | heroic
		in.types |= 1 << t
		in.heroes |= uint16(heroic) << t
		if t == Commander {
			in.commander = 1
		}
		if t == AirForce && heroic == 0 {
			in.plainAir |= 1 << slot
		}
		if slot == 0 {
			in.lead = t
			in.level = zoneLevel(t, heroic == 1)
		}
	}
	return in
}

// typesIn returns the set of types in the given slots.
func typesIn(in *stackInfo, slots uint8) (types uint16) {
	for slot := range in.size {
		if slots>>slot&1 == 1 {
			types |= 1 << (in.kinds[slot] >> 1)
		}
	}
	return types
}

// codeOf returns the code of a side's stack of these types, or Empty if they
// cannot stand together.
func codeOf(side uint8, types, heroes uint16) Stack {
	c := &codesFrom[types&(1<<numTypes-1)]
	if c.first == 0 {
		return Empty
	}
	code := c.first + Stack(side)*perSide
	for slot := range c.size {
		code += Stack(heroes>>c.slots[slot]&1) << slot
	}
	return code
}

// combine returns the stack that two stacks of one side form, or Empty.
func combine(a, b Stack) Stack {
	x, y := &infos[a&511], &infos[b&511]
	if x.types&y.types != 0 {
		return Empty
	}
	return codeOf(x.side, x.types|y.types, x.heroes|y.heroes)
}

// sums tells by two compositions who leads what they form together; noLead if
// they cannot stand together. It answers what move generation asks of combine.
var sums = func() (table [64][64]Type) {
	for a := range table {
		for b := range table[a] {
			table[a][b] = noLead
		}
	}
	for a := Stack(1); a <= perSide; a++ {
		for b := Stack(1); b <= perSide; b++ {
			if c := combine(a, b); c != Empty {
				table[infos[a].group][infos[b].group] = infos[c].lead
			}
		}
	}
	return table
}()

// noLead is no type; nothing may stand anywhere behind it.
const noLead Type = 15

// NewStack returns the stack of these members in canonical order; false if they
// cannot stand together.
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

// Combine returns the stack that s and t form together; false if they cannot.
func (s Stack) Combine(t Stack) (Stack, bool) {
	if s == Empty || t == Empty || s.Side() != t.Side() {
		return Empty, false
	}
	c := combine(s, t)
	return c, c != Empty
}

// Side returns whose stack it is; the code must not be Empty.
func (s Stack) Side() engine.Side { return engine.Side(infos[s&511].side) }

// Size returns the number of members.
func (s Stack) Size() int { return int(infos[s&511].size) }

// IsStack reports whether there are two members or more.
func (s Stack) IsStack() bool { return s.Size() > 1 }

// Lead returns the type of the first member, which carries the others.
func (s Stack) Lead() Type { return infos[s&511].lead }

// Members returns the members in canonical order, the lead first.
func (s Stack) Members() []Member {
	in := &infos[s&511]
	members := make([]Member, in.size)
	for slot := range members {
		members[slot] = Member{Type(in.kinds[slot] >> 1), in.kinds[slot]&1 == 1}
	}
	return members
}

// String returns the stack as position texts write it: N, +t, (NF), (n+f).
func (s Stack) String() string {
	var b strings.Builder
	upper := byte('a' - 'A')
	if s == Empty || s >= dead {
		return ""
	}
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
