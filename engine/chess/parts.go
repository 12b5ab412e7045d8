package chess

import (
	"encoding/binary"
	"fmt"
	"slices"

	"selfplay/engine"
)

// Parts is a position as the numbers that datasets store.
type Parts struct {
	Cells     [64]uint8 // as AppendCells writes them
	Turn      engine.Side
	Castling  uint8 // bits: 1 K, 2 Q, 4 k, 8 q
	EnPassant int   // file from 0; -1 for none
	HalfMove  uint8
	FullMove  uint16
}

// Parts returns the numbers of a position. Assemble is the inverse.
func (p *Position) Parts() Parts {
	parts := Parts{Turn: p.Turn(), Castling: p.Castling(), EnPassant: -1, HalfMove: p.HalfMove(), FullMove: p.FullMove()}
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
	p := new(Position)
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
	p.state = uint32(a.Castling) | uint32(a.Turn)*turnBit | uint32(a.HalfMove)<<clockShift
	if a.EnPassant >= 0 {
		p.state |= uint32(8|a.EnPassant) << passantShift
	}
	p.startPly = 2*(max(int(a.FullMove), 1)-1) + int(a.Turn)
	q := new(Position)
	if err := q.Set(p.String()); err != nil {
		return nil, fmt.Errorf("assemble position: %w", err)
	}
	return q, nil
}
