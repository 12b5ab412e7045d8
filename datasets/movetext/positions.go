package movetext

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
)

// Formats of chess positions have no games. Package chessdata finds them while it decodes, so the
// text of such a game is what it has decoded.

// splitBinpack yields the games of a file in binpack. Their places are numbers of positions.
func splitBinpack(r io.Reader) iter.Seq2[Text, error] {
	return splitPositions(chessdata.NewBinpackGames(r), func(t *Text, place int) { t.Position = place })
}

// splitPlain yields the games of a file in plain text. Their places are lines.
func splitPlain(r io.Reader) iter.Seq2[Text, error] {
	return splitPositions(chessdata.NewPlainGames(r), func(t *Text, place int) { t.Line, t.Column = place, 1 })
}

func splitPositions(games *chessdata.GameReader, setPlace func(t *Text, place int)) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		for number := 1; ; number++ {
			t := Text{Number: number, game: new(chessdata.Game)}
			place, err := games.Read(t.game)
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil && !errors.As(err, &t.bad):
				yield(Text{}, err)
				return
			}
			if setPlace(&t, place); !yield(t, nil) {
				return
			}
		}
	}
}

// Size returns the number of bytes that the text takes in memory.
func (t *Text) Size() int {
	if t.game == nil {
		return len(t.Bytes)
	}
	const perMove = 4 + 2 // with its score
	return perMove * len(t.game.Moves)
}

// newPositionParser returns a parser of the texts of splitPositions.
func newPositionParser(p *Parser) func(t *Text, r *engine.Record) error {
	parser := newGameParser(p)
	return func(t *Text, r *engine.Record) error {
		switch {
		case t.bad == nil:
		case t.bad.Line > 0:
			return &ReadError{Place{Line: t.bad.Line, Column: 1}, t.bad.Err}
		default:
			return t.faultAt(len(t.game.Moves), t.bad.Err)
		}
		if ply, err := parser.parse(t.game, r); err != nil {
			return t.faultAt(max(ply, 0), err)
		}
		return nil
	}
}

// faultAt returns the error of a position of a text of splitPositions.
func (t *Text) faultAt(ply int, err error) error {
	if t.Position > 0 {
		return &ReadError{Place{Position: t.Position + ply}, err}
	}
	return &ReadError{Place{Line: t.Line + ply*chessdata.PlainLines, Column: 1}, err}
}

// gameParser turns games that package chessdata has decoded into records. They have no names.
type gameParser struct {
	*Parser
	pos *chess.Position
}

func newGameParser(p *Parser) *gameParser { return &gameParser{p, p.pos.(*chess.Position)} }

// wholeGame stands for no ply.
const wholeGame = -1

// parse sets r to a game. It returns with an error the ply that it is about.
func (p *gameParser) parse(g *chessdata.Game, r *engine.Record) (ply int, err error) {
	start, err := chess.Assemble(&g.Start)
	if err != nil {
		return wholeGame, err
	}
	if r.Start, err = p.begin(start.String()); err != nil {
		return wholeGame, err
	}
	r.Players = [2]string{"?", "?"}
	var cells [64]uint8
	for ply, want := range g.Moves {
		m, err := p.pos.Pack(want.Step)
		if err != nil {
			return ply, err
		}
		if is := chessdata.MoveOf(p.pos.AppendCells(cells[:0]), want.Step); is.Kind != want.Kind {
			return ply, fmt.Errorf("move %s: it is of another kind", p.pos.FormatMove(m))
		}
		p.play(m, r)
	}
	if len(r.Actions) == 0 {
		return wholeGame, ErrNoMoves
	}
	addForeign(r, g.Scores)
	r.Outcome, err = p.settle(g.Result)
	return wholeGame, err
}

// addForeign adds the scores of a game if it has any.
func addForeign(r *engine.Record, scores []int16) {
	if !slices.ContainsFunc(scores, isScore) {
		return
	}
	for _, score := range scores {
		if own, ok := chessdata.Own(score); ok {
			addScore(r, own, 1)
		} else {
			addScore(r, 0, 0)
		}
	}
}

func isScore(foreign int16) bool {
	_, ok := chessdata.Own(foreign)
	return ok
}
