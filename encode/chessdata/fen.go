package chessdata

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/engine"
	"selfplay/engine/chess"
)

const (
	codeLetters = ".PNBRQKpnbrqk"
	codeRights  = "KQkq"
)

// appendFEN appends a position in Forsyth-Edwards notation, without the clocks.
func appendFEN(dst []byte, p *chess.Parts) []byte {
	for rank := range 8 {
		if rank > 0 {
			dst = append(dst, '/')
		}
		empty := byte('0')
		for _, code := range p.Cells[8*rank:][:8] {
			if code == 0 {
				empty++
				continue
			}
			if empty > '0' {
				dst, empty = append(dst, empty), '0'
			}
			dst = append(dst, codeLetters[code])
		}
		if empty > '0' {
			dst = append(dst, empty)
		}
	}
	dst = append(dst, ' ', "wb"[p.Turn&1], ' ')
	if p.Chess960 {
		dst = appendRooks(dst, p)
	} else {
		dst = appendRights(dst, p.Castling)
	}
	if p.EnPassant < 0 {
		return append(dst, " -"...)
	}
	return appendCell(append(dst, ' '), uint8(passantCell(p)))
}

// appendRooks appends the castling rights of Chess960 as X-FEN has them: the file of a rook that has
// another one behind it, seen from the king, else as in standard chess.
func appendRooks(dst []byte, p *chess.Parts) []byte {
	if p.Castling == 0 {
		return append(dst, '-')
	}
	for i, cell := range p.RookCells() {
		if cell < 0 {
			continue
		}
		letter, outwards := "KQkq"[i], 1-i&1*2
		for other := cell + outwards; other >= 0 && other < 64 && other/8 == cell/8; other += outwards {
			if p.Cells[other] == p.Cells[cell] {
				letter = "Aa"[i>>1] + byte(cell&7)
			}
		}
		dst = append(dst, letter)
	}
	return dst
}

func appendRights(dst []byte, rights uint8) []byte {
	if rights == 0 {
		return append(dst, '-')
	}
	for i := range 4 {
		if rights>>i&1 != 0 {
			dst = append(dst, codeRights[i])
		}
	}
	return dst
}

func appendCell(dst []byte, cell uint8) []byte {
	return append(dst, 'a'+cell%8, '8'-cell/8)
}

// appendClocks appends the last two fields of a FEN.
func appendClocks(dst []byte, p *chess.Parts) []byte {
	dst = strconv.AppendUint(append(dst, ' '), uint64(p.HalfMove), 10)
	return strconv.AppendUint(append(dst, ' '), uint64(p.FullMove), 10)
}

// appendUCI appends a move as UCI writes it: e2e4, e1g1, e7e8q.
func appendUCI(dst []byte, s chess.Step) []byte {
	dst = appendCell(appendCell(dst, s.From), s.To)
	if s.Promotion != 0 {
		dst = append(dst, codeLetters[s.Promotion+perSide])
	}
	return dst
}

// RepairFEN returns a FEN as most programs read it: with the clocks 0 and 1 if it has none, without castling rights of
// a king or rook that is not at home, and the others in order. dropped says that it had such rights. It returns other
// faults as they are.
func RepairFEN(text string) (fen string, dropped bool) {
	fields := strings.Fields(text)
	if len(fields) == 4 { // as in EPD
		fields = append(fields, "0", "1")
	}
	if len(fields) == 6 {
		fields[2], dropped = repairRights(fields[0], fields[2])
	}
	return strings.Join(fields, " "), dropped
}

func repairRights(placement, rights string) (kept string, dropped bool) {
	rows := strings.Split(placement, "/")
	if len(rows) != 8 || rights == "" || strings.Trim(rights, codeRights) != "" {
		return rights, false
	}
	bits := uint8(0)
	for i, right := range []byte(codeRights) {
		if strings.IndexByte(rights, right) < 0 {
			continue
		}
		row, side := rows[7], byte(0)
		if i >= 2 {
			row, side = rows[0], 'a'-'A'
		}
		if pieceAt(row, 4) == 'K'+side && pieceAt(row, [2]int{7, 0}[i%2]) == 'R'+side {
			bits |= 1 << i
		} else {
			dropped = true
		}
	}
	return string(appendRights(nil, bits)), dropped
}

// pieceAt returns the letter on a file, from 0, of a rank in Forsyth-Edwards notation, 0 for none.
func pieceAt(row string, file int) byte {
	for _, c := range []byte(row) {
		gap := 1
		if c >= '1' && c <= '8' {
			gap, c = int(c-'0'), 0
		}
		if file < gap {
			return c
		}
		file -= gap
	}
	return 0
}

// plyOf returns the number of plies before a position, by the number of its full move.
func plyOf(p *chess.Parts) int { return 2*(max(int(p.FullMove), 1)-1) + int(p.Turn) }

// numberOf returns the full move of a position after this number of plies.
func numberOf(ply int, turn engine.Side) uint16 { return uint16((ply-int(turn))/2 + 1) }

// Kind is what a move does besides going from one cell to another. Formats store it, so that
// their readers need no rules.
type Kind uint8

// The kinds of moves.
const (
	Normal Kind = iota // a capture, too
	EnPassant
	Castling
	Promotion
)

// Move is a move of a position.
type Move struct {
	chess.Step
	Kind Kind
}

// MoveOf returns the legal move of a step on a board with these cells. A king that goes to its own
// rook castles: Chess960.
func MoveOf(cells []uint8, s chess.Step) Move {
	m := Move{Step: s}
	switch code := cells[s.From]; {
	case s.Promotion != 0:
		m.Kind = Promotion
	case (code == whitePawn || code == blackPawn) && (s.From-s.To)%8 != 0 && cells[s.To] == 0:
		m.Kind = EnPassant
	case (code == whiteKing || code == blackKing) && (s.To == s.From+2 || s.From == s.To+2 || cells[s.To] == code-whiteKing+whiteRook):
		m.Kind = Castling
	}
	return m
}

// Cells of castling, by wing: the king's and the queen's. Those of black are in the first row.
const (
	kingHome  = 60 // e1; e8 is 4
	whiteHome = 56 // a1: the offset of white's cells
)

// rookCell returns the cell of the rook with which a king on its home cell castles.
func (m *Move) rookCell() uint8 {
	if m.To > m.From {
		return m.From + 3
	}
	return m.From - 4
}

// kingStep returns the step of the king that castles with the rook on a cell.
func kingStep(from, rook uint8) (chess.Step, error) {
	if from != kingHome && from != kingHome-whiteHome || rook != from+3 && rook != from-4 {
		return chess.Step{}, fmt.Errorf("castling of cells %d and %d: want standard chess", from, rook)
	}
	if rook > from {
		return chess.Step{From: from, To: from + 2}, nil
	}
	return chess.Step{From: from, To: from - 2}, nil
}

// decodeMove returns the move of a number of viriformat or binpack, taken apart: castling goes to
// the cell of the rook, and the promotion piece counts from the knight.
func decodeMove(number uint16, kind Kind, from, to, promotion uint8) (Move, error) {
	m := Move{Step: chess.Step{From: from, To: to}, Kind: kind}
	switch {
	case from == to:
		return Move{}, fmt.Errorf("number %d stays on its cell", number)
	case kind == Promotion:
		m.Promotion = promotion + 2
	case promotion != 0:
		return Move{}, fmt.Errorf("number %d has a promotion piece, but is no promotion", number)
	case kind == Castling:
		step, err := kingStep(from, to)
		if err != nil {
			return Move{}, err
		}
		m.Step = step
	}
	return m, nil
}
