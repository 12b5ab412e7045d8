package chessdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// A file in Stockfish's binpack is a series of blocks: the letters BINP, the number of bytes
// that follow as 32 bits, little endian, and chains. A chain is a position of 32 bytes, the
// number of positions that continue it, 16 bits, and movetext. Numbers inside are big endian:
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
//
// Each further position comes from playing the move of the one before; its result is the
// opposite. Movetext has for each its move and its score, as bits from the highest of a byte to
// the lowest. The last byte of a chain is filled with zeros. n choices take as many bits as n-1
// has, none if n is 1:
//
//	the moving piece  its number among the pieces of the side to move, by square
//	where it goes     its number among the choices of the piece, see choices
//	the score         the difference to the score before, seen by the same side, zigzag: groups
//	                  of 4 bits, the low ones first, each after a bit that says whether more follow
const (
	binpackStem  = 32
	binpackCount = 2 // bytes of the number of further positions
	binpackPly   = 1<<14 - 1
	binpackGroup = 4 // bits of a group of a score
)

// Codes of pieces that say more.
const (
	binpackPassant   = 12
	binpackWhiteRook = 13
	binpackBlackRook = 14
	binpackBlackTurn = 15
)

var binpackKinds = [...]uint16{Normal: 0, Promotion: 1, Castling: 2, EnPassant: 3}

// appendStem appends the first position of a chain. The number of plies is at most binpackPly.
func appendStem(dst []byte, r *Row) ([]byte, error) {
	var out [binpackStem]byte
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

// binpackBlock is the size in bytes from which on a block ends with its chain.
const binpackBlock = 1 << 20

// BinpackWriter writes positions as binpack. A position that follows from the one before, by its
// move and with the opposite result, continues its chain. So rows of games in order are small
// where the best move is the one that was played; other rows are chains of one position. It
// belongs to one goroutine.
type BinpackWriter struct {
	w     io.Writer
	block []byte      // chains; the last one is open
	count int         // where the number of further positions of the open chain is in block
	more  uint16      // that number
	free  uint        // unused bits of the last byte of block
	last  Row         // of the open chain, if block is not empty
	next  chess.Parts // the position after the last one
	known bool        // whether there is one
}

// NewBinpackWriter returns a writer to w.
func NewBinpackWriter(w io.Writer) *BinpackWriter { return &BinpackWriter{w: w} }

// Write writes a position. After an error of w it must not be called again; a position that the
// format has no room for changes nothing.
func (b *BinpackWriter) Write(r *Row) error {
	if ply := plyOf(&r.Position); ply > binpackPly {
		return fmt.Errorf("ply %d: the format counts to %d", ply, binpackPly)
	}
	p, m := &r.Position, &r.Move
	choices := choicesOf(p, m.From^flip)
	number := choices.number(p, m)
	if number >= 0 && b.known && *p == b.next && r.Result == -b.last.Result && b.more < math.MaxUint16 {
		b.add(r, choices.n, number)
	} else if err := b.begin(r); err != nil {
		return err
	}
	b.last = *r
	b.known = number >= 0
	if b.known {
		b.next, b.known = after(p, m)
	}
	return nil
}

// add adds a position to the open chain. number is that of its move among n choices.
func (b *BinpackWriter) add(r *Row, n, number int) {
	own, _ := sideSets(&r.Position)
	b.bits(uint16(below(own, r.Move.From^flip)), bitsOf(bits.OnesCount64(own)))
	b.bits(uint16(number), bitsOf(n))
	b.score(zigzag(r.Score + b.last.Score))
	b.more++
	binary.BigEndian.PutUint16(b.block[b.count:], b.more)
}

// begin begins a chain.
func (b *BinpackWriter) begin(r *Row) (err error) {
	if len(b.block) >= binpackBlock {
		if err := b.flush(); err != nil {
			return err
		}
	}
	b.block, err = appendStem(b.block, r)
	if err != nil {
		return err
	}
	b.count, b.more, b.free = len(b.block), 0, 0
	b.block = append(b.block, 0, 0)
	return nil
}

// Close writes the last block. It does not close w.
func (b *BinpackWriter) Close() error {
	if len(b.block) == 0 {
		return nil
	}
	return b.flush()
}

func (b *BinpackWriter) flush() error {
	header := binary.LittleEndian.AppendUint32([]byte(binpackMagic), uint32(len(b.block)))
	if _, err := b.w.Write(header); err != nil {
		return err
	}
	_, err := b.w.Write(b.block)
	b.block, b.known = b.block[:0], false
	return err
}

// bitsOf returns the number of bits that n choices take.
func bitsOf(n int) uint { return uint(bits.Len(uint(max(n, 1) - 1))) }

// bits appends the low n bits of a number, up to 8.
func (b *BinpackWriter) bits(number uint16, n uint) {
	if n > b.free {
		b.block[len(b.block)-1] |= byte(number >> (n - b.free) & (1<<b.free - 1))
		n, b.free = n-b.free, 8
		b.block = append(b.block, 0)
	}
	b.free -= n
	b.block[len(b.block)-1] |= byte(number & (1<<n - 1) << b.free)
}

// score appends a difference of scores.
func (b *BinpackWriter) score(difference uint16) {
	for {
		group := difference & (1<<binpackGroup - 1)
		difference >>= binpackGroup
		if difference == 0 {
			b.bits(group, binpackGroup+1)
			return
		}
		b.bits(group|1<<binpackGroup, binpackGroup+1)
	}
}

// decodeStem decodes the first position of a chain. With a *RowError it has decoded all that the
// positions after it depend on.
func (r *Row) decodeStem(data []byte) error {
	*r = Row{}
	err := r.decodeBinpackBoard(data)
	if err != nil && !isRowError(err) {
		return err
	}
	n, half := binary.BigEndian.Uint16(data[28:]), binary.BigEndian.Uint16(data[30:])
	ply := int(n & binpackPly)
	r.Score = unzigzag(binary.BigEndian.Uint16(data[26:]))
	r.Result = int8(unzigzag(n >> 14))
	r.Position.FullMove = numberOf(ply, r.Position.Turn)
	r.Position.HalfMove = uint8(half)
	var moveErr error
	r.Move, moveErr = decodeBinpackMove(binary.BigEndian.Uint16(data[24:]))
	switch {
	case err != nil:
	case r.Score == math.MinInt16:
		err = errScore
	case n>>14 == 3:
		err = errors.New("result -2")
	case ply&1 != int(r.Position.Turn):
		err = fmt.Errorf("ply %d with the other side to move", ply)
	case half > math.MaxUint8:
		err = fmt.Errorf("half-move clock %d: want 0 to 255", half)
	default:
		err = moveErr
	}
	if err == nil || isRowError(err) {
		return err
	}
	return &RowError{Err: err}
}

// decodeBinpackBoard decodes the pieces and rights. After a *RowError all pieces are in place.
func (r *Row) decodeBinpackBoard(data []byte) (err error) {
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
		switch {
		case code == binpackPassant && pawn < 0:
			pawn = cell // its side is known when the turn is
		case code == binpackPassant:
			return fmt.Errorf("piece %d on cell %d", code, cell)
		case code == binpackWhiteRook, code == binpackBlackRook:
			side := code - binpackWhiteRook
			right := castlingRight(cell) & (3 << (2 * side))
			p.Cells[cell], p.Castling = whiteRook+side*perSide, p.Castling|right
			if right == 0 {
				err = &RowError{Err: fmt.Errorf("piece %d on cell %d: a rook may castle there: want standard chess", code, cell)}
			}
		case code == binpackBlackTurn:
			p.Cells[cell], p.Turn = blackKing, engine.Second
		default:
			p.Cells[cell] = code/2 + 1 + code%2*perSide
		}
	}
	if pawn >= 0 {
		p.Cells[pawn] = blackPawn
		if p.Turn == engine.Second {
			p.Cells[pawn] = whitePawn
		}
		p.EnPassant = pawn % 8
		if pawn != passantPawn(p) {
			p.EnPassant = -1
			err = &RowError{Err: fmt.Errorf("en passant of the pawn on cell %d", pawn)}
		}
	}
	if err == nil {
		if kings := checkKings(&p.Cells); kings != nil {
			err = &RowError{Err: kings}
		}
	}
	return err
}

func decodeBinpackMove(n uint16) (Move, error) {
	kind := Kind(slices.Index(binpackKinds[:], n>>14))
	return decodeMove(n, kind, uint8(n>>8&63)^flip, uint8(n>>2&63)^flip, uint8(n&3))
}
