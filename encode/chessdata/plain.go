package chessdata

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
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

// plainNames begin the lines of a position. The last line has nothing else.
var plainNames = [PlainLines]string{"fen", "move", "score", "ply", "result", "e"}

// PlainLines is the number of lines of a position.
const PlainLines = 6

const plainEnd = PlainLines - 1

// AppendPlain appends a position as text.
func AppendPlain(dst []byte, r *Row) ([]byte, error) {
	dst = appendClocks(appendFEN(append(dst, "fen "...), &r.Position), &r.Position)
	dst = appendUCI(append(dst, "\nmove "...), r.Move.Step)
	dst = strconv.AppendInt(append(dst, "\nscore "...), int64(r.Score), 10)
	dst = strconv.AppendInt(append(dst, "\nply "...), int64(plyOf(&r.Position)), 10)
	dst = strconv.AppendInt(append(dst, "\nresult "...), int64(r.Result), 10)
	return append(dst, "\ne\n"...), nil
}

// PlainReader reads positions from text. It belongs to one goroutine.
type PlainReader struct {
	lines *bufio.Scanner
	line  int
	first int             // line with which the last position begins
	at    [PlainLines]int // its lines, by name
	pos   *chess.Position
}

// NewPlainReader returns a reader of r.
func NewPlainReader(r io.Reader) *PlainReader {
	return &PlainReader{lines: bufio.NewScanner(r), pos: chess.New()}
}

// Read returns the next position. After the last the error is io.EOF. Others name the line. A
// position ends with a line e, also if the error is a *RowError.
func (p *PlainReader) Read() (r Row, err error) {
	var values [PlainLines]string
	bad, err := p.readValues(&values)
	switch {
	case err == io.EOF:
		return r, err
	case err != nil:
		return r, fmt.Errorf("read plain: %w", err)
	}
	at, err := r.parsePlain(p.pos, &values)
	if err != nil && bad == nil {
		bad = &RowError{Line: p.at[at], Err: err}
	}
	if bad != nil {
		return r, fmt.Errorf("read plain: %w", bad)
	}
	return r, nil
}

// place returns the line with which the last position begins.
func (p *PlainReader) place() int { return p.first }

// readValues reads the lines of a position up to its end. bad is a *RowError that names the
// first line with another name than the format has there.
func (p *PlainReader) readValues(values *[PlainLines]string) (bad, err error) {
	for i := 0; ; i++ {
		line, err := p.next()
		if err != nil {
			return nil, p.cutOff(i, bad, err)
		}
		if i == 0 {
			p.first = p.line
			p.at = [PlainLines]int{p.line, p.line, p.line, p.line, p.line, p.line}
		}
		name, value, _ := strings.Cut(line, " ")
		n := slices.Index(plainNames[:], name)
		if n != min(i, plainEnd) && bad == nil {
			bad = &RowError{Line: p.line, Err: wantLine(i)}
		}
		if n >= 0 && values[n] == "" {
			values[n], p.at[n] = value, p.line
		}
		if n == plainEnd {
			return bad, nil
		}
	}
}

func wantLine(i int) error {
	if i < plainEnd {
		return fmt.Errorf("want a line that begins with %s", plainNames[i])
	}
	return errors.New("want the line e after a result")
}

// cutOff returns the error of a position that ends before its line i.
func (p *PlainReader) cutOff(i int, bad, err error) error {
	switch {
	case err == io.EOF && i == 0:
		return err
	case err == io.EOF && bad != nil:
		return errors.New(bad.Error()) // the whole file is no text of positions
	case err == io.EOF && i == plainEnd:
		err = wantLine(i)
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("line %d: %w", p.line, err)
}

// next returns the next line that is not empty.
func (p *PlainReader) next() (string, error) {
	for p.lines.Scan() {
		p.line++
		if line := strings.TrimSuffix(p.lines.Text(), "\r"); line != "" {
			return line, nil
		}
	}
	if err := p.lines.Err(); err != nil {
		return "", err
	}
	return "", io.EOF
}

// parsePlain parses the values of plainNames. With an error, about the value at in plainNames, it parses what it can.
func (r *Row) parsePlain(p *chess.Position, values *[PlainLines]string) (at int, err error) {
	atLabel, bad := r.parseLabels(values)
	turn, byPly := r.Position.Turn, r.Position.FullMove
	if err := p.Set(values[0]); err != nil {
		return 0, err
	}
	r.Position = p.Parts()
	if r.Position.FullMove == 1 && r.Position.Turn == turn {
		r.Position.FullMove = byPly
	}
	m, err := p.ParseMove(values[1])
	if err != nil {
		return 1, err
	}
	r.Move = MoveOf(r.Position.Cells[:], chess.Unpack(m))
	return atLabel, bad
}

// parseLabels parses score, ply and result. The ply gives side and move number where the FEN is not valid, and the
// move number of a FEN that has none.
func (r *Row) parseLabels(values *[PlainLines]string) (at int, err error) {
	score, scoreErr := strconv.ParseInt(values[2], 10, 16)
	ply, plyErr := strconv.ParseUint(values[3], 10, 32)
	result, resultErr := strconv.ParseInt(values[4], 10, 8)
	r.Score, r.Result = int16(score), int8(result)
	r.Position.Turn = engine.Side(ply & 1)
	r.Position.FullMove = numberOf(int(min(ply, 2*(math.MaxUint16-1))), r.Position.Turn)
	switch {
	case scoreErr != nil || score == math.MinInt16:
		return 2, fmt.Errorf("score %q: want a number from %d to %d, or %d for a position without a score", values[2], -math.MaxInt16, math.MaxInt16, NoScore)
	case plyErr != nil:
		return 3, fmt.Errorf("ply %q: want a number of plies from 0", values[3])
	case resultErr != nil || result < -1 || result > 1:
		return 4, fmt.Errorf("result %q: want 1, 0 or -1", values[4])
	}
	return 0, nil
}
