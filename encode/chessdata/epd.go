package chessdata

import (
	"strconv"
	"strings"

	"selfplay/engine/chess"
)

// Extended Position Description has a line per position: the first four fields of its FEN and
// operations, in the order of their opcodes:
//
//	bm    the best move, in standard algebraic notation
//	c9    the result of the game as text, the comment that tuners of evaluations read
//	ce    the score in centipawns, from the view of the side to move
//	fmvn  the number of the full move
//	hmvc  the half-move clock
//
// A position without a score has neither bm nor ce.

var epdResults = [2][3]string{{"0-1", "1/2-1/2", "1-0"}, {"1-0", "1/2-1/2", "0-1"}}

// AppendEPD appends a position as a line. The best move must be legal.
func AppendEPD(dst []byte, r *Row) ([]byte, error) {
	dst = appendFEN(dst, &r.Position)
	if r.Score != NoScore {
		p, err := chess.Assemble(&r.Position)
		if err != nil {
			return dst, err
		}
		m, err := p.Pack(r.Move.Step)
		if err != nil {
			return dst, err
		}
		dst = append(append(append(dst, " bm "...), p.SAN(m)...), ';')
	}
	dst = append(append(append(dst, ` c9 "`...), epdResults[r.Position.Turn&1][r.Result+1]...), `";`...)
	if r.Score != NoScore {
		dst = append(strconv.AppendInt(append(dst, " ce "...), int64(r.Score), 10), ';')
	}
	dst = append(strconv.AppendUint(append(dst, " fmvn "...), uint64(r.Position.FullMove), 10), ';')
	return append(strconv.AppendUint(append(dst, " hmvc "...), uint64(r.Position.HalfMove), 10), ";\n"...), nil
}

// FENOfEPD returns the FEN of a line of EPD, whatever its operations are; clocks that it does not say are 0 and 1. They
// may also stand as in FEN, before the operations. A line without operations is returned as it is.
func FENOfEPD(line string) string {
	fields := strings.Fields(line)
	if len(fields) < 4 || len(fields) > 4 && !strings.Contains(line, ";") {
		return line
	}
	half, full, rest := "0", "1", fields[4:]
	if len(rest) > 1 && beginsWithDigit(rest[0]) && beginsWithDigit(rest[1]) {
		half, full, rest = rest[0], strings.TrimSuffix(rest[1], ";"), rest[2:]
	}
	for _, operation := range splitOperations(strings.Join(rest, " ")) {
		opcode, operand, _ := strings.Cut(operation, " ")
		switch opcode {
		case "hmvc":
			half = operand
		case "fmvn":
			full = operand
		}
	}
	return strings.Join(append(fields[:4:4], half, full), " ")
}

func beginsWithDigit(text string) bool { return text[0] >= '0' && text[0] <= '9' }

// splitOperations splits operations at their semicolons, of which strings may have some.
func splitOperations(text string) (list []string) {
	quoted := false
	for _, operation := range strings.FieldsFunc(text, func(c rune) bool {
		quoted = quoted != (c == '"')
		return c == ';' && !quoted
	}) {
		list = append(list, strings.TrimSpace(operation))
	}
	return list
}
