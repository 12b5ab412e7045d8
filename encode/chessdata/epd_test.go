package chessdata

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// decodeEPD decodes a line that AppendEPD writes, without its end. Other operations are
// skipped. A best move must be legal.
func decodeEPD(line string) (r Row, err error) {
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
	p := chess.New()
	if err := p.Set(FENOfEPD(line)); err != nil {
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

// TestEPDTextIsFrozen: with and without a score.
func TestEPDTextIsFrozen(t *testing.T) {
	r := rowOf(t, "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 4 20", "e8c8")
	r.Score, r.Result = -12, 1
	const fields = "r3k2r/8/8/8/8/8/8/R3K2R b Kq - "
	if got, err := AppendEPD(nil, &r); string(got) != fields+`bm O-O-O; c9 "0-1"; ce -12; fmvn 20; hmvc 4;`+"\n" || err != nil {
		t.Errorf("%s%v", got, err)
	}
	r.Score = NoScore
	if got, err := AppendEPD(nil, &r); string(got) != fields+`c9 "0-1"; fmvn 20; hmvc 4;`+"\n" || err != nil {
		t.Errorf("%s%v", got, err)
	}
}

// TestEPDPositions: FENs of lines that programs write, in EPD and in FEN.
func TestEPDPositions(t *testing.T) {
	const p = "4k3/8/8/8/8/8/8/4K3 w - -"
	for _, c := range []struct{ line, want string }{
		{p, p + " 0 1"},
		{p + " 7 42", p + " 7 42"},
		{p + " hmvc 7; fmvn 42;", p + " 7 42"},
		{p + " bm Ke2;", p + " 0 1"},
		{p + ` c9 "1/2-1/2"; ce -3; fmvn 42; hmvc 7;`, p + " 7 42"},
		{p + ` id "fmvn 9; x"; fmvn 42;`, p + " 0 42"},
		{p + ` 7 42 id "x";`, p + " 7 42"},
		{p + " 7 42; bm Ke2;", p + " 7 42"},
		{p + " fmvn x;", p + " 0 x"},
		{p + " 7", p + " 7"},
		{p + " 7 42 x", p + " 7 42 x"},
		{"4k3/8/8/8/8/8/8/4K3 w", "4k3/8/8/8/8/8/8/4K3 w"},
		{"", ""},
	} {
		if got := FENOfEPD(c.line); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}

// TestEPDReadsBack: the same rows.
func TestEPDReadsBack(t *testing.T) {
	for _, want := range sampleRows(t, 5) {
		line := encoded(t, AppendEPD, want)
		if got, err := decodeEPD(strings.TrimSuffix(string(line), "\n")); err != nil || got != want {
			t.Fatalf("%s%+v, want %+v, %v", line, got, want, err)
		}
	}
}

func TestEPDRefusals(t *testing.T) {
	const good = `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm Nf3; c9 "1-0"; ce 3;`
	must.Get(decodeEPD(good))(t)
	for _, c := range []struct{ old, new, want string }{
		{" w KQkq - bm Nf3; c9 \"1-0\"; ce 3;", "", "want four fields and operations"},
		{"Nf3", "Nf4", `bm "Nf4": not a legal move here`},
		{"1-0", "1:0", `c9 "1:0": want the result`},
		{"ce 3", "ce x", `ce "x": want a number`},
		{"ce 3;", "ce 3", `operation "ce 3" has no end`},
		{"KQkq", "KQkx", "decode epd: "},
		{"ce 3;", "hmvc 300;", "decode epd: "},
	} {
		if _, err := decodeEPD(strings.Replace(good, c.old, c.new, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
	r := rowOf(t, chess.StartText, "e2e4")
	r.Move.To = 0
	if _, err := AppendEPD(nil, &r); err == nil {
		t.Error("an illegal best move is written")
	}
}

// FuzzEPD: as FuzzBinpack.
func FuzzEPD(f *testing.F) {
	for _, r := range sampleRows(f, 0) {
		f.Add(strings.TrimSuffix(string(encoded(f, AppendEPD, r)), "\n"))
	}
	f.Fuzz(func(t *testing.T, line string) {
		r, err := decodeEPD(line)
		if err != nil || r.Score != NoScore && r.Move == (Move{}) || r.Score == NoScore && r.Move != (Move{}) {
			return // a score without a best move, or the other way round, is not written
		}
		again := encoded(t, AppendEPD, r)
		if got, err := decodeEPD(strings.TrimSuffix(string(again), "\n")); err != nil || got != r {
			t.Fatalf("%q and %q: %+v, want %+v, %v", line, again, got, r, err)
		}
	})
}
