package cotulenh

import (
	"encoding/binary"
	"fmt"
	"slices"

	"selfplay/engine"
)

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

	tally  Tally
	leaves [keptSlots]leafSums    // by plies
	kept   [keptSlots]keptThreats // by plies

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
	candidates      [256]uint8 // number of candidate steps of each if candidatesKnown, see candidatesOf
	n               uint8      // number of stacks
	commander       uint8      // square of the commander, or NoSquare
	attacked        attack     // what is known of attacks on the commander
	candidatesTotal uint32     // sum of candidates if candidatesKnown
}

// leafSums is what the static scores after the quiet steps of a position have in common. The zero
// value is that of no position and answers nothing.
type leafSums struct {
	hash       uint64 // of the position
	usable     bool   // some step may be answered
	own, enemy uint8  // the squares of the commanders
	kind       uint8  // what the enemy commander is as a target
	stacks     uint8  // number of own stacks
	airForces  int    // of the enemy, that air defense can stop
	safety     phased // of the own commander
	mid, late  int    // the strength and safety of the side to move, minus those of the other side
	left       int    // the material left
}

// threats describes how a step could put the own commander in danger.
type threats struct {
	blockers         squareSet // own and enemy stacks that alone block an attack on the commander or the line to the enemy commander
	testAll          bool      // the commander is in danger now, or promotionPending: no step is surely legal
	fewEnemies       bool      // a capture could leave the enemy a last guard, which is promoted
	airNear          bool      // an air force that air defense can stop has the commander in range
	promotionPending bool      // any step may promote: a last guard waits, or the enemy commander is attacked already
	groundAttack     bool      // the commander is attacked, and air defense cannot stop it
	evasions         squareSet // if groundAttack: where a step must go to end it, unless it moves or joins the commander
}

// keptThreats are the threats of a position that was searched.
type keptThreats struct {
	hash  uint64
	known bool
	threats
}

// keptSlots is the number of positions whose sums and threats are kept: those of a path in a search.
const keptSlots = 8

// attack is what is known of attacks on a commander.
type attack uint8

const (
	attackUnknown attack = 0
	noAttack      attack = 1
	groundAttack  attack = 2 // by a piece that air defense cannot stop, or a heroic air force
	airAttack     attack = 3 // only by air forces that air defense can stop
)

// session is an open deployment. It holds only what the rest of the turn depends on.
type session struct {
	origin uint8    // square of the deploying stack, NoSquare if no session is open
	rest   uint8    // slots of the stack now on origin that may still deploy
	landed [2]uint8 // squares where members landed, in order; NoSquare if fewer
}

var noSession = session{origin: NoSquare, landed: [2]uint8{NoSquare, NoSquare}}

func (s *session) open() bool { return s.origin != NoSquare }

// severalLeft reports whether more than one member may still deploy.
func (s *session) severalLeft() bool { return s.rest&(s.rest-1) != 0 }

// drop removes a slot from rest; higher slots move down by one.
func (s *session) drop(slot uint8) {
	below := uint8(1)<<slot - 1
	s.rest = s.rest&below | s.rest>>1&^below
}

// land records that a member landed on a square. Each square is recorded once.
func (s *session) land(sq uint8) {
	for i, l := range s.landed {
		if l == sq {
			return
		}
		if l == NoSquare {
			s.landed[i] = sq
			return
		}
	}
}

// key returns the Zobrist key of the session, 0 if none is open.
func (s *session) key() uint64 { return SessionKey(Square(s.origin), s.rest, s.landed) }

// change is one entry of the log: the cell sq changed from old to new, and index is the
// index that old had in its side's list. A whole stack that moved to an empty square
// takes a single entry: new is dead, and index is the square entered.
type change struct {
	sq, index uint8
	old, new  Stack
}

// snapshot is what Undo restores besides the cells.
type snapshot struct {
	hash       uint64
	log        int32 // length of the log
	half, full uint32
	commander  [2]uint8
	attacked   [2]attack
	session    session
	turn       uint8
}

// numHashCounts is the number of repetition counters, a power of two.
const numHashCounts = 2048

// MaxClock is the largest value of a clock; a clock that reaches it stops.
const MaxClock = 65535

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

// FullMove returns the full-move number.
func (p *Position) FullMove() uint16 { return uint16(p.full) }

// Session returns the origin of the open session. The origin means nothing if open
// is false.
func (p *Position) Session() (origin Square, open bool) {
	return Square(p.session.origin), p.session.open()
}

// Rest returns the slots of the stack on the session's origin that may still deploy:
// bit k for slot k.
func (p *Position) Rest() uint8 { return p.session.rest }

// Landed returns the n squares where members of the session landed, in order.
func (p *Position) Landed() (list [2]Square, n int) {
	for _, sq := range p.session.landed {
		if sq != NoSquare {
			list[n] = Square(sq)
			n++
		}
	}
	return list, n
}

// Hash returns the Zobrist hash of cells, side to move and open session.
func (p *Position) Hash() uint64 { return p.hash }

// clearBetween reports whether the first n-1 squares after from are empty.
func (p *Position) clearBetween(from, dir, n uint8) bool {
	for n--; n > 0; n-- {
		from += dir
		if p.cells[from] != Empty {
			return false
		}
	}
	return true
}

// Zobrist keys are computed instead of stored. A table over 285 codes and 192
// squares would take half a megabyte of cache; a key costs two multiplications.

// Keys of cells, side and session differ in the bits above the code and the square.
const (
	keyCell    = 1 << 32
	keySide    = 2 << 32
	keySession = 3 << 32
)

var sideKey = engine.Mix(keySide)

// SideKey returns the Zobrist key of blue to move.
func SideKey() uint64 { return sideKey }

// CellKey returns the key of a stack on a square, 0 for Empty.
func CellKey(s Stack, sq Square) uint64 {
	if s == Empty {
		return 0
	}
	return engine.Mix(keyCell | uint64(s)<<8 | uint64(sq))
}

// SessionKey returns the key of an open session, 0 if origin is NoSquare.
func SessionKey(origin Square, rest uint8, landed [2]uint8) uint64 {
	if origin == NoSquare {
		return 0
	}
	return engine.Mix(keySession | uint64(origin)<<24 | uint64(rest)<<16 | uint64(landed[0])<<8 | uint64(landed[1]))
}

// Parts is a position as the numbers that a dataset stores.
type Parts struct {
	Cells    [numCells]Stack // row by row from a12
	Turn     engine.Side
	HalfMove uint16 // in a session the value after commit
	FullMove uint16
	Origin   int    // cell of the open session's origin, -1 if none is open
	Rest     uint8  // slots of the stack on Origin that may still deploy
	Landed   [2]int // cells where members landed, -1 if fewer
}

// Parts returns the position as numbers.
func (p *Position) Parts() Parts {
	a := Parts{Turn: p.Turn(), HalfMove: uint16(p.half), FullMove: uint16(p.full), Origin: -1, Landed: [2]int{-1, -1}}
	for cell, sq := range boardSquares {
		a.Cells[cell] = p.cells[sq]
	}
	if p.session.open() {
		a.Origin, a.Rest = Square(p.session.origin).Cell(), p.session.rest
		list, n := p.Landed()
		for i := range n {
			a.Landed[i] = list[i].Cell()
		}
	}
	return a
}

// String returns the canonical text of the position that the parts describe. It does not
// check them.
func (a *Parts) String() string {
	p := Position{turn: uint8(a.Turn), half: uint32(a.HalfMove), full: uint32(a.FullMove), session: noSession}
	for cell, sq := range boardSquares {
		p.cells[sq] = a.Cells[cell]
	}
	if a.Origin >= 0 {
		p.session.origin, p.session.rest = uint8(SquareOfCell(a.Origin)), a.Rest
		for i, cell := range a.Landed {
			if cell >= 0 {
				p.session.landed[i] = uint8(SquareOfCell(cell))
			}
		}
	}
	return p.String()
}

// Assemble returns the position that the parts describe. It returns an error if no
// valid position text describes them.
func Assemble(a *Parts) (*Position, error) {
	for cell, s := range a.Cells {
		if s >= NumStacks {
			return nil, fmt.Errorf("assemble position: %v holds unknown stack code %d: want 0 to %d", SquareOfCell(cell), s, NumStacks-1)
		}
	}
	// Reading the text checks everything that the numbers cannot express.
	p := new(Position)
	if err := p.Set(a.String()); err != nil {
		return nil, fmt.Errorf("assemble position: %w", err)
	}
	return p, nil
}

// AppendCells appends the stack codes of the 132 cells to dst, row by row from a12, as
// little-endian uint16: 264 bytes.
func (p *Position) AppendCells(dst []byte) []byte { return AppendCells(dst, &p.cells) }

// AppendCells is Position.AppendCells for an array of stacks by square.
func AppendCells(dst []byte, cells *[256]Stack) []byte {
	const width = 2 * files
	start := len(dst)
	dst = slices.Grow(dst, ranks*width)[:start+ranks*width]
	for rank := range ranks {
		row, out := cells[rank<<4:][:files], dst[start+rank*width:][:width]
		binary.LittleEndian.PutUint64(out[0:], fourCells(row[0:4]))
		binary.LittleEndian.PutUint64(out[8:], fourCells(row[4:8]))
		binary.LittleEndian.PutUint32(out[16:], uint32(row[8])|uint32(row[9])<<16)
		binary.LittleEndian.PutUint16(out[20:], uint16(row[10]))
	}
	return dst
}

// fourCells packs four codes, the first in the low bits.
func fourCells(s []Stack) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<16 | uint64(s[2])<<32 | uint64(s[3])<<48
}
