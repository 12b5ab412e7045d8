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

// Zobrist keys: for each square a piece of either side and a tile of either kind, for
// each content of both hands, and for the side to move. The tables take 2.5 kB.
var (
	pieceKeys = squareKeys(1)
	tileKeys  = squareKeys(3)
	handKeys  = func() (t [64]uint64) {
		for i := range t {
			t[i] = engine.Mix(5<<32 | uint64(i))
		}
		return t
	}()
	sideKey = engine.Mix(6 << 32)
)

// squareKeys returns two tables over the squares, of key classes class and class+1.
func squareKeys(class uint64) (t [2][numPlaces]uint64) {
	for i := range t {
		for sq := range t[i] {
			t[i][sq] = engine.Mix((class+uint64(i))<<32 | uint64(sq))
		}
	}
	return t
}

// Hash returns the Zobrist hash of cells, hands and side to move. The variant is
// excluded: it never changes.
func (p *Position) Hash() uint64 { return p.hash }

// computeHash computes the hash from the sets and hands.
func (p *Position) computeHash() uint64 {
	h := handKeys[p.handsIndex()]
	for i := range 2 {
		for s := p.pieces[i]; s != 0; s &= s - 1 {
			h ^= pieceKeys[i][s.first()&63]
		}
		for s := p.tiles[i]; s != 0; s &= s - 1 {
			h ^= tileKeys[i][s.first()&63]
		}
	}
	if p.turn == 1 {
		h ^= sideKey
	}
	return h
}

// handsIndex numbers the contents of both hands.
func (p *Position) handsIndex() uint8 { return handsIndex(p.hands) }

func handsIndex(hands [2]hand) uint8 { return uint8(hands[0]&7 | hands[1]&7<<3) }

// Do plays a legal move.
func (p *Position) Do(m engine.Move) {
	side, from, to := p.turn&1, fromOf(m), toOf(m)
	piece := pieceCodes[side]
	p.history = append(p.history, entry{p.hash, m, p.hands, [2]uint8{p.cells[from&63] - piece, p.cells[to&63]}})
	p.pieces[side] ^= one(from) | one(to)
	p.cells[from&63] -= piece
	p.cells[to&63] += piece
	h := p.hash ^ pieceKeys[side][from&63] ^ pieceKeys[side][to&63] ^ sideKey
	if placesTile(m) {
		kind, at := kindOf(m), tileSquareOf(m)
		h ^= tileKeys[(kind-1)&1][at&63] ^ handKeys[p.handsIndex()]
		p.tiles[(kind-1)&1] ^= one(at)
		p.cells[at&63] += kind
		p.hands[side] -= tileUnits[kind&3]
		h ^= handKeys[p.handsIndex()]
	}
	p.turn ^= 1
	p.hash = h
	p.hashCounts[h%numHashCounts]++
}

// Undo takes back the last move. It panics if there is none.
func (p *Position) Undo() {
	last := len(p.history) - 1
	e := p.history[last]
	p.history = p.history[:last]
	p.hashCounts[p.hash%numHashCounts]--
	p.turn ^= 1
	m := e.move
	side, from, to := p.turn&1, fromOf(m), toOf(m)
	if placesTile(m) {
		kind, at := kindOf(m), tileSquareOf(m)
		p.tiles[(kind-1)&1] ^= one(at)
		p.cells[at&63] -= kind
		p.hands[side] += tileUnits[kind&3]
	}
	piece := pieceCodes[side]
	p.pieces[side] ^= one(from) | one(to)
	p.cells[from&63] += piece
	p.cells[to&63] -= piece
	p.hash = e.hash
}
