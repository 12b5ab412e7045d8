package bitboard

import "selfplay/engine/cotulenh"

// directions lists the eight directions as differences of squares.
var directions = cotulenh.Directions()

// The attack tables: what a kind of piece reaches from a square on an empty board. Terrain
// is decided here. Captures do not depend on the square, because terrain does not block
// them and no stack stands off the board.
var (
	// joinRays[kind][square] holds the squares in move range that terrain does not block:
	// the piece may join a stack there, and move there if it may stand there. Commanders
	// move farther than Rays reach and use commanderLimits.
	joinRays [32][256]Rays
	// standRays[0] holds the squares around a square where a navy may stand, standRays[1]
	// those of any other lead.
	standRays [2][256]Rays
	// captureRays[kind] holds the squares that a piece captures on, captureNavyRays[kind]
	// those where it captures only a stack that a navy leads.
	captureRays, captureNavyRays [32]Rays
	// commanderLimits[square] holds how far terrain lets a commander move in each direction.
	commanderLimits [256][8]uint8
	// edges[square] holds the number of squares in each direction.
	edges [256][8]uint8
)

func init() {
	for _, sq := range squares {
		standRays[0][sq] = NavyMask.raysAt(sq)
		standRays[1][sq] = LandMask.raysAt(sq)
		for d := range directions {
			edges[sq][d] = uint8(reachOf(sq, d, func(cotulenh.Square) bool { return true }))
			commanderLimits[sq][d] = uint8(freeOfTerrain(cotulenh.Commander, sq, d))
		}
	}
	for kind := range uint8(numKinds) {
		buildCaptures(kind)
	}
	for t := cotulenh.Commander; t <= cotulenh.Headquarters; t++ {
		for _, sq := range squares {
			buildJoins(t, sq)
		}
	}
	buildRuns()
}

// reachOf counts the squares in a direction up to the first one that is off the board or
// does not pass.
func reachOf(from uint8, d int, pass func(cotulenh.Square) bool) (n int) {
	for sq := cotulenh.Square(from); ; n++ {
		sq += cotulenh.Square(uint8(directions[d]))
		if !sq.Valid() || !pass(sq) {
			return n
		}
	}
}

// freeOfTerrain returns how far terrain lets a lead move in a direction.
func freeOfTerrain(lead cotulenh.Type, from uint8, d int) int {
	return reachOf(from, d, func(to cotulenh.Square) bool {
		return !cotulenh.TerrainBlocks(lead, cotulenh.Square(from), to, directions[d])
	})
}

// rangeOf returns the move and capture range of a kind in a direction, 0 if it does not
// go there.
func rangeOf(kind uint8, d int) (move, capture int) {
	lead := cotulenh.Type(kind >> 1)
	move, capture, diagonal := cotulenh.Range(lead, kind&1 == 1)
	switch {
	case d >= 4 && !diagonal:
		return 0, 0
	case d >= 4 && lead == cotulenh.Missile:
		return move - 1, capture - 1
	case lead == cotulenh.Commander: // captures adjacent stacks only
		return cotulenh.Unlimited, min(capture, 1)
	}
	return move, capture
}

// buildJoins fills joinRays for a type and its heroic form, which differ in range only.
func buildJoins(t cotulenh.Type, from uint8) {
	for d := range directions {
		free := min(maxDistance, int(edges[from][d]))
		if t != cotulenh.AirForce { // terrain does not block an air force
			free = min(maxDistance, freeOfTerrain(t, from, d))
		}
		for kind := uint8(t) << 1; kind <= uint8(t)<<1+1; kind++ {
			move, _ := rangeOf(kind, d)
			for n := 1; n <= min(move, free); n++ {
				joinRays[kind][from] |= rayOf(d, n)
			}
		}
	}
}

func buildCaptures(kind uint8) {
	for d := range directions {
		_, capture := rangeOf(kind, d)
		for n := 1; n <= capture; n++ {
			if cotulenh.Type(kind>>1) == cotulenh.Navy && n == capture {
				captureNavyRays[kind] |= rayOf(d, n)
			} else {
				captureRays[kind] |= rayOf(d, n)
			}
		}
	}
}

// standing returns the squares around from where a kind of piece may stand.
func standing(kind, from uint8) Rays {
	if kind>>1 == uint8(cotulenh.Navy) {
		return standRays[0][from]
	}
	return standRays[1][from]
}

// moveRays returns the squares that a kind of piece moves to on an empty board.
func moveRays(kind, from uint8) Rays { return joinRays[kind&31][from] & standing(kind, from) }

// onBoard returns the squares of the board around a square.
func onBoard(sq uint8) Rays { return standRays[0][sq] | standRays[1][sq] }

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

// The random player draws a number below the number of candidate steps and needs the
// target with that number. Each kind and square has a run of targets in the order of the
// rays: an entry is direction<<4 + distance. Equal runs are stored once.

// span locates the targets of a kind on a square: runs[first:][:count].
type span struct {
	first uint16
	count uint8
	// wholeCandidates is the number of candidate steps of a whole stack with this lead:
	// one per target, but two for an air force, which may capture and stay.
	wholeCandidates uint8
}

var (
	runs  [1 << 16]uint8
	spans [32][256]span
)

func buildRuns() {
	used, stored := 0, map[string]int{}
	for kind := range uint8(numKinds) {
		for _, sq := range squares {
			run := runOf(kind, sq)
			first, found := stored[string(run)]
			if !found {
				first = used
				stored[string(run)] = first
				used += copy(runs[used:], run)
			}
			s := span{uint16(first), uint8(len(run)), uint8(len(run))}
			if kind>>1 == uint8(cotulenh.AirForce) {
				s.wholeCandidates *= 2
			}
			spans[kind][sq] = s
		}
	}
}

// runOf lists the squares that a kind of piece could move to, join or capture on.
func runOf(kind, from uint8) (run []byte) {
	for d := range directions {
		_, capture := rangeOf(kind, d)
		most := capture
		if kind>>1 == uint8(cotulenh.Commander) {
			if d < 4 || kind&1 == 1 {
				most = max(capture, int(commanderLimits[from][d]))
			}
		} else if move, _ := rangeOf(kind, d); move > most {
			most = move
		}
		for n := 1; n <= min(most, int(edges[from][d])); n++ {
			run = append(run, byte(d<<4+n))
		}
	}
	return run
}

// candidatesOf returns the number of candidate steps of a stack on a square: one per target
// of each member that could deploy, and those of the whole stack.
func candidatesOf(f *stackFacts, sq uint8) uint8 {
	n := spans[f.kinds[0]&31][sq].wholeCandidates
	if f.size > 1 {
		n += spans[f.kinds[0]&31][sq].count + spans[f.kinds[1]&31][sq].count
		if f.size > 2 {
			n += spans[f.kinds[2]&31][sq].count
		}
	}
	return n
}
