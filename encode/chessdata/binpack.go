package chessdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// A file in Stockfish's binpack is a series of blocks: the letters BINP, the number of bytes
// that follow as 32 bits, little endian, and chains. A chain is a position of 32 bytes and the
// number of moves that continue it, 16 bits. This package writes chains of one position, and
// reads no others. Numbers inside are big endian:
//
//	 0  8  occupied squares, bit 0 for a1
//	 8 16  4 bits per piece in the order of its square, the low half of a byte first:
//	       0 to 11 P p N n B b R r Q q K k; 12 pawn that can be captured en passant,
//	       13 and 14 white and black rook that may castle, 15 black king with black to move
//	24  2  move: kind<<14 | from<<8 | to<<2 | (promotion - knight), kinds 0 normal,
//	       1 promotion, 2 castling to the cell of the rook, 3 en passant
//	26  2  score of the side to move, zigzag: 2*n or -2*n-1
//	28  2  plies before the position, plus result<<14, zigzag, of the side to move
//	30  2  half-move clock
const (
	binpackRow   = 32
	BinpackChain = binpackRow + 2 // bytes of a position and of the length of its chain
	binpackPly   = 1<<14 - 1
)

// Codes of pieces that say more.
const (
	binpackPassant   = 12
	binpackWhiteRook = 13
	binpackBlackRook = 14
	binpackBlackTurn = 15
)

var binpackKinds = [...]uint16{Normal: 0, Promotion: 1, Castling: 2, EnPassant: 3}

// AppendBinpackHeader appends the header of a block of size bytes.
func AppendBinpackHeader(dst []byte, size int) []byte {
	return binary.LittleEndian.AppendUint32(append(dst, "BINP"...), uint32(size))
}

// AppendBinpack appends a position as a chain of its own. The number of plies is at most 16383.
func AppendBinpack(dst []byte, r *Row) ([]byte, error) {
	var out [BinpackChain]byte
	p := &r.Position
	occupied, n := uint64(0), 0
	for square := range 64 {
		if p.Cells[square^flip] == 0 {
			continue
		}
		if n == maxPieces {
			return dst, errPieces
		}
		occupied |= 1 << square
		out[8+n/2] |= binpackPiece(p, square^flip) << (n % 2 * 4)
		n++
	}
	ply := plyOf(p)
	if ply > binpackPly {
		return dst, fmt.Errorf("ply %d: the format counts to %d", ply, binpackPly)
	}
	binary.BigEndian.PutUint64(out[:], occupied)
	binary.BigEndian.PutUint16(out[24:], binpackMove(&r.Move))
	binary.BigEndian.PutUint16(out[26:], zigzag(r.Score))
	binary.BigEndian.PutUint16(out[28:], uint16(ply)|zigzag(int16(r.Result))<<14)
	binary.BigEndian.PutUint16(out[30:], uint16(p.HalfMove))
	return append(dst, out[:]...), nil
}

func zigzag(n int16) uint16   { return uint16(n<<1) ^ uint16(n>>15) }
func unzigzag(n uint16) int16 { return int16(n>>1) ^ -int16(n&1) }

// binpackPiece returns the code of the piece on a cell.
func binpackPiece(p *chess.Parts, cell int) uint8 {
	code := p.Cells[cell]
	right := castlingRight(cell)
	switch {
	case p.EnPassant >= 0 && cell == passantPawn(p):
		return binpackPassant
	case code == whiteRook && right&3&p.Castling != 0:
		return binpackWhiteRook
	case code == blackRook && right&12&p.Castling != 0:
		return binpackBlackRook
	case code == blackKing && p.Turn == engine.Second:
		return binpackBlackTurn
	case code < blackPawn:
		return 2 * (code - whitePawn)
	}
	return 2*(code-blackPawn) + 1
}

// passantPawn returns the cell of the pawn that can be captured en passant.
func passantPawn(p *chess.Parts) int {
	if p.Turn == engine.First {
		return passantCell(p) + 8
	}
	return passantCell(p) - 8
}

func binpackMove(m *Move) uint16 {
	to := m.To
	if m.Kind == Castling {
		to = m.rookCell()
	}
	n := binpackKinds[m.Kind]<<14 | uint16(m.From^flip)<<8 | uint16(to^flip)<<2
	if m.Kind == Promotion {
		n |= uint16(m.Promotion - 2)
	}
	return n
}

// BinpackReader reads positions of binpack. It belongs to one goroutine.
type BinpackReader struct {
	r    io.Reader
	left uint32 // bytes of the block
}

// NewBinpackReader returns a reader of r.
func NewBinpackReader(r io.Reader) *BinpackReader { return &BinpackReader{r: r} }

// Read returns the next position. It checks the ranges of all numbers, and no rules. After the
// last position the error is io.EOF.
func (b *BinpackReader) Read() (r Row, err error) {
	for b.left == 0 {
		if err := b.header(); err == io.EOF {
			return r, err
		} else if err != nil {
			return r, fmt.Errorf("read binpack: header of a block: %w", err)
		}
	}
	var data [BinpackChain]byte
	if b.left < BinpackChain {
		return r, fmt.Errorf("read binpack: %d bytes are left in the block, a chain has %d", b.left, BinpackChain)
	}
	if _, err = io.ReadFull(b.r, data[:]); err == nil {
		err = r.decodeBinpack(data[:])
	} else if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return r, fmt.Errorf("read binpack: %w", err)
	}
	b.left -= BinpackChain
	return r, nil
}

func (b *BinpackReader) header() error {
	var data [8]byte
	if _, err := io.ReadFull(b.r, data[:]); err != nil {
		return err
	}
	if string(data[:4]) != "BINP" {
		return fmt.Errorf("%q, want BINP", data[:4])
	}
	b.left = binary.LittleEndian.Uint32(data[4:])
	return nil
}

func (r *Row) decodeBinpack(data []byte) error {
	if n := binary.BigEndian.Uint16(data[binpackRow:]); n != 0 {
		return fmt.Errorf("a chain of %d further positions: this program reads chains of one", n)
	}
	if err := r.decodeBinpackBoard(data); err != nil {
		return err
	}
	r.Score = unzigzag(binary.BigEndian.Uint16(data[26:]))
	if r.Score == math.MinInt16 {
		return errScore
	}
	n := binary.BigEndian.Uint16(data[28:])
	if n>>14 == 3 {
		return errors.New("result -2")
	}
	r.Result = int8(unzigzag(n >> 14))
	ply := int(n & binpackPly)
	if ply&1 != int(r.Position.Turn) {
		return fmt.Errorf("ply %d with the other side to move", ply)
	}
	r.Position.FullMove = numberOf(ply, r.Position.Turn)
	half := binary.BigEndian.Uint16(data[30:])
	if half > math.MaxUint8 {
		return fmt.Errorf("half-move clock %d: want 0 to 255", half)
	}
	r.Position.HalfMove = uint8(half)
	return r.decodeBinpackMove(binary.BigEndian.Uint16(data[24:]))
}

func (r *Row) decodeBinpackBoard(data []byte) error {
	occupied := binary.BigEndian.Uint64(data)
	if bits.OnesCount64(occupied) > maxPieces {
		return errPieces
	}
	p := &r.Position
	p.EnPassant = -1
	pawn := -1
	for n := 0; occupied != 0; n++ {
		cell := bits.TrailingZeros64(occupied) ^ flip
		occupied &= occupied - 1
		code := data[8+n/2] >> (n % 2 * 4) & 15
		right := castlingRight(cell)
		switch {
		case code == binpackPassant && pawn < 0:
			pawn = cell // its side is known when the turn is
		case code == binpackWhiteRook && right&3 != 0:
			p.Cells[cell], p.Castling = whiteRook, p.Castling|right
		case code == binpackBlackRook && right&12 != 0:
			p.Cells[cell], p.Castling = blackRook, p.Castling|right
		case code == binpackBlackTurn:
			p.Cells[cell], p.Turn = blackKing, engine.Second
		case code < binpackPassant:
			p.Cells[cell] = code/2 + 1 + code%2*perSide
		default:
			return fmt.Errorf("piece %d on cell %d", code, cell)
		}
	}
	if pawn >= 0 {
		p.EnPassant = pawn % 8
		if pawn != passantPawn(p) {
			return fmt.Errorf("en passant of the pawn on cell %d", pawn)
		}
		p.Cells[pawn] = blackPawn
		if p.Turn == engine.Second {
			p.Cells[pawn] = whitePawn
		}
	}
	return checkKings(&p.Cells)
}

func (r *Row) decodeBinpackMove(n uint16) (err error) {
	m := &r.Move
	m.From, m.To = uint8(n>>8&63)^flip, uint8(n>>2&63)^flip
	switch n >> 14 {
	case binpackKinds[Promotion]:
		m.Kind, m.Promotion = Promotion, uint8(n&3)+2
	case binpackKinds[Castling]:
		m.Kind = Castling
		m.Step, err = kingStep(m.From, m.To)
	case binpackKinds[EnPassant]:
		m.Kind = EnPassant
	}
	switch {
	case err != nil:
	case m.From == m.To:
		err = fmt.Errorf("move %d stays on its cell", n)
	case m.Kind != Promotion && n&3 != 0:
		err = fmt.Errorf("move %d has a promotion piece, but is no promotion", n)
	}
	return err
}
