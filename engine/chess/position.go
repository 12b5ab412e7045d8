package chess

import (
	"encoding/binary"
	"fmt"
	"slices"

	"selfplay/engine"
)

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

	chess960 bool       // the variant
	castles  *castlings // of the game; not changed by moves

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

// New returns a position of standard chess at the start of the game.
func New() *Position { return newPosition(false) }

// New960 returns a position of Chess960 at the start of the game: that of standard chess.
func New960() *Position { return newPosition(true) }

func newPosition(chess960 bool) *Position {
	p := &Position{chess960: chess960}
	p.Reset()
	return p
}

// Reset returns to the start of the game. The variant stays.
func (p *Position) Reset() {
	if p.chess960 {
		p.copyFrom(start960)
		return
	}
	p.copyFrom(startPosition)
}

// Templates that Reset copies.
var (
	startPosition = mustParse(&Position{}, StartText)
	start960      = mustParse(&Position{chess960: true}, StartText)
)

// mustParse parses a valid text into a new position.
func mustParse(p *Position, text string) *Position {
	if err := p.parse(text); err != nil {
		panic(err)
	}
	return p
}

// copyFrom copies q, which has no history, and keeps p's memory.
func (p *Position) copyFrom(q *Position) {
	history, list := p.history, p.list
	*p = *q
	p.history, p.list = history, list
}

// clear empties the board and all state but keeps memory.
func (p *Position) clear() {
	*p = Position{history: p.history, list: p.list, chess960: p.chess960, castles: standardCastlings}
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

// Rooks returns, by right in the order of Castling, the file + 1 of the rook of a castling
// right, or 0 if the rook is on the corner file, as in standard chess, or there is no right.
func (p *Position) Rooks() (rooks [4]uint8) {
	for i, rook := range p.castles.rooks {
		rooks[i] = rook * uint8(p.state>>i&1)
	}
	return rooks
}

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

// Seeds of keys: the class of the key in the high bits, its index in the low bits.
const (
	keyPiece     = 1 << 32
	keyCastling  = 2 << 32
	keyEnPassant = 3 << 32
	keySide      = 4 << 32
	keyRook      = 5 << 32 // castling right << 3 | file of its rook, off the corner file
)

var (
	sideKey       = engine.Mix(keySide)
	castlingKeys  = numberedKeys(keyCastling, 1)  // indexed by castling rights; 0 for none
	enPassantKeys = numberedKeys(keyEnPassant, 8) // indexed by the en passant bits of the state; 0 for none
)

// numberedKeys returns keys for the indices from least to 15; below it 0.
func numberedKeys(class, least uint64) (table [16]uint64) {
	for n := least; n < 16; n++ {
		table[n] = engine.Mix(class | n)
	}
	return table
}

// pieceKeys are indexed by piece code and square.
var pieceKeys = func() (table [32][128]uint64) {
	for _, colour := range [...]uint8{white, black} {
		for kind := uint8(pawn); kind <= king; kind++ {
			for cell, sq := range mailbox64 {
				piece := colour | kind
				table[piece][sq] = engine.Mix(keyPiece | uint64(piece)<<8 | uint64(cell))
			}
		}
	}
	return table
}()

func pieceKey(piece, sq uint8) uint64 { return pieceKeys[piece&31][sq&127] }

// Hash returns the Zobrist hash of pieces, side to move, castling rights, and the file
// of an en passant capture if one is legal.
func (p *Position) Hash() uint64 { return p.hash }

// computeHash computes the hash from the board and the state.
func (p *Position) computeHash() uint64 {
	h := p.castles.keys[p.state&rightsBits] ^ enPassantKeys[p.state&passantBits>>passantShift]
	for _, sq := range mailbox64 {
		if piece := p.board[sq]; piece != empty {
			h ^= pieceKey(piece, sq)
		}
	}
	if p.turn() == 1 {
		h ^= sideKey
	}
	return h
}

// Parts is a position as the numbers that datasets store.
type Parts struct {
	Cells     [64]uint8 // as AppendCells writes them
	Turn      engine.Side
	Chess960  bool     // the variant
	Castling  uint8    // bits: 1 K, 2 Q, 4 k, 8 q
	Rooks     [4]uint8 // as Rooks returns them
	EnPassant int      // file from 0; -1 for none
	HalfMove  uint8
	FullMove  uint16
}

// Parts returns the numbers of a position. Assemble is the inverse.
func (p *Position) Parts() Parts {
	parts := Parts{
		Turn: p.Turn(), Chess960: p.chess960, Castling: p.Castling(), Rooks: p.Rooks(), EnPassant: -1,
		HalfMove: p.HalfMove(), FullMove: p.FullMove(),
	}
	p.AppendCells(parts.Cells[:0])
	if file, ok := p.EnPassant(); ok {
		parts.EnPassant = file
	}
	return parts
}

// AppendCells appends 64 bytes, one per cell from a8 to h1: 0 empty, 1 to 6 white P N
// B R Q K, 7 to 12 black.
func (p *Position) AppendCells(dst []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, 64)[:start+64]
	out := (*[64]byte)(dst[start:])
	for rank := range 8 {
		row := binary.LittleEndian.Uint64(p.board[21+10*rank:][:8])
		binary.LittleEndian.PutUint64(out[8*rank:], cellCodes(row))
	}
	return dst
}

// cellCodes converts eight piece codes at once to the codes of AppendCells: the kind,
// plus six for black.
func cellCodes(row uint64) uint64 {
	const ones = 0x0101010101010101
	isBlack := row >> 4 & ones
	return row&(kindBits*ones) + isBlack*6
}

// Assemble returns the position that the parts describe. It returns an error if no
// text describes them.
func Assemble(a *Parts) (*Position, error) {
	if a.Turn > 1 || a.Castling > rightsBits || a.EnPassant < -1 || a.EnPassant > 7 {
		return nil, fmt.Errorf("assemble position: turn %d, castling rights %d, en passant file %d: want 0 to 1, 0 to 15, -1 to 7",
			a.Turn, a.Castling, a.EnPassant)
	}
	p := &Position{chess960: a.Chess960}
	p.clear()
	for cell, code := range a.Cells {
		switch {
		case code > 12:
			return nil, fmt.Errorf("assemble position: code %d on %s: want 0 to 12", code, cellName(cell))
		case code > 6:
			p.put(black|code-6, mailbox64[cell])
		case code > 0:
			p.put(white|code, mailbox64[cell])
		}
	}
	if a.Chess960 {
		p.setChess960(a.RookCells())
	}
	p.state = uint32(a.Castling) | uint32(a.Turn)*turnBit | uint32(a.HalfMove)<<clockShift
	if a.EnPassant >= 0 {
		p.state |= uint32(8|a.EnPassant) << passantShift
	}
	p.startPly = 2*(max(int(a.FullMove), 1)-1) + int(a.Turn)
	q := &Position{chess960: a.Chess960}
	if err := q.Set(p.String()); err != nil {
		return nil, fmt.Errorf("assemble position: %w", err)
	}
	if q.Castling() != a.Castling || q.Rooks() != a.Rooks {
		return nil, fault(kindCastling, "semantic", "castling rights %d with rooks %v: want each rook on the right's side of its king", a.Castling, a.Rooks)
	}
	return q, nil
}

// RookCells returns the cells of the rooks by castling right, -1 for no right.
func (a *Parts) RookCells() (cells [4]int) {
	for i := range cells {
		switch file := int(a.Rooks[i]) - 1; {
		case a.Castling>>i&1 == 0:
			cells[i] = -1
		case file < 0:
			cells[i] = 56 - 56*(i>>1) + cornerFiles[i&1]
		default:
			cells[i] = 56 - 56*(i>>1) + file&7
		}
	}
	return cells
}
