package chessdata

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"selfplay/engine/chess"
)

// The text format of Stockfish's data tools has six lines per position. Score and result are
// those of the side to move; the score 32002 marks a position that trainers leave out.
//
//	fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//	move e2e4
//	score 30
//	ply 0
//	result 1
//	e

// plainNames begin the lines of a position before its end.
var plainNames = [...]string{"fen", "move", "score", "ply", "result"}

const plainEnd = "e"

// AppendPlain appends a position as text.
func AppendPlain(dst []byte, r *Row) ([]byte, error) {
	dst = appendClocks(appendFEN(append(dst, "fen "...), &r.Position), &r.Position)
	dst = appendUCI(append(dst, "\nmove "...), r.Move.Step)
	dst = strconv.AppendInt(append(dst, "\nscore "...), int64(r.Score), 10)
	dst = strconv.AppendInt(append(dst, "\nply "...), int64(plyOf(&r.Position)), 10)
	dst = strconv.AppendInt(append(dst, "\nresult "...), int64(r.Result), 10)
	return append(dst, "\n"+plainEnd+"\n"...), nil
}

// PlainReader reads positions from text. It belongs to one goroutine.
type PlainReader struct {
	lines *bufio.Scanner
	line  int
}

// NewPlainReader returns a reader of r.
func NewPlainReader(r io.Reader) *PlainReader { return &PlainReader{lines: bufio.NewScanner(r)} }

// Read returns the next position. After the last the error is io.EOF. Others name the line.
func (p *PlainReader) Read() (r Row, err error) {
	var values [len(plainNames)]string
	for i, name := range plainNames {
		if values[i], err = p.value(name); err == io.EOF && i == 0 {
			return r, io.EOF
		} else if err != nil {
			return r, p.fault(err)
		}
	}
	first := p.line - len(plainNames) + 1
	if line, err := p.next(); err != nil || line != plainEnd {
		return r, p.fault(fmt.Errorf("want the line %s after a result", plainEnd))
	}
	if err := r.parsePlain(values); err != nil {
		return r, fmt.Errorf("read plain: position of line %d: %w", first, err)
	}
	return r, nil
}

func (p *PlainReader) fault(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read plain: line %d: %w", p.line, err)
}

func (p *PlainReader) next() (string, error) {
	if !p.lines.Scan() {
		if err := p.lines.Err(); err != nil {
			return "", err
		}
		return "", io.EOF
	}
	p.line++
	return strings.TrimSuffix(p.lines.Text(), "\r"), nil
}

// value returns the rest of the next line, which must begin with a name.
func (p *PlainReader) value(name string) (string, error) {
	line, err := p.next()
	if err != nil {
		return "", err
	}
	value, found := strings.CutPrefix(line, name+" ")
	if !found {
		return "", fmt.Errorf("want a line that begins with %s", name)
	}
	return value, nil
}

// parsePlain parses the values of plainNames.
func (r *Row) parsePlain(values [len(plainNames)]string) error {
	p := chess.New()
	if err := p.Set(values[0]); err != nil {
		return err
	}
	m, err := p.ParseMove(values[1])
	if err != nil {
		return err
	}
	r.Position = p.Parts()
	r.Move = MoveOf(r.Position.Cells[:], chess.Unpack(m))
	score, err := strconv.ParseInt(values[2], 10, 16)
	if err == nil && score == -1<<15 {
		err = errScore
	}
	if err != nil {
		return fmt.Errorf("score: %w", err)
	}
	if _, err := strconv.ParseUint(values[3], 10, 32); err != nil {
		return fmt.Errorf("ply: %w", err)
	}
	result, err := strconv.ParseInt(values[4], 10, 8)
	if err == nil && (result < -1 || result > 1) {
		err = errors.New("want 1, 0 or -1")
	}
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	r.Score, r.Result = int16(score), int8(result)
	return nil
}
