package cotulenh

import "strings"

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
