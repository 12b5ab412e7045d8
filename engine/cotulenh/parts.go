package cotulenh

import (
	"encoding/binary"
	"fmt"
	"slices"

	"selfplay/engine"
)

// Parts is a position as the numbers that a dataset stores.
type Parts struct {
	Cells    [numCells]Stack // row by row from a12
	Turn     engine.Side
	HalfMove uint16 // in a session the value after commit
	FullMove uint16
	Origin   int    // cell of the open session's origin, -1 if none is open
	Rest     uint8  // slots of the stack on Origin that may still deploy
	Landed   [2]int // cells where members landed, -1 if fewer
}

// Parts returns the position as numbers.
func (p *Position) Parts() Parts {
	a := Parts{Turn: p.Turn(), HalfMove: uint16(p.half), FullMove: uint16(p.full), Origin: -1, Landed: [2]int{-1, -1}}
	for cell, sq := range boardSquares {
		a.Cells[cell] = p.cells[sq]
	}
	if p.session.open() {
		a.Origin, a.Rest = Square(p.session.origin).Cell(), p.session.rest
		list, n := p.Landed()
		for i := range n {
			a.Landed[i] = list[i].Cell()
		}
	}
	return a
}

// String returns the canonical text of the position that the parts describe. It does not
// check them.
func (a *Parts) String() string {
	p := Position{turn: uint8(a.Turn), half: uint32(a.HalfMove), full: uint32(a.FullMove), session: noSession}
	for cell, sq := range boardSquares {
		p.cells[sq] = a.Cells[cell]
	}
	if a.Origin >= 0 {
		p.session.origin, p.session.rest = uint8(SquareOfCell(a.Origin)), a.Rest
		for i, cell := range a.Landed {
			if cell >= 0 {
				p.session.landed[i] = uint8(SquareOfCell(cell))
			}
		}
	}
	return p.String()
}

// Assemble returns the position that the parts describe. It returns an error if no
// valid position text describes them.
func Assemble(a *Parts) (*Position, error) {
	for cell, s := range a.Cells {
		if s >= NumStacks {
			return nil, fmt.Errorf("assemble position: %v holds unknown stack code %d: want 0 to %d", SquareOfCell(cell), s, NumStacks-1)
		}
	}
	// Reading the text checks everything that the numbers cannot express.
	p := new(Position)
	if err := p.Set(a.String()); err != nil {
		return nil, fmt.Errorf("assemble position: %w", err)
	}
	return p, nil
}

// AppendCells appends the stack codes of the 132 cells to dst, row by row from a12, as
// little-endian uint16: 264 bytes.
func (p *Position) AppendCells(dst []byte) []byte { return AppendCells(dst, &p.cells) }

// AppendCells is Position.AppendCells for an array of stacks by square.
func AppendCells(dst []byte, cells *[256]Stack) []byte {
	const width = 2 * files
	start := len(dst)
	dst = slices.Grow(dst, ranks*width)[:start+ranks*width]
	for rank := range ranks {
		row, out := cells[rank<<4:][:files], dst[start+rank*width:][:width]
		binary.LittleEndian.PutUint64(out[0:], fourCells(row[0:4]))
		binary.LittleEndian.PutUint64(out[8:], fourCells(row[4:8]))
		binary.LittleEndian.PutUint32(out[16:], uint32(row[8])|uint32(row[9])<<16)
		binary.LittleEndian.PutUint16(out[20:], uint16(row[10]))
	}
	return dst
}

// fourCells packs four codes, the first in the low bits.
func fourCells(s []Stack) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<16 | uint64(s[2])<<32 | uint64(s[3])<<48
}
