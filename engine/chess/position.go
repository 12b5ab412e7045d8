package chess

import "selfplay/engine"

// Kinds of pieces: the low three bits of a piece code.
const (
	pawn   = 1
	knight = 2
	bishop = 3
	rook   = 4
	queen  = 5
	king   = 6
)

// Codes of squares: empty, wall, or a kind of piece with its colour bit. The border
// has no colour bit, so a ray stops at it as at an own piece.
const (
	empty = 0
	white = 8
	black = 16
	wall  = 32

	kindBits = 7
)

// sideOf returns the side of a piece: 0 White, 1 Black.
func sideOf(piece uint8) uint8 { return piece >> 4 & 1 }

// colourOf returns the colour bit of a side's pieces.
func colourOf(side uint8) uint8 { return white << (side & 1) }

// Position is a game of chess. It implements engine.Evaluator, engine.Counter and
// engine.Algebraic. Use New; the zero value is not a position, but Set and Reset make
// it one.
type Position struct {
	board [256]uint8 // the mailbox

	// The same pieces as sets of cells.
	kinds [8]uint64
	sides [2]uint64

	hash  uint64
	score score // valid if state has scoredBit
	state uint32

	ply      int     // plies played since Set or Reset
	history  []entry // one entry per ply; entries from ply on are spare memory
	startPly int     // plies before history[0], from the full-move number of the text

	structures [structureCount]structure // the table of structureHere

	list []engine.Move // scratch of DoRandom, Count and SAN
}

// The state word holds everything that is neither on the board nor in the hash. Do
// saves it whole, so Undo restores all of it at once.
const (
	rightsBits   = 15      // castling rights: 1 K, 2 Q, 4 k, 8 q
	passantBits  = 15 << 4 // 8 | file of a legal en passant capture, else 0
	passantShift = 4
	turnBit      = 1 << 8
	scoredBit    = 1 << 9  // Evaluate was called; score is kept up to date
	clockUnit    = 1 << 16 // one on the half-move clock, in the top bits so that it cannot overflow into others
	clockShift   = 16
	scoredShift  = specialShift - 9 // moves scoredBit to specialShift of a move
)

// maxHalf and maxFull are the largest clock values in a text. Larger values are
// written as the maximum.
const (
	maxHalf = 255
	maxFull = 65535
)

// entry is what Undo needs of one ply: 24 bytes.
type entry struct {
	hash  uint64
	state uint32
	move  engine.Move
	score score // valid if state has scoredBit
}

// New returns a position at the start of the game.
func New() *Position {
	p := new(Position)
	p.Reset()
	return p
}

// Reset returns to the start of the game.
func (p *Position) Reset() { p.copyFrom(startPosition) }

// startPosition is the template that Reset copies.
var startPosition = func() *Position {
	p := new(Position)
	if err := p.parse(StartText); err != nil {
		panic(err)
	}
	return p
}()

// copyFrom copies q, which has no history, and keeps p's memory.
func (p *Position) copyFrom(q *Position) {
	history, list := p.history, p.list
	*p = *q
	p.history, p.list = history, list
}

// clear empties the board and all state but keeps memory.
func (p *Position) clear() {
	*p = Position{history: p.history, list: p.list}
	for sq := range p.board {
		p.board[sq] = wall
	}
	for _, sq := range mailbox64 {
		p.board[sq] = empty
	}
}

// put places a piece on an empty square. It does not update hash and score.
func (p *Position) put(piece, sq uint8) {
	p.board[sq] = piece
	p.sides[sideOf(piece)] |= bit[sq]
	p.kinds[piece&kindBits] |= bit[sq]
}

// remove removes a piece from its square. It does not update hash and score.
func (p *Position) remove(piece, sq uint8) {
	p.board[sq] = empty
	p.sides[sideOf(piece)] &^= bit[sq]
	p.kinds[piece&kindBits] &^= bit[sq]
}

// turn returns the side to move.
func (p *Position) turn() uint8 { return uint8(p.state >> 8 & 1) }

// half returns the half-move clock without the cap of texts.
func (p *Position) half() int { return int(p.state >> clockShift) }

// occupied returns the cells that hold a piece.
func (p *Position) occupied() uint64 { return p.sides[0] | p.sides[1] }

// kingCell returns the cell of a side's king.
func (p *Position) kingCell(side uint8) int { return firstCell(p.kinds[king] & p.sides[side&1]) }

// Turn returns the side to move.
func (p *Position) Turn() engine.Side { return engine.Side(p.turn()) }

// Castling returns the castling rights as bits: 1 K, 2 Q, 4 k, 8 q.
func (p *Position) Castling() uint8 { return uint8(p.state & rightsBits) }

// EnPassant returns the file, 0 to 7, of a legal en passant capture; ok is false if
// there is none.
func (p *Position) EnPassant() (file int, ok bool) {
	e := p.state >> passantShift
	return int(e & 7), e&8 != 0
}

// HalfMove returns the half-move clock in plies, at most 255.
func (p *Position) HalfMove() uint8 { return uint8(min(p.half(), maxHalf)) }

// FullMove returns the full-move number, at most 65535.
func (p *Position) FullMove() uint16 { return uint16(min((p.startPly+p.ply)/2+1, maxFull)) }

var _ engine.Counter = (*Position)(nil)
