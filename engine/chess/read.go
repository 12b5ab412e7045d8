package chess

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
)

// Values of engine.TextError.Kind.
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

// atColumn adds the place of a fault: the rank index from above and the index in its
// text.
func atColumn(err *engine.TextError, rank, index int) error {
	err.Rank, err.Column = 8-rank, index+1
	return err
}

// Set sets up the position of a FEN text with all six fields, separated by one blank
// each. Beyond what String writes it accepts and drops an en passant square behind a
// pawn that could have made a double step, if no capture is legal, and it reads the
// full-move number 0, which some programs write, as 1.
func (p *Position) Set(text string) error {
	q := new(Position)
	if err := q.parse(text); err != nil {
		return err
	}
	p.copyFrom(q)
	return nil
}

// parse reads a text into a new position: first the syntax of the fields, then whether
// they are consistent. It returns the first fault.
func (p *Position) parse(text string) error {
	p.clear()
	fields := strings.Split(text, " ")
	if len(fields) != 6 {
		return fault(kindFormat, "structure", "%d fields: want 6, separated by single blanks", len(fields))
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
	p.hash = p.computeHash()
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
				return atColumn(fault(kindFormat, "lexical", "two digits in a row: want one number per gap"), rank, i)
			}
			file += int(c - '0')
		case c == '?' || piece < 0:
			return atColumn(fault(kindPiece, "lexical", "invalid character %q: want a piece or a digit 1 to 8", c), rank, i)
		case file < 8:
			p.put(uint8(piece), mailbox64[rank*8+file])
			file++
		default:
			file++
		}
		if file > 8 {
			return atColumn(fault(kindFileCount, "structure", "more than 8 squares"), rank, i)
		}
	}
	if file < 8 {
		return atColumn(fault(kindFileCount, "structure", "%d squares: want 8", file), rank, len(row))
	}
	return nil
}

func (p *Position) readClocks(half, full string) error {
	h, ok := parseNumber(half, maxHalf)
	if !ok {
		return fault(kindClock, "structure", "half-move clock %q: want 0 to %d", half, maxHalf)
	}
	f, ok := parseNumber(full, maxFull)
	if !ok {
		return fault(kindClock, "structure", "full-move number %q: want 0 to %d", full, maxFull)
	}
	p.state |= uint32(h) << clockShift
	p.startPly = 2*(max(f, 1)-1) + int(p.turn())
	return nil
}

// parseNumber parses a decimal number without sign or leading zeros.
func parseNumber(text string, limit int) (n int, ok bool) {
	if text == "" || len(text) > 1 && text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n <= limit
}
