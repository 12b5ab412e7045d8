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
			t := Text{Number: number, Byte: at}
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

// viriParser parses games in viriformat.
type viriParser struct {
	*Parser
	pos  *chess.Position
	game chessdata.Game // its memory is reused
}

func newViriParser(p *Parser) func(t *Text, r *engine.Record) error {
	parser := &viriParser{Parser: p, pos: p.pos.(*chess.Position)}
	return func(t *Text, r *engine.Record) error {
		offset, err := parser.parse(t.Bytes, r)
		if err != nil {
			return t.fault(offset, err)
		}
		return nil
	}
}

// parse returns with an error the offset of the move that it is about.
func (p *viriParser) parse(data []byte, r *engine.Record) (offset int, err error) {
	if err := chessdata.ReadViri(bytes.NewReader(data), &p.game); err != nil {
		return 0, err
	}
	start, err := chess.Assemble(&p.game.Start)
	if err != nil {
		return 0, err
	}
	if r.Start, err = p.begin(start.String()); err != nil {
		return 0, err
	}
	r.Players = [2]string{"?", "?"}
	var cells [64]uint8
	for ply, want := range p.game.Moves {
		offset = viriStart + ply*viriMove
		m, err := p.pos.Pack(want.Step)
		if err != nil {
			return offset, err
		}
		if is := chessdata.MoveOf(p.pos.AppendCells(cells[:0]), want.Step); is.Kind != want.Kind {
			return offset, fmt.Errorf("move %s: it is of another kind", p.pos.FormatMove(m))
		}
		p.play(m, r)
	}
	if len(r.Actions) == 0 {
		return 0, errNoMoves
	}
	p.addScores(r)
	r.Outcome, err = settle(p.pos.Outcome(), p.game.Result)
	return 0, err
}

// addScores adds the scores if the game has any.
func (p *viriParser) addScores(r *engine.Record) {
	any := false
	for _, score := range p.game.Scores {
		own, ok := chessdata.Own(score)
		nodes := uint32(0)
		if ok {
			nodes, any = 1, true
		}
		r.Scores, r.Nodes = append(r.Scores, own), append(r.Nodes, nodes)
		r.PolicySize = append(r.PolicySize, 0)
	}
	if r.Best = append(r.Best, r.Actions...); !any {
		r.Best, r.Scores, r.Nodes, r.PolicySize = r.Best[:0], r.Scores[:0], r.Nodes[:0], r.PolicySize[:0]
	}
}
