package cotulenh

import (
	"strings"

	"selfplay/engine"
)

// Type is a type of piece.
type Type uint8

// The piece types. Stack codes depend on their order; never change it.
const (
	Commander    Type = 0
	Infantry     Type = 1
	Tank         Type = 2
	Militia      Type = 3
	Engineer     Type = 4
	Artillery    Type = 5
	AntiAir      Type = 6
	Missile      Type = 7
	AirForce     Type = 8
	Navy         Type = 9
	Headquarters Type = 10
)

const numTypes = 11

const typeLetters = "citmeagsfnh"

// Letter returns the lower-case letter of the type.
func (t Type) Letter() byte { return typeLetters[t] }

var typeNames = [numTypes]string{
	Commander:    "commander",
	Infantry:     "infantry",
	Tank:         "tank",
	Militia:      "militia",
	Engineer:     "engineer",
	Artillery:    "artillery",
	AntiAir:      "anti-air",
	Missile:      "missile",
	AirForce:     "air force",
	Navy:         "navy",
	Headquarters: "headquarters",
}

// Name returns the name of the type in prose.
func (t Type) Name() string { return typeNames[t] }

// typeOf returns the type of a lower-case letter.
func typeOf(letter byte) (Type, bool) {
	i := strings.IndexByte(typeLetters, letter)
	return Type(i), i >= 0
}

// The kind of a piece is type*2 + heroic.
const (
	numKinds  = 2 * numTypes
	heroicBit = 1
	airKind   = uint8(AirForce) << 1 // an air force that is not heroic
)

// reach is the range of a piece on an empty board, in squares.
type reach struct {
	move, capture int
	diagonal      bool // all eight directions, else the four orthogonal ones
}

// Unlimited is longer than any ray on the board.
const Unlimited = 11

// reaches by type, not heroic.
var reaches = [numTypes]reach{
	Commander:    {Unlimited, 1, false},
	Infantry:     {1, 1, false},
	Tank:         {2, 2, false},
	Militia:      {1, 1, true},
	Engineer:     {1, 1, false},
	Artillery:    {3, 3, true},
	AntiAir:      {1, 1, false},
	Missile:      {2, 2, true}, // diagonally it moves and captures one less, but attacks at full range
	AirForce:     {4, 4, true},
	Navy:         {4, 4, true}, // captures one less unless a navy leads the target
	Headquarters: {0, 0, false},
}

// reachOf returns the range of a piece. A heroic piece reaches one square farther
// and in all eight directions.
func reachOf(t Type, heroic bool) reach {
	r := reaches[t]
	if heroic {
		r.move++
		r.capture++
		r.diagonal = true
	}
	return r
}

// Range returns how far a piece moves and captures on an empty board, and whether it goes
// in all eight directions.
func Range(t Type, heroic bool) (move, capture int, diagonal bool) {
	r := reachOf(t, heroic)
	return r.move, r.capture, r.diagonal
}

// zoneLevel returns the air-defense radius of a lead, 0 for none.
func zoneLevel(t Type, heroic bool) uint8 {
	var level uint8
	switch t {
	case Missile:
		level = 2
	case Navy, AntiAir:
		level = 1
	default:
		return 0
	}
	if heroic {
		level++
	}
	return level
}

// Stack is the dense code of what stands on a square: 0 for nothing, 1 to 142 for a
// red stack, 143 to 284 for a blue one. Datasets store it; never renumber.
type Stack uint16

const (
	// Empty is the code of an empty square.
	Empty Stack = 0
	// NumStacks is the number of codes, Empty included.
	NumStacks = 285

	perSide       = (NumStacks - 1) / 2
	dead    Stack = NumStacks // content of the cells off the board
)

// compositions lists the allowed stacks in the order of their codes, lead first: 11
// single pieces, 16 pairs, 7 triples. A composition of n members takes 2^n codes, one
// for each pattern of heroic members; bit k of the pattern belongs to slot k.
const compositions = `
c i t m e a g s f n h
tc ti tm fc fi fm ft hc
nc ni nm nt nf ea eg es
ftc fti ftm nfc nfi nfm nft
`

// stackInfo holds the properties of a code. It has 16 bytes, so indexing a table of
// them is a shift.
type stackInfo struct {
	side        uint8    // 0 red, 1 blue, sideNone or sideDead
	size        uint8    // number of members
	lead        Type     // type of the first member
	level       uint8    // air-defense radius of the lead, 0 for none
	kinds       [4]uint8 // kind of each slot; three are used
	commander   uint8    // 1 if a member is the commander
	types       uint16   // set of types
	heroes      uint16   // set of heroic types
	plainAir    uint8    // slots that hold an air force that is not heroic
	heroic      uint8    // slots that are heroic
	composition uint8    // number of the composition, from 1
}

const (
	sideNone = 2 // of Empty
	sideDead = 3 // of a cell off the board
)

// codeRange holds the codes of one composition.
type codeRange struct {
	first Stack    // the first red code, 0 if the set of types is no stack
	slots [3]uint8 // type of each slot
	size  uint8
}

// codeRanges is indexed by the set of types.
var codeRanges = func() (table [1 << numTypes]codeRange) {
	code := Stack(1)
	for _, letters := range strings.Fields(compositions) {
		c := codeRange{first: code, size: uint8(len(letters))}
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

// Tables indexed by code have 512 entries, so that code&511 needs no bounds check.

// infos holds the properties of every code.
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

func newInfo(side uint8, composition int, letters string, pattern uint8) stackInfo {
	in := stackInfo{side: side, size: uint8(len(letters)), heroic: pattern, composition: uint8(composition)}
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

// codeOf returns the code of a side's stack of these types, or Empty if they do not
// combine.
func codeOf(side uint8, types, heroes uint16) Stack {
	c := &codeRanges[types&(1<<numTypes-1)]
	if c.first == 0 {
		return Empty
	}
	code := c.first + Stack(side)*perSide
	for slot := range c.size {
		code += Stack(heroes>>c.slots[slot]&1) << slot
	}
	return code
}

// combine returns the stack that two stacks of one side form, or Empty if they do
// not combine.
func combine(a, b Stack) Stack {
	x, y := &infos[a&511], &infos[b&511]
	if x.types&y.types != 0 {
		return Empty
	}
	return codeOf(x.side, x.types|y.types, x.heroes|y.heroes)
}

// joinLeads[a][b] is the lead of the stack that the compositions a and b form, or
// noLead if they do not combine. Move generation needs no more of combine.
var joinLeads = func() (table [64][64]Type) {
	for a := range table {
		for b := range table[a] {
			table[a][b] = noLead
		}
	}
	for a := Stack(1); a <= perSide; a++ {
		for b := Stack(1); b <= perSide; b++ {
			if c := combine(a, b); c != Empty {
				table[infos[a].composition][infos[b].composition] = infos[c].lead
			}
		}
	}
	return table
}()

// noLead is not a type; fits is false for it everywhere.
const noLead Type = 15

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
