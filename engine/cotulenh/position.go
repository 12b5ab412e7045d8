package cotulenh

import "selfplay/engine"

// Position is a game of Cờ Tư Lệnh at some step. It implements engine.Position.
type Position struct {
	cells [256]Stack
	index [256]uint8 // place of the stack on a square in its side's list
	sides [2]army
	occ   [2]squareSet
	zones [2]zoneMap

	hash uint64
	turn uint8
	half uint32 // half-move clock; in a session already as commit will leave it
	full uint32

	session session

	log  []change // every change of a cell, for Undo
	past []moment // one a step played

	// Hashes of the positions at turn starts, for repetition, and how many of
	// them share their low bits: most positions are told to be new by that alone.
	turns []uint64
	seen  [seenSize]uint16

	tally tally

	scratch
}

// scratch is memory that a position reuses; nothing in it outlives a call.
type scratch struct {
	list            []engine.Move    // of random draws and parsed moves
	doubtful, sharp []engine.Move    // of Moves
	steps           [4][]engine.Move // of legality tests, one a level of deployment
	mixed           []engine.Move    // of generateAll
}

// army is what a position keeps of one side.
type army struct {
	list      [256]uint8 // squares of the stacks
	tickets   [256]uint8 // tickets of each, see random.go
	n         uint8      // stacks
	commander uint8      // its square, or noSquare
	attacked  attack     // what is known of attacks on it
	total     uint32     // sum of tickets
}

// attack is what is known of attacks on a commander.
type attack uint8

const (
	unknown   attack = 0
	unharmed  attack = 1
	byGround  attack = 2 // by something that air defense cannot stop
	byAirOnly attack = 3
)

// seenSize is the number of repetition counters, a power of two.
const seenSize = 2048

// maxClock is the largest clock a text may hold; a clock stops there.
const maxClock = 65535

// change is one entry of the log: a cell that held old holds new. A slide of a
// whole stack to an empty square is one entry with the square it went to in slot
// and dead in new; else slot is the list place of what left.
type change struct {
	sq, slot uint8
	old, new Stack
}

// moment is what Undo restores besides the cells.
type moment struct {
	hash       uint64
	log        int32
	half, full uint32
	commander  [2]uint8
	attacked   [2]attack
	session    session
	turn       uint8
}

// New returns a position at the start of the game.
func New() *Position {
	p := new(Position)
	p.Reset()
	return p
}

// clear makes the board empty and forgets everything but memory.
func (p *Position) clear() {
	*p = Position{log: p.log[:0], past: p.past[:0], turns: p.turns[:0], scratch: p.scratch}
	for sq := range p.cells {
		p.cells[sq] = dead
	}
	for _, sq := range boardSquares {
		p.cells[sq] = Empty
	}
	p.sides[0].commander = noSquare
	p.sides[1].commander = noSquare
	p.session = noSession
	p.full = 1
}

// begin starts the history at the position as it stands.
func (p *Position) begin() {
	p.log = p.log[:0]
	p.past = p.past[:0]
	p.turns = p.turns[:0]
	clear(p.seen[:])
	p.hash = p.freshHash()
	if !p.session.open() {
		p.pushTurn()
	}
}

// Clone returns an independent copy.
func (p *Position) Clone() *Position {
	q := new(Position)
	*q = *p
	q.log = append([]change(nil), p.log...)
	q.past = append([]moment(nil), p.past...)
	q.turns = append([]uint64(nil), p.turns...)
	q.scratch = scratch{}
	return q
}

// Turn returns the side that decides now.
func (p *Position) Turn() engine.Side { return engine.Side(p.turn) }

// At returns what stands on a square; Empty beyond the board.
func (p *Position) At(s Square) Stack {
	if !s.Valid() {
		return Empty
	}
	return p.cells[s]
}

// Pieces returns the squares of a side's stacks in list order.
func (p *Position) Pieces(side engine.Side) []Square {
	a := &p.sides[side]
	list := make([]Square, a.n)
	for i := range list {
		list[i] = Square(a.list[i])
	}
	return list
}

// Commander returns the square of the stack that holds a side's commander.
func (p *Position) Commander(side engine.Side) (Square, bool) {
	sq := p.sides[side].commander
	return Square(sq), sq != noSquare
}

// set puts a stack, or nothing, on a square and logs the change. It keeps lists,
// tickets, occupancy, zones, commanders and hash; it does not know the rules.
func (p *Position) set(sq uint8, new Stack) {
	old := p.cells[sq]
	p.log = append(p.log, change{sq, p.index[sq], old, new})
	p.cells[sq] = new
	was, is := &infos[old&511], &infos[new&511]
	p.hash ^= cellKey(old, sq) ^ cellKey(new, sq)
	p.touch(sq)
	if was.side == is.side {
		a := &p.sides[is.side&1]
		slot := p.index[sq]
		t := ticketsOf(is, sq)
		a.total += uint32(t) - uint32(a.tickets[slot])
		a.tickets[slot] = t
	} else {
		if was.side < sideNone {
			p.unlist(was.side, sq)
		}
		if is.side < sideNone {
			p.enlist(is.side, sq, ticketsOf(is, sq))
		}
	}
	if p.tally.known {
		p.tally.turn(sq, was, is, old, new)
	}
	if was.level|is.level != 0 {
		p.rezone(sq, was, is)
	}
	if was.commander|is.commander != 0 {
		p.crown(sq, was, is)
	}
}

// slide moves a whole stack to an empty square; it keeps its place in the list.
func (p *Position) slide(from, to uint8) {
	s := p.cells[from]
	p.log = append(p.log, change{from, to, s, dead})
	p.hash ^= cellKey(s, from) ^ cellKey(s, to)
	p.touch(from)
	p.touch(to)
	in := &infos[s&511]
	a := &p.sides[in.side&1]
	slot := p.index[from]
	p.relocate(in, from, to)
	t := ticketsOf(in, to)
	a.total += uint32(t) - uint32(a.tickets[slot])
	a.tickets[slot] = t
	if p.tally.known {
		p.tally.shift(in.side, s, from, to)
	}
	if in.level != 0 {
		z := &p.zones[in.side&1]
		z.remove(from, in.level)
		z.add(to, in.level)
		a.attacked = unknown
	}
	if in.commander != 0 {
		a.commander = to
		a.attacked = unknown
	}
}

// relocate is the part of a slide that Undo plays backwards.
func (p *Position) relocate(in *stackInfo, from, to uint8) {
	a := &p.sides[in.side&1]
	slot := p.index[from]
	a.list[slot] = to
	p.index[to] = slot
	p.cells[to] = p.cells[from]
	p.cells[from] = Empty
	occ := &p.occ[in.side&1]
	occ[from>>6&3] &^= 1 << (from & 63)
	occ[to>>6&3] |= 1 << (to & 63)
}

// touch forgets what is known of attacks on a commander that sees the square.
func (p *Position) touch(sq uint8) {
	if inStar[sq-p.sides[0].commander] {
		p.sides[0].attacked = unknown
	}
	if inStar[sq-p.sides[1].commander] {
		p.sides[1].attacked = unknown
	}
}

// rezone replaces the zone a square's old stack provided by its new one's.
func (p *Position) rezone(sq uint8, was, is *stackInfo) {
	if was.level == is.level && was.side == is.side {
		return
	}
	if was.level != 0 {
		p.zones[was.side&1].remove(sq, was.level)
		p.sides[was.side&1].attacked = unknown
	}
	if is.level != 0 {
		p.zones[is.side&1].add(sq, is.level)
		p.sides[is.side&1].attacked = unknown
	}
}

// crown follows a commander that left or came to a square.
func (p *Position) crown(sq uint8, was, is *stackInfo) {
	if was.commander != 0 {
		p.sides[was.side&1].commander = noSquare
	}
	if is.commander != 0 {
		p.sides[is.side&1].commander = sq
		p.sides[is.side&1].attacked = unknown
	}
}

// enlist appends a square to a side's list.
func (p *Position) enlist(side, sq, tickets uint8) {
	a := &p.sides[side&1]
	a.list[a.n] = sq
	a.tickets[a.n] = tickets
	p.index[sq] = a.n
	a.n++
	a.total += uint32(tickets)
	p.occ[side&1][sq>>6&3] |= 1 << (sq & 63)
}

// unlist takes a square out of a side's list; the last one takes its place.
func (p *Position) unlist(side, sq uint8) {
	a := &p.sides[side&1]
	slot := p.index[sq]
	a.n--
	a.total -= uint32(a.tickets[slot])
	last := a.list[a.n]
	a.list[slot] = last
	a.tickets[slot] = a.tickets[a.n]
	p.index[last] = slot
	p.occ[side&1][sq>>6&3] &^= 1 << (sq & 63)
}

// revert plays the log backwards down to length n. Commanders, hash and what is
// known of attacks are the caller's to restore.
func (p *Position) revert(n int) {
	for len(p.log) > n {
		c := p.log[len(p.log)-1]
		p.log = p.log[:len(p.log)-1]
		if c.new == dead {
			p.unslide(c)
		} else {
			p.unset(c)
		}
	}
}

func (p *Position) unslide(c change) {
	from, to := c.sq, c.slot
	in := &infos[c.old&511]
	a := &p.sides[in.side&1]
	p.relocate(in, to, from)
	slot := p.index[from]
	t := ticketsOf(in, from)
	a.total += uint32(t) - uint32(a.tickets[slot])
	a.tickets[slot] = t
	if p.tally.known {
		p.tally.shift(in.side, c.old, to, from)
	}
	if in.level != 0 {
		p.zones[in.side&1].remove(to, in.level)
		p.zones[in.side&1].add(from, in.level)
	}
}

func (p *Position) unset(c change) {
	sq := c.sq
	was, is := &infos[c.old&511], &infos[c.new&511]
	p.cells[sq] = c.old
	if p.tally.known {
		p.tally.turn(sq, is, was, c.new, c.old)
	}
	if was.side == is.side {
		a := &p.sides[was.side&1]
		slot := p.index[sq]
		t := ticketsOf(was, sq)
		a.total += uint32(t) - uint32(a.tickets[slot])
		a.tickets[slot] = t
	} else {
		if is.side < sideNone {
			p.unlist(is.side, sq) // it came last, so this only drops it
		}
		if was.side < sideNone {
			p.relist(was.side, sq, c.slot, ticketsOf(was, sq))
		}
	}
	if was.level != is.level || was.side != is.side {
		if is.level != 0 {
			p.zones[is.side&1].remove(sq, is.level)
		}
		if was.level != 0 {
			p.zones[was.side&1].add(sq, was.level)
		}
	}
}

// relist is the inverse of unlist: the square takes its old place and what took
// that goes back to the end.
func (p *Position) relist(side, sq, slot, tickets uint8) {
	a := &p.sides[side&1]
	if slot != a.n {
		moved := a.list[slot]
		a.list[a.n] = moved
		a.tickets[a.n] = a.tickets[slot]
		p.index[moved] = a.n
	}
	a.list[slot] = sq
	a.tickets[slot] = tickets
	p.index[sq] = slot
	a.n++
	a.total += uint32(tickets)
	p.occ[side&1][sq>>6&3] |= 1 << (sq & 63)
}

// save remembers what revert does not.
func (p *Position) save() moment {
	return moment{
		hash: p.hash, log: int32(len(p.log)), half: p.half, full: p.full,
		commander: [2]uint8{p.sides[0].commander, p.sides[1].commander},
		attacked:  [2]attack{p.sides[0].attacked, p.sides[1].attacked},
		session:   p.session, turn: p.turn,
	}
}

// restore goes back to a saved moment.
func (p *Position) restore(m *moment) {
	p.revert(int(m.log))
	p.hash, p.half, p.full, p.session, p.turn = m.hash, m.half, m.full, m.session, m.turn
	p.sides[0].commander, p.sides[1].commander = m.commander[0], m.commander[1]
	p.sides[0].attacked, p.sides[1].attacked = m.attacked[0], m.attacked[1]
}
