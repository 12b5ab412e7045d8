package chessdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"selfplay/engine"
)

// decodeStem decodes the first position of a chain.
func (r *Row) decodeStem(data []byte) error {
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
