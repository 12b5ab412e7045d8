package chessdata

import (
	"strconv"

	"selfplay/engine"
	"selfplay/engine/chess"
)

const codeLetters = ".PNBRQKpnbrqk"

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
	dst = appendRights(dst, p.Castling)
	if p.EnPassant < 0 {
		return append(dst, " -"...)
	}
	return appendCell(append(dst, ' '), uint8(passantCell(p)))
}

func appendRights(dst []byte, rights uint8) []byte {
	if rights == 0 {
		return append(dst, '-')
	}
	for i := range 4 {
		if rights>>i&1 != 0 {
			dst = append(dst, "KQkq"[i])
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

// plyOf returns the number of plies before a position, by the number of its full move.
func plyOf(p *chess.Parts) int { return 2*(max(int(p.FullMove), 1)-1) + int(p.Turn) }

// numberOf returns the full move of a position after this number of plies.
func numberOf(ply int, turn engine.Side) uint16 { return uint16((ply-int(turn))/2 + 1) }
