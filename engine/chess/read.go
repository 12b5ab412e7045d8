package chess

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Kinds of faults in a position text.
const (
	kindFormat    = "FEN_INVALID_FORMAT"
	kindRankCount = "FEN_INVALID_RANK_COUNT"
	kindFileCount = "FEN_INVALID_FILE_COUNT"
	kindPiece     = "FEN_INVALID_PIECE"
	kindClock     = "FEN_INVALID_CLOCK"
	kindKing      = "FEN_INVALID_KING"
	kindPawn      = "FEN_INVALID_PAWN"
	kindCheck     = "FEN_INVALID_CHECK"
	kindCastling  = "FEN_INVALID_CASTLING"
	kindPassant   = "FEN_INVALID_EN_PASSANT"
)

func fault(kind, category, format string, args ...any) *engine.TextError {
	return &engine.TextError{Kind: kind, Category: category, Msg: fmt.Sprintf(format, args...)}
}

// at completes a fault with its place: the rank from above, the index in its text.
func at(err *engine.TextError, rank, index int) error {
	err.Rank, err.Column = 8-rank, index+1
	return err
}

// Reset goes back to the start of the game.
func (p *Position) Reset() { p.copyFrom(startPosition) }

// startPosition is the start, for Reset to copy.
var startPosition = func() *Position {
	p := new(Position)
	if err := p.parse(StartText); err != nil {
		panic(err)
	}
	return p
}()

// Set makes the position the one that text describes. It takes all six fields of
// FEN, one blank between them. Beyond what String writes it reads an en passant
// square where a pawn has just gone two squares but no capture is legal, and drops
// it; and a full-move number of 0, which some programs write, as 1.
func (p *Position) Set(text string) error {
	q := new(Position)
	if err := q.parse(text); err != nil {
		return err
	}
	p.copyFrom(q)
	return nil
}

// copyFrom makes p the position q, which has no past, and keeps p's memory.
func (p *Position) copyFrom(q *Position) {
	past, list := p.past, p.list
	*p = *q
	p.past, p.list = past, list
}

// parse reads a text into a new position: first the form of each field, then
// whether they make sense together. The first fault is reported.
func (p *Position) parse(text string) error {
	p.clear()
	fields := strings.Split(text, " ")
	if len(fields) != 6 {
		return fault(kindFormat, "structure", "%d fields: want 6 with one blank between them", len(fields))
	}
	if err := p.readPlacement(fields[0]); err != nil {
		return err
	}
	if fields[1] != "w" && fields[1] != "b" {
		return fault(kindFormat, "structure", "side to move %q: want w or b", fields[1])
	}
	if fields[1] == "b" {
		p.state = turnBit
	}
	if err := p.readClocks(fields[4], fields[5]); err != nil {
		return err
	}
	if err := p.checkPieces(); err != nil {
		return err
	}
	if err := p.readRights(fields[2]); err != nil {
		return err
	}
	if err := p.readPassant(fields[3]); err != nil {
		return err
	}
	p.hash = p.freshHash()
	return nil
}

func (p *Position) readPlacement(text string) error {
	rows := strings.Split(text, "/")
	if len(rows) != 8 {
		return fault(kindRankCount, "structure", "%d ranks: want 8", len(rows))
	}
	for rank, row := range rows {
		if err := p.readRank(rank, row); err != nil {
			return err
		}
	}
	return nil
}

func (p *Position) readRank(rank int, row string) error {
	file := 0
	for i := range len(row) {
		c := row[i]
		piece := strings.IndexByte(pieceLetters, c)
		switch {
		case c >= '1' && c <= '8':
			if i > 0 && row[i-1] >= '1' && row[i-1] <= '8' {
				return at(fault(kindFormat, "lexical", "two numbers in a row"), rank, i)
			}
			file += int(c - '0')
		case c == '?' || piece < 0:
			return at(fault(kindPiece, "lexical", "%q is no piece", c), rank, i)
		case file < 8:
			p.put(uint8(piece), mailbox64[rank*8+file])
			file++
		default:
			file++
		}
		if file > 8 {
			return at(fault(kindFileCount, "structure", "more than 8 squares"), rank, i)
		}
	}
	if file < 8 {
		return at(fault(kindFileCount, "structure", "%d squares: want 8", file), rank, len(row))
	}
	return nil
}

func (p *Position) readClocks(half, full string) error {
	h, ok := number(half, maxHalf)
	if !ok {
		return fault(kindClock, "structure", "half-move clock %q: want a number up to %d", half, maxHalf)
	}
	f, ok := number(full, maxFull)
	if !ok {
		return fault(kindClock, "structure", "full-move number %q: want a number up to %d", full, maxFull)
	}
	p.state |= uint32(h) << clockShift
	p.origin = 2*(max(f, 1)-1) + int(p.turn())
	return nil
}

// number reads a decimal number without a sign or zeros in front.
func number(text string, limit int) (n int, ok bool) {
	if text == "" || len(text) > 1 && text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n <= limit
}

// checkPieces looks for what no game leads to and the rules cannot handle.
func (p *Position) checkPieces() error {
	var kings [2]int
	for cell, sq := range mailbox64 {
		rank := cell >> 3
		switch piece := p.board[sq]; piece & kindBits {
		case king:
			side := sideOf(piece)
			if kings[side]++; kings[side] > 1 {
				return at(fault(kindKing, "semantic", "a second %s king on %s", sideNames[side], cellName(cell)), rank, p.column(cell))
			}
		case pawn:
			if rank == 0 || rank == 7 {
				return at(fault(kindPawn, "semantic", "a pawn on %s", cellName(cell)), rank, p.column(cell))
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
		return fault(kindCheck, "semantic", "%s is in check, but %s is to move", sideNames[us^1], sideNames[us])
	}
	return nil
}

// column returns where a cell with a piece stands in the text of its rank.
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

// readRights reads the castling rights; the board is set up.
func (p *Position) readRights(text string) error {
	rights := uint8(0)
	for i := range len(rightLetters) {
		if strings.IndexByte(text, rightLetters[i]) >= 0 {
			rights |= 1 << i
		}
	}
	if string(appendRights(nil, rights)) != text {
		return fault(kindCastling, "lexical", "castling rights %q: want - or some of %s in this order", text, rightLetters)
	}
	for side, ways := range castles {
		for _, c := range ways {
			colour := colourOf(uint8(side))
			atHome := p.board[fromOf(c.move)] == colour|king && p.board[c.rookFrom] == colour|rook
			if rights&uint8(c.right) != 0 && !atHome {
				return fault(kindCastling, "semantic", "castling rights %q: the %s king or a rook is not at home", text, sideNames[side])
			}
		}
	}
	p.state |= uint32(rights)
	return nil
}

// readPassant reads the en passant square; the board and the turn are set up.
func (p *Position) readPassant(text string) error {
	if text == "-" {
		return nil
	}
	cell, err := parseCell(text)
	if err != nil {
		return fault(kindPassant, "lexical", "en passant square %q: want - or a square", text)
	}
	us := p.turn()
	ahead := advances[us].cells
	switch {
	case cell&^7 != advances[us].passantRank:
		return fault(kindPassant, "semantic", "en passant square %s is not on rank %d", text, 6-3*us)
	case p.board[squareOf(cell-ahead)] != colourOf(us^1)|pawn:
		return fault(kindPassant, "semantic", "en passant square %s has no pawn in front of it", text)
	case p.board[squareOf(cell)] != empty || p.board[squareOf(cell+ahead)] != empty:
		return fault(kindPassant, "semantic", "en passant square %s: no pawn can have passed it, a piece is in the way", text)
	}
	p.offerPassant(cell)
	return nil
}
