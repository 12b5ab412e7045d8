package chess

import "selfplay/engine"

// Kinds of pieces, the low bits of a piece code.
const (
	pawn   = 1
	knight = 2
	bishop = 3
	rook   = 4
	queen  = 5
	king   = 6
)

// What stands on a square: nothing, a kind with the bit of its colour, or the
// border. The border has no colour bit, so a ray ends on it like on an own piece.
const (
	empty = 0
	white = 8
	black = 16
	wall  = 32

	kindBits = 7
)

// sideOf returns whose a piece is, 0 White, 1 Black.
func sideOf(piece uint8) uint8 { return piece >> 4 & 1 }

// colourOf returns the colour bit of a side's pieces.
func colourOf(side uint8) uint8 { return white << (side & 1) }

// Position is a game of chess at some ply. It implements engine.Position and
// engine.Counter.
type Position struct {
	board [256]uint8 // the mailbox

	// The same pieces as sets of cells, by kind and by side.
	kinds [8]uint64
	sides [2]uint64

	hash  uint64
	score score // of the pieces, if state has scoredBit
	state uint32

	ply    int     // moves to take back
	past   []entry // one a ply; what lies beyond ply is memory for later
	origin int     // plies from the start of the game to past[0], by the text

	list []engine.Move // scratch of random draws and of notation
}

// The state word holds all that is neither on the board nor in the hash. Do keeps
// the old one whole, and so takes back all of it at once.
const (
	rightsBits   = 15      // castling rights: 1 K, 2 Q, 4 k, 8 q
	passantBits  = 15 << 4 // 8|file of a legal en passant capture, else 0
	passantShift = 4
	turnBit      = 1 << 8
	scoredBit    = 1 << 9  // somebody asked for the score, and it is kept since
	clockUnit    = 1 << 16 // half-move clock, on top so that nothing lies beyond it
	clockShift   = 16
	scoredShift  = whatShift - 9 // from scoredBit to what makes a move special
)

// maxHalf and maxFull are the largest clocks of a text; what goes on to count
// beyond is written as that.
const (
	maxHalf = 255
	maxFull = 65535
)

// entry is what Undo needs of a move: 24 bytes.
type entry struct {
	hash  uint64
	state uint32
	move  engine.Move
	score score // if state has scoredBit
}

// New returns a position at the start of the game.
func New() *Position {
	p := new(Position)
	p.Reset()
	return p
}

// clear empties the board and forgets everything but memory.
func (p *Position) clear() {
	*p = Position{past: p.past, list: p.list}
	for sq := range p.board {
		p.board[sq] = wall
	}
	for _, sq := range mailbox64 {
		p.board[sq] = empty
	}
}

// put stands a piece on an empty square. The hash is the caller's.
func (p *Position) put(piece, sq uint8) {
	p.board[sq] = piece
	p.sides[sideOf(piece)] |= bit[sq]
	p.kinds[piece&kindBits] |= bit[sq]
}

// lift takes a piece off its square.
func (p *Position) lift(piece, sq uint8) {
	p.board[sq] = empty
	p.sides[sideOf(piece)] &^= bit[sq]
	p.kinds[piece&kindBits] &^= bit[sq]
}

// turn returns the side to move.
func (p *Position) turn() uint8 { return uint8(p.state >> 8 & 1) }

// half returns the half-move clock, which no text bounds here.
func (p *Position) half() int { return int(p.state >> clockShift) }

// occupied returns the cells that are not empty.
func (p *Position) occupied() uint64 { return p.sides[0] | p.sides[1] }

// kingCell returns the cell of a side's king.
func (p *Position) kingCell(side uint8) int { return first(p.kinds[king] & p.sides[side&1]) }

// Turn returns the side that decides now.
func (p *Position) Turn() engine.Side { return engine.Side(p.turn()) }

// Castling returns the castling rights: 1 K, 2 Q, 4 k, 8 q.
func (p *Position) Castling() uint8 { return uint8(p.state & rightsBits) }

// EnPassant returns the file, 0 to 7, on which a pawn can be taken en passant;
// false if no such capture is legal.
func (p *Position) EnPassant() (file int, ok bool) {
	e := p.state >> passantShift
	return int(e & 7), e&8 != 0
}

// HalfMove returns the half-move clock, 255 if it is more.
func (p *Position) HalfMove() uint8 { return uint8(min(p.half(), maxHalf)) }

// FullMove returns the number of the full move, 65535 if it is more.
func (p *Position) FullMove() uint16 { return uint16(min((p.origin+p.ply)/2+1, maxFull)) }

var _ engine.Counter = (*Position)(nil)
