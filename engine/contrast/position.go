package contrast

import "selfplay/engine"

// Position is a game of Contrast. It implements engine.Evaluator, engine.Counter and
// engine.Reacher. Use New; the zero value is not a position.
type Position struct {
	engine.Defaults // no king, no captures

	hash   uint64
	pieces [2]set // of Black, of White
	tiles  [2]set // black, gray
	hands  [2]hand
	turn   uint8
	before bool // the variant

	cells [numPlaces]uint8 // codes 0 to 8, or wall

	// history has one entry per ply played. hashCounts counts the positions of the game by
	// the low bits of their hashes; a low count rules out most repetitions at once.
	history    []entry
	hashCounts [numHashCounts]uint32
}

// Cell codes are occupant*3 + tile: occupant 0 none, 1 Black, 2 White; tile 0 none,
// 1 black, 2 gray. Datasets use the same codes.
const (
	maxCode = 8
	wall    = 9
)

// Kinds of tiles, as in cell codes.
const (
	noTile    = 0
	blackTile = 1
	grayTile  = 2
)

// pieceCodes are what a side's piece adds to the code of its cell.
var pieceCodes = [2]uint8{3, 6}

// entry is one past position: its hash, the move played there, and what features.go needs
// to know of it.
type entry struct {
	hash  uint64
	move  engine.Move
	hands [2]hand
	tiles [2]uint8 // under the piece that moved: where it started, and where it went
}

// numHashCounts is the number of repetition counters, a power of two.
const numHashCounts = 256

// New returns a position at the start of the game, in the variant after.
func New() *Position { return newPosition(false) }

func newPosition(before bool) *Position {
	p := &Position{before: before}
	p.Reset()
	return p
}

// Reset returns to the start of the game. The variant stays.
func (p *Position) Reset() { p.arrange(&startArray, engine.First) }

// arrange sets up the position of a valid array and clears the history.
func (p *Position) arrange(a *[ArrayLen]uint8, turn engine.Side) {
	*p = Position{before: p.before, history: p.history[:0], turn: uint8(turn)}
	p.cells = bareBoard
	for cell, code := range a[:numCells] {
		sq := squareOf(uint8(cell))
		p.cells[sq&63] = code
		switch code / 3 {
		case 1:
			p.pieces[0] |= one(sq)
		case 2:
			p.pieces[1] |= one(sq)
		}
		switch code % 3 {
		case blackTile:
			p.tiles[0] |= one(sq)
		case grayTile:
			p.tiles[1] |= one(sq)
		}
	}
	p.hands = [2]hand{hand(a[25]) + hand(a[26])*oneGray, hand(a[27]) + hand(a[28])*oneGray}
	p.hash = p.computeHash()
	p.hashCounts[p.hash%numHashCounts] = 1
}

// bareBoard is a mailbox without pieces and tiles.
var bareBoard = func() (t [numPlaces]uint8) {
	for sq := range t {
		if !board.has(uint8(sq)) {
			t[sq] = wall
		}
	}
	return t
}()

// Turn returns the side to move.
func (p *Position) Turn() engine.Side { return engine.Side(p.turn) }

// empty returns the squares without a piece.
func (p *Position) empty() set { return board &^ (p.pieces[0] | p.pieces[1]) }

// bare returns the squares without a tile.
func (p *Position) bare() set { return board &^ (p.tiles[0] | p.tiles[1]) }

var _ interface {
	engine.Counter
	engine.Reacher
} = (*Position)(nil)
