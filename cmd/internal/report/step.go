package report

import (
	"fmt"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// step is a ply on the page.
type step struct {
	move     string
	side     engine.Side
	turnStep int // number of the ply in its turn, from 1
	turnSize int // plies of the turn
	rank     uint8
	opening  bool // in the random opening
	searched bool
	score    int    // if searched, from the view of side
	best     string // the best move of the search, if another was played
	changed  []int  // pairs of a cell and its code after the ply
}

// newStep returns a ply, without the cells that it changes. Its position is on pos.
func newStep(g *encode.Game, pos engine.Position, r *engine.Record, ply int) step {
	s := step{move: moveText(g, pos, r.Actions[ply]), side: pos.Turn(), rank: r.MoveRanks[ply], opening: ply < int(r.OpeningPlies)}
	if ply >= len(r.Nodes) || r.Nodes[ply] == 0 {
		return s
	}
	s.searched, s.score = true, int(r.Scores[ply])
	if r.Best[ply] != r.Actions[ply] {
		s.best = moveText(g, pos, r.Best[ply])
	}
	return s
}

// moveText writes a move, in algebraic notation if the game has one. Positions format legal
// moves only, so the move of a forged record is written as its number.
func moveText(g *encode.Game, pos engine.Position, action uint16) string {
	m, err := g.Actions.Move(pos, action)
	if err != nil || !slices.Contains(pos.Moves(nil), m) {
		return fmt.Sprintf("action %d", action)
	}
	if p, ok := pos.(engine.Algebraic); ok {
		return p.SAN(m)
	}
	return pos.FormatMove(m)
}

// cellsOf returns the codes of the cells.
func cellsOf(g *encode.Game, pos engine.Position) []int {
	l := g.Identity()
	return l.Values(nil, l.Encode(nil, pos))[:g.Board.Cells()]
}

// changes returns pairs of a cell and its new code, and the new cells.
func changes(before, after []int) (pairs, _ []int) {
	for cell, code := range after {
		if code != before[cell] {
			pairs = append(pairs, cell, code)
		}
	}
	return pairs, after
}

// numberTurns numbers the plies of each turn. Consecutive plies of a side are one turn.
func numberTurns(steps []step) {
	for i := range steps {
		steps[i].turnStep = 1
		if i > 0 && steps[i].side == steps[i-1].side {
			steps[i].turnStep = steps[i-1].turnStep + 1
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		steps[i].turnSize = steps[i].turnStep
		if i+1 < len(steps) && steps[i+1].turnStep > 1 {
			steps[i].turnSize = steps[i+1].turnSize
		}
	}
}
