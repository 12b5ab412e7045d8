package chess

import "strings"

// checkPieces rejects positions that the rules exclude: not one king per side, pawns
// on the last ranks, and a king that can be captured.
func (p *Position) checkPieces() error {
	var kings [2]int
	for cell, sq := range mailbox64 {
		rank := cell >> 3
		switch piece := p.board[sq]; piece & kindBits {
		case king:
			side := sideOf(piece)
			if kings[side]++; kings[side] > 1 {
				return atColumn(fault(kindKing, "semantic", "second %s king on %s", sideNames[side], cellName(cell)), rank, p.column(cell))
			}
		case pawn:
			if rank == 0 || rank == 7 {
				return atColumn(fault(kindPawn, "semantic", "pawn on %s: want ranks 2 to 7", cellName(cell)), rank, p.column(cell))
			}
		}
	}
	for side, n := range kings {
		if n == 0 {
			return fault(kindKing, "semantic", "no %s king", sideNames[side])
		}
	}
	us := p.turn()
	if p.attacked(p.kingCell(us^1), us, p.sides[us], p.occupied()) {
		return fault(kindCheck, "semantic", "%s is in check although %s is to move", sideNames[us^1], sideNames[us])
	}
	return nil
}

// column returns the index of an occupied cell in the text of its rank.
func (p *Position) column(cell int) int {
	row := string(p.appendRank(nil, cell>>3))
	file := 0
	for i := range len(row) {
		switch {
		case row[i] <= '8':
			file += int(row[i] - '0')
		case file == cell&7:
			return i
		default:
			file++
		}
	}
	return len(row)
}

// readRights parses the castling rights. The board must be set up.
func (p *Position) readRights(text string) error {
	rights := uint8(0)
	for i := range len(rightLetters) {
		if strings.IndexByte(text, rightLetters[i]) >= 0 {
			rights |= 1 << i
		}
	}
	if string(appendRights(nil, rights)) != text {
		return fault(kindCastling, "lexical", "castling rights %q: want - or letters of %s in this order", text, rightLetters)
	}
	for side, wings := range castles {
		for _, c := range wings {
			colour := colourOf(uint8(side))
			atHome := p.board[fromOf(c.move)] == colour|king && p.board[c.rookFrom] == colour|rook
			if rights&uint8(c.right) != 0 && !atHome {
				return fault(kindCastling, "semantic", "castling rights %q: the %s king or rook is not on its home square", text, sideNames[side])
			}
		}
	}
	p.state |= uint32(rights)
	return nil
}

// readPassant parses the en passant square. Board and side to move must be set up.
func (p *Position) readPassant(text string) error {
	if text == "-" {
		return nil
	}
	cell, err := parseCell(text)
	if err != nil {
		return fault(kindPassant, "lexical", "en passant square %q: want - or a1 to h8", text)
	}
	us := p.turn()
	ahead := advances[us].cells
	switch {
	case cell&^7 != advances[us].passantRank:
		return fault(kindPassant, "semantic", "en passant square %s: want rank %d", text, 6-3*us)
	case p.board[squareOf(cell-ahead)] != colourOf(us^1)|pawn:
		return fault(kindPassant, "semantic", "en passant square %s: no pawn in front of it", text)
	case p.board[squareOf(cell)] != empty || p.board[squareOf(cell+ahead)] != empty:
		return fault(kindPassant, "semantic", "en passant square %s: a piece blocks the double step", text)
	}
	p.allowPassant(cell)
	return nil
}
