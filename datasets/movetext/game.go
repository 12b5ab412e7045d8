package movetext

import (
	"fmt"
	"slices"

	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
)

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
		return wholeGame, errNoMoves
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
