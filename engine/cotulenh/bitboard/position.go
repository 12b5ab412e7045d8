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
	candidates      [256]uint8 // number of candidate steps of each stack, see runs.go
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
