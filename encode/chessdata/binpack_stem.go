package chessdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"selfplay/engine"
)

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
	return &RowError{err}
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
				err = &RowError{fmt.Errorf("piece %d on cell %d: a rook may castle there: want standard chess", code, cell)}
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
			err = &RowError{fmt.Errorf("en passant of the pawn on cell %d", pawn)}
		}
	}
	if err == nil {
		if kings := checkKings(&p.Cells); kings != nil {
			err = &RowError{kings}
		}
	}
	return err
}

func decodeBinpackMove(n uint16) (Move, error) {
	kind := Kind(slices.Index(binpackKinds[:], n>>14))
	return decodeMove(n, kind, uint8(n>>8&63)^flip, uint8(n>>2&63)^flip, uint8(n&3))
}
