package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

var (
	_ engine.Position  = (*Position)(nil)
	_ engine.Evaluator = (*Position)(nil)
)

// Position is the state of a game with its history. It implements engine.Position and
// engine.Evaluator. Make one with New or Clone; the zero value is not usable. One goroutine
// owns a position: even queries use its scratch memory.
type Position struct {
	engine.Defaults // Hangs and GivesCheck, as in package cotulenh

	sides  [2]sideState
	heroic Board               // squares with a heroic lead, of both sides
	cells  [256]cotulenh.Stack // the contents of stacks, by square
	index  [256]uint8          // index of the stack on a square in its side's list

	hash uint64
	turn uint8
	half uint32 // half-move clock; in a session already the value after commit
	full uint32

	session session

	log     []change   // every change of a cell, for Undo
	history []snapshot // one per step played

	// For repetition: the hashes at turn starts, and how many of them share their low bits.
	turnHashes []uint64
	hashCounts [numHashCounts]uint16

	tally cotulenh.Tally

	scratch
}

// scratch is memory that a position reuses. Nothing in it outlives a call.
type scratch struct {
	moves           []engine.Move    // of random draws and ParseMove
	untested, noisy []engine.Move    // of Moves
	deployments     [4][]engine.Move // of legality tests, by depth of deployment
	generated       []engine.Move    // of generateAll
	reader          *cotulenh.Position
}

// sideState is what a position keeps of one side: boards, and the list of its stacks. A
// bitboard engine needs no list to find its stacks; it is kept because both engines must
// list steps in the same order.
type sideState struct {
	occupied Board
	leads    [11]Board // squares of the leads by type

	commander       uint8  // square of the commander, or noSquare
	attacked        attack // what is known of attacks on the commander
	n               uint8  // number of stacks
	candidatesTotal uint32 // sum of candidates
	squares         [256]uint8
	candidates      [256]uint8 // number of candidate steps of each stack, see tables.go
}

// attack is what is known of attacks on a commander.
type attack uint8

const (
	attackUnknown attack = 0
	noAttack      attack = 1
	groundAttack  attack = 2 // by a piece that air defense cannot stop, or a heroic air force
	airAttack     attack = 3 // only by air forces that air defense can stop
)

const (
	noSquare      = uint8(cotulenh.NoSquare)
	numHashCounts = 2048 // repetition counters, a power of two
)

// New returns a position at the start of the game.
func New() *Position {
	p := new(Position)
	p.Reset()
	return p
}

// Clone returns an independent copy with the same history.
func (p *Position) Clone() *Position {
	q := new(Position)
	*q = *p
	q.log = append([]change(nil), p.log...)
	q.history = append([]snapshot(nil), p.history...)
	q.turnHashes = append([]uint64(nil), p.turnHashes...)
	q.scratch = scratch{}
	return q
}

// Turn returns the side to move.
func (p *Position) Turn() engine.Side { return engine.Side(p.turn) }

// Hash returns the Zobrist hash of cells, side to move and open session.
func (p *Position) Hash() uint64 { return p.hash }

// Occupied returns the squares of a side's stacks.
func (p *Position) Occupied(side engine.Side) Board { return p.sides[side&1].occupied }

// Leads returns the squares of a side's stacks with a lead of this type. Cargo is not in it.
func (p *Position) Leads(side engine.Side, t cotulenh.Type) Board { return p.sides[side&1].leads[t] }

// Heroic returns the squares of both sides' stacks with a heroic lead.
func (p *Position) Heroic() Board { return p.heroic }

// At returns the stack on a square, Empty if the square is off the board.
func (p *Position) At(sq cotulenh.Square) cotulenh.Stack { return p.cells[sq] }

// occupied returns the squares of all stacks.
func (p *Position) occupied() Board { return p.sides[0].occupied.Or(p.sides[1].occupied) }

// own and enemy return the state of the side to move and of the other one.
func (p *Position) own() *sideState   { return &p.sides[p.turn&1] }
func (p *Position) enemy() *sideState { return &p.sides[p.turn&1^1] }

// The functions here change cells together with everything derived from them: boards, lists,
// commanders, hash, tally, and what is known of attacks. They know no rules.

// set puts a stack, or Empty, on a square and logs the change.
func (p *Position) set(sq uint8, new cotulenh.Stack) {
	old := p.cells[sq]
	p.log = append(p.log, change{sq, p.index[sq], old, new})
	p.hash ^= cotulenh.CellKey(old, cotulenh.Square(sq)) ^ cotulenh.CellKey(new, cotulenh.Square(sq))
	was, is := &facts[old&511], &facts[new&511]
	p.forgetAttacks(sq)
	p.replace(sq, was, is, new)
	if was.side == is.side {
		p.sides[is.side&1].setCandidates(p.index[sq], candidatesOf(is, sq))
	} else {
		if was.side < noSide {
			p.unlist(was.side, sq)
		}
		if is.side < noSide {
			p.enlist(is.side, sq, candidatesOf(is, sq))
		}
	}
	if p.tally.Known() {
		p.tally.Replace(cotulenh.Square(sq), old, new)
	}
	if was.commander|is.commander != 0 {
		p.updateCommander(sq, was, is)
	}
	if was.level|is.level != 0 {
		p.sides[was.side&1].attacked = attackUnknown
		p.sides[is.side&1].attacked = attackUnknown
	}
}

// replace changes a cell and the boards.
func (p *Position) replace(sq uint8, was, is *stackFacts, new cotulenh.Stack) {
	p.cells[sq] = new
	bit := squareBoards[sq]
	if was.side < noSide {
		s := &p.sides[was.side&1]
		s.occupied = s.occupied.Xor(bit)
		s.leads[was.lead] = s.leads[was.lead].Xor(bit)
	}
	if is.side < noSide {
		s := &p.sides[is.side&1]
		s.occupied = s.occupied.Xor(bit)
		s.leads[is.lead] = s.leads[is.lead].Xor(bit)
	}
	if (was.heroic^is.heroic)&1 != 0 {
		p.heroic = p.heroic.Xor(bit)
	}
}

// moveStack moves a whole stack to an empty square and logs the change. The stack keeps its
// place in the list.
func (p *Position) moveStack(from, to uint8) {
	s := p.cells[from]
	p.log = append(p.log, change{from, to, s, moved})
	p.hash ^= cotulenh.CellKey(s, cotulenh.Square(from)) ^ cotulenh.CellKey(s, cotulenh.Square(to))
	p.forgetAttacks(from)
	p.forgetAttacks(to)
	f := &facts[s&511]
	p.relocate(f, from, to)
	if p.tally.Known() {
		p.tally.Move(s, cotulenh.Square(from), cotulenh.Square(to))
	}
	if f.level != 0 {
		p.sides[f.side&1].attacked = attackUnknown
	}
	if f.commander != 0 {
		p.sides[f.side&1].commander = to
		p.sides[f.side&1].attacked = attackUnknown
	}
}

// relocate moves a stack in cells, boards and list.
func (p *Position) relocate(f *stackFacts, from, to uint8) {
	s, both := &p.sides[f.side&1], squareBoards[from].Or(squareBoards[to])
	p.cells[to] = p.cells[from]
	p.cells[from] = cotulenh.Empty
	s.occupied = s.occupied.Xor(both)
	s.leads[f.lead] = s.leads[f.lead].Xor(both)
	if f.heroic&1 != 0 {
		p.heroic = p.heroic.Xor(both)
	}
	i := p.index[from]
	s.squares[i] = to
	p.index[to] = i
	s.setCandidates(i, candidatesOf(f, to))
}

// forgetAttacks marks the attacks on the commanders in range of a square as unknown.
func (p *Position) forgetAttacks(sq uint8) {
	if inAttackRange[sq-p.sides[0].commander] {
		p.sides[0].attacked = attackUnknown
	}
	if inAttackRange[sq-p.sides[1].commander] {
		p.sides[1].attacked = attackUnknown
	}
}

// updateCommander records that a commander left or entered a square.
func (p *Position) updateCommander(sq uint8, was, is *stackFacts) {
	if was.commander != 0 {
		p.sides[was.side&1].commander = noSquare
	}
	if is.commander != 0 {
		p.sides[is.side&1].commander = sq
		p.sides[is.side&1].attacked = attackUnknown
	}
}

// The list of a side's stacks. A removal moves the last entry, so the order depends on the
// steps played; Undo restores it.

// setCandidates changes the number of candidate steps of a listed stack.
func (s *sideState) setCandidates(i, n uint8) {
	s.candidatesTotal += uint32(n) - uint32(s.candidates[i])
	s.candidates[i] = n
}

// enlist appends a square to a side's list.
func (p *Position) enlist(side, sq, candidates uint8) {
	s := &p.sides[side&1]
	s.squares[s.n] = sq
	s.candidates[s.n] = candidates
	p.index[sq] = s.n
	s.n++
	s.candidatesTotal += uint32(candidates)
}

// unlist removes a square from a side's list; the last entry takes its place.
func (p *Position) unlist(side, sq uint8) {
	s := &p.sides[side&1]
	i := p.index[sq]
	s.n--
	s.candidatesTotal -= uint32(s.candidates[i])
	last := s.squares[s.n]
	s.squares[i] = last
	s.candidates[i] = s.candidates[s.n]
	p.index[last] = i
}

// relist is the inverse of unlist: the square gets its old place back, and the entry there
// returns to the end.
func (p *Position) relist(side, sq, i, candidates uint8) {
	s := &p.sides[side&1]
	if i != s.n {
		other := s.squares[i]
		s.squares[s.n] = other
		s.candidates[s.n] = s.candidates[i]
		p.index[other] = s.n
	}
	s.squares[i] = sq
	s.candidates[i] = candidates
	p.index[sq] = i
	s.n++
	s.candidatesTotal += uint32(candidates)
}
