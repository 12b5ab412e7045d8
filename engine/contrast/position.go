package contrast

import "selfplay/engine"

// Position is a game of Contrast at some ply. It implements engine.Position. The
// zero value is no position; see New.
type Position struct {
	hash   uint64
	pieces [2]set // of Black, of White
	tiles  [2]set // black, gray
	hands  [2]hand
	turn   uint8
	before bool // the dialect

	cells [numPlaces]uint8 // codes 0 to 8; wall

	// past has one entry a ply played. seen counts the positions of the game by the
	// low bits of their hashes; most are told to be new by that alone.
	past []moment
	seen [seenSize]uint32
}

// Codes of cells are occupant*3 + tile: occupant 0 none, 1 Black, 2 White; tile 0
// none, 1 black, 2 gray. They are the datasets' codes.
const (
	maxCode = 8
	wall    = 9
)

// Kinds of tiles, as in codes.
const (
	noTile    = 0
	blackTile = 1
	grayTile  = 2
)

// pieceCodes are what the pieces of the sides add to the code of their cell.
var pieceCodes = [2]uint8{3, 6}

// moment is a position of the past: its hash, and the move that was played there.
type moment struct {
	hash uint64
	move engine.Move
}

// seenSize is the number of counters of seen, a power of two.
const seenSize = 256

// hand is the tiles a player has left: the black ones, 0 to 3, and 4 for a gray.
type hand uint8

const (
	oneBlack hand = 1
	oneGray  hand = 4
)

// tileIn is what a tile of a kind is in a hand.
var tileIn = [4]hand{blackTile: oneBlack, grayTile: oneGray}

func (h hand) black() uint8 { return uint8(h & 3) }
func (h hand) gray() uint8  { return uint8(h >> 2) }

// holds reports whether there is a tile of that kind.
func (h hand) holds(kind uint8) bool {
	if kind == grayTile {
		return h.gray() > 0
	}
	return h.black() > 0
}

// choices are the kinds of tiles in a hand.
type choices struct {
	n     uint32
	kinds [2]uint8
}

var choicesOf = func() (t [8]choices) {
	for h := range t {
		c := &t[h]
		if hand(h).black() > 0 {
			c.kinds[c.n&1] = blackTile
			c.n++
		}
		if hand(h).gray() > 0 {
			c.kinds[c.n&1] = grayTile
			c.n++
		}
	}
	return t
}()

// choices returns the kinds of tiles that the side to move may lay.
func (p *Position) choices() *choices { return &choicesOf[p.hands[p.turn&1]&7] }

// New returns a position at the start of the game, in the dialect after.
func New() *Position { return newPosition(false) }

func newPosition(before bool) *Position {
	p := &Position{before: before}
	p.Reset()
	return p
}

// Reset goes back to the start of the game. The dialect stays.
func (p *Position) Reset() { p.arrange(&startArray, engine.First) }

// arrange sets the position up from a valid array and forgets the history.
func (p *Position) arrange(a *[ArrayLen]uint8, turn engine.Side) {
	*p = Position{before: p.before, past: p.past[:0], turn: uint8(turn)}
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
	p.hash = p.freshHash()
	p.seen[p.hash%seenSize] = 1
}

// bareBoard is a mailbox with nothing on it.
var bareBoard = func() (t [numPlaces]uint8) {
	for sq := range t {
		if !board.has(uint8(sq)) {
			t[sq] = wall
		}
	}
	return t
}()

// Turn returns the side that moves now.
func (p *Position) Turn() engine.Side { return engine.Side(p.turn) }

// Check reports false: nothing is attacked in this game.
func (p *Position) Check() bool { return false }

// empty returns the squares without a piece.
func (p *Position) empty() set { return board &^ (p.pieces[0] | p.pieces[1]) }

// bare returns the squares without a tile.
func (p *Position) bare() set { return board &^ (p.tiles[0] | p.tiles[1]) }

// Do plays a move that Moves lists.
func (p *Position) Do(m engine.Move) {
	p.past = append(p.past, moment{p.hash, m})
	side, from, to := p.turn&1, fromOf(m), toOf(m)
	man := pieceCodes[side]
	p.pieces[side] ^= one(from) | one(to)
	p.cells[from&63] -= man
	p.cells[to&63] += man
	h := p.hash ^ pieceKeys[side][from&63] ^ pieceKeys[side][to&63] ^ sideKey
	if lays(m) {
		kind, at := kindOf(m), placeOf(m)
		h ^= tileKeys[(kind-1)&1][at&63] ^ handKeys[p.handsIndex()]
		p.tiles[(kind-1)&1] ^= one(at)
		p.cells[at&63] += kind
		p.hands[side] -= tileIn[kind&3]
		h ^= handKeys[p.handsIndex()]
	}
	p.turn ^= 1
	p.hash = h
	p.seen[h%seenSize]++
}

// Undo takes back the last move. It panics if there is none.
func (p *Position) Undo() {
	last := len(p.past) - 1
	was := p.past[last]
	p.past = p.past[:last]
	p.seen[p.hash%seenSize]--
	p.turn ^= 1
	m := was.move
	side, from, to := p.turn&1, fromOf(m), toOf(m)
	if lays(m) {
		kind, at := kindOf(m), placeOf(m)
		p.tiles[(kind-1)&1] ^= one(at)
		p.cells[at&63] -= kind
		p.hands[side] += tileIn[kind&3]
	}
	man := pieceCodes[side]
	p.pieces[side] ^= one(from) | one(to)
	p.cells[from&63] += man
	p.cells[to&63] -= man
	p.hash = was.hash
}

var _ interface {
	engine.Counter
	engine.Reacher
} = (*Position)(nil)
