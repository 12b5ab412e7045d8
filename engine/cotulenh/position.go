package cotulenh

import "selfplay/engine"

var _ engine.Counter = (*Position)(nil)

// Position is the state of a game with its history. It implements engine.Evaluator and
// engine.Counter. Make one with New, Clone or Assemble; the zero value is not
// usable. One goroutine owns a position: even queries use its scratch memory.
type Position struct {
	cells [256]Stack
	index [256]uint8 // index of the stack on a square in its side's list
	sides [2]sideState
	occ   [2]squareSet
	zones [2]zoneMap
	cover [2]coverage

	// candidatesKnown is false after Undo: searches play and undo many steps and draw none.
	candidatesKnown bool

	hash uint64
	turn uint8
	half uint32 // half-move clock; in a session already the value after commit
	full uint32

	session session

	log     []change   // every change of a cell, for Undo
	history []snapshot // one per step played

	// For repetition: the hashes at turn starts, and how many of them share their
	// low bits. The counter alone shows most positions to be new.
	turnHashes []uint64
	hashCounts [numHashCounts]uint16

	tally Tally

	scratch
}

// scratch is memory that a position reuses. Nothing in it outlives a call.
type scratch struct {
	moves           []engine.Move    // of random draws and ParseMove
	untested, noisy []engine.Move    // of Moves
	deployments     [4][]engine.Move // of legality tests, by depth of deployment
	generated       []engine.Move    // of generateAll
}

// sideState is what a position keeps of one side. The first n entries of the lists
// are in use.
type sideState struct {
	squares         [256]uint8 // squares of the stacks
	candidates      [256]uint8 // number of candidate steps of each if candidatesKnown, see candidate.go
	n               uint8      // number of stacks
	commander       uint8      // square of the commander, or NoSquare
	attacked        attack     // what is known of attacks on the commander
	candidatesTotal uint32     // sum of candidates if candidatesKnown
}

// attack is what is known of attacks on a commander.
type attack uint8

const (
	attackUnknown attack = 0
	noAttack      attack = 1
	groundAttack  attack = 2 // by a piece that air defense cannot stop, or a heroic air force
	airAttack     attack = 3 // only by air forces that air defense can stop
)

// numHashCounts is the number of repetition counters, a power of two.
const numHashCounts = 2048

// MaxClock is the largest value of a clock; a clock that reaches it stops.
const MaxClock = 65535

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

// At returns the stack on a square, Empty if the square is off the board.
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
		list[i] = Square(a.squares[i])
	}
	return list
}

// Commander returns the square of the stack that holds a side's commander.
func (p *Position) Commander(side engine.Side) (Square, bool) {
	sq := p.sides[side].commander
	return Square(sq), sq != NoSquare
}

// Clocks returns the half-move clock and the full-move number. In a session the
// half-move clock already has the value after commit.
func (p *Position) Clocks() (half, full uint16) { return uint16(p.half), uint16(p.full) }
