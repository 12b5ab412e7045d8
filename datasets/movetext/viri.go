package movetext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
)

func isChess(pos engine.Position) bool {
	_, ok := pos.(*chess.Position)
	return ok
}

// isStandardChess is isChess without Chess960.
func isStandardChess(pos engine.Position) bool { return isChess(pos) && !isChess960(pos) }

func isChess960(pos engine.Position) bool {
	p, ok := pos.(*chess.Position)
	return ok && p.Parts().Chess960
}

// appendViri appends a game in viriformat. Positions that were not searched have
// chessdata.NoScore. A game that was cut off is drawn, as in the column outcome of rows.
func appendViri(dst []byte, w *Writer, r *engine.Record) ([]byte, error) {
	g := chessdata.Game{Moves: w.viri.Moves[:0], Scores: w.viri.Scores[:0], Result: r.Outcome.Result}
	pos := w.pos.(*chess.Position)
	var cells [64]uint8
	if err := engine.Begin(pos, r.Start); err != nil {
		return dst, err
	}
	g.Start = pos.Parts()
	err := w.Game.Replay(pos, r, func(ply int, m engine.Move) {
		score := int16(chessdata.NoScore)
		if ply < len(r.Nodes) && r.Nodes[ply] != 0 {
			score = chessdata.Foreign(r.Scores[ply])
		}
		g.Moves = append(g.Moves, chessdata.MoveOf(pos.AppendCells(cells[:0]), chess.Unpack(m)))
		g.Scores = append(g.Scores, score)
	})
	w.viri = g
	if err != nil {
		return dst, err
	}
	return chessdata.AppendViri(dst, &g)
}

// Sizes of viriformat in bytes; see package chessdata.
const (
	viriStart = 32
	viriMove  = 4
)

// splitViri yields the games of a file in viriformat. Each ends with a move of zeros, so a game
// that breaks the rules costs no other.
func splitViri(r io.Reader) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		in, at := bufio.NewReaderSize(r, 64<<10), int64(0)
		for number := 1; ; number++ {
			t := Text{Number: number, Place: Place{Byte: at}}
			err := cutViri(in, &t)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Text{}, fmt.Errorf("byte %d: %w", at, err))
				return
			}
			if at += int64(len(t.Bytes)); !yield(t, nil) {
				return
			}
		}
	}
}

// cutViri reads the bytes of a game. At the end of the file the error is io.EOF.
func cutViri(in *bufio.Reader, t *Text) error {
	t.Bytes = make([]byte, viriStart, viriStart+200*viriMove)
	if _, err := io.ReadFull(in, t.Bytes); err != nil {
		return unlessEnd(err)
	}
	for {
		var move [viriMove]byte
		if _, err := io.ReadFull(in, move[:]); err != nil {
			return fmt.Errorf("the game has no end: %w", io.ErrUnexpectedEOF)
		}
		t.Bytes = append(t.Bytes, move[:]...)
		switch {
		case move == [viriMove]byte{}:
			return nil
		case len(t.Bytes) > MaxText:
			return fmt.Errorf("the game has more than %d MiB", MaxText>>20)
		}
	}
}

// unlessEnd returns io.EOF at the end of a file, and other errors with what was read.
func unlessEnd(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the first position is cut off: %w", err)
	}
	return err
}

func newViriParser(p *Parser) func(t *Text, r *engine.Record) error {
	var game chessdata.Game // its memory is reused
	parser := newGameParser(p)
	game.Start.Chess960 = isChess960(p.pos)
	return func(t *Text, r *engine.Record) error {
		if err := chessdata.ReadViri(bytes.NewReader(t.Bytes), &game); err != nil {
			return t.fault(0, err)
		}
		switch ply, err := parser.parse(&game, r); {
		case err == nil:
			return nil
		case ply == wholeGame:
			return t.fault(0, err)
		default:
			return t.fault(viriStart+ply*viriMove, err)
		}
	}
}
