package chessdata

import (
	"errors"
	"fmt"
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

// DecodeEPD decodes a line that AppendEPD writes, without its end. Other operations are
// skipped. A best move must be legal.
func DecodeEPD(line string) (r Row, err error) {
	if err = r.parseEPD(line); err != nil {
		err = fmt.Errorf("decode epd: %w", err)
	}
	return r, err
}

func (r *Row) parseEPD(line string) error {
	fields := strings.SplitN(line, " ", 5)
	if len(fields) < 5 {
		return errors.New("want four fields and operations")
	}
	operations, err := splitEPD(fields[4])
	if err != nil {
		return err
	}
	clock, number := "0", "1"
	if v, found := operations["hmvc"]; found {
		clock = v
	}
	if v, found := operations["fmvn"]; found {
		number = v
	}
	p := chess.New()
	if err := p.Set(strings.Join(append(fields[:4:4], clock, number), " ")); err != nil {
		return err
	}
	r.Position, r.Score = p.Parts(), NoScore
	if text, found := operations["ce"]; found {
		score, err := strconv.ParseInt(text, 10, 16)
		if err != nil || score == -1<<15 {
			return fmt.Errorf("ce %q: want a number", text)
		}
		r.Score = int16(score)
	}
	if text, found := operations["bm"]; found {
		if r.Move, err = moveOfSAN(p, text); err != nil {
			return err
		}
	}
	return r.parseResult(operations["c9"])
}

func (r *Row) parseResult(text string) error {
	for i, result := range epdResults[r.Position.Turn&1] {
		if text == strconv.Quote(result) {
			r.Result = int8(i) - 1
			return nil
		}
	}
	return fmt.Errorf("c9 %s: want the result of the game", text)
}

// moveOfSAN returns the legal move with a text.
func moveOfSAN(p *chess.Position, text string) (Move, error) {
	for _, m := range p.Moves(nil) {
		if p.SAN(m) == text {
			return MoveOf(p.AppendCells(nil), chess.Unpack(m)), nil
		}
	}
	return Move{}, fmt.Errorf("bm %q: not a legal move here", text)
}

// splitEPD splits operations at their semicolons. A string has no semicolons.
func splitEPD(text string) (map[string]string, error) {
	operations := map[string]string{}
	for text != "" {
		operation, rest, found := strings.Cut(text, ";")
		if !found {
			return nil, fmt.Errorf("operation %q has no end", text)
		}
		opcode, operand, _ := strings.Cut(strings.TrimSpace(operation), " ")
		operations[opcode] = operand
		text = strings.TrimSpace(rest)
	}
	return operations, nil
}
