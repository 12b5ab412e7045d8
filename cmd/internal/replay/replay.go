// Package replay turns the records of games into what people look at, ply by ply: the moves as
// text, how each was chosen, the cells that it changes, and scores as chances of a win. The
// report and the pages of the server share it.
//
//	replay.go  Game: a record, replayed
//	step.go    Step: its plies and their turns, also for scripts; ply.go one position and its
//	           decision in full
//	row.go     the row of a decision, and the planes of its position
//	text.go    plies, scores and endings as text
//	curve.go   scores as chances, and the expected result by ply as SVG
//
// Scores are in centi-units, as in package engine. Chances are for people: no dataset depends on
// them.
package replay

import (
	"slices"

	"selfplay/cmd/internal/board"
	"selfplay/encode"
	"selfplay/engine"
)

// Game is a game to step through.
type Game struct {
	Record *engine.Record
	Sides  [2]string
	Cells  []int       // codes of the cells in the first position, by encode.Game.Identity
	Hands  []int       // pieces in hand there: see encode.Board.Hands
	Steps  []Step      // of the first plies
	Model  *encode.WDL // of the files, nil if they have none
}

// New replays the first plies of a record, at most limit of them. The record must not change later. It fails if the game does not
// fit the rules.
func New(g *encode.Game, variant string, r *engine.Record, limit int, model *encode.WDL) (*Game, error) {
	game := &Game{Record: r, Sides: g.Sides, Model: model}
	pos := g.New(variant)
	if err := engine.Begin(pos, r.Start); err != nil {
		return nil, err
	}
	before := Cells(g, pos)
	game.Cells, game.Hands = before, Hands(g, pos)
	turn := FirstTurn(pos)
	err := g.Replay(pos, r, func(ply int, _ engine.Move) {
		if ply > 0 && ply <= limit {
			before = game.Steps[ply-1].leadTo(g, pos, before)
		}
		if ply < limit {
			game.Steps = append(game.Steps, newStep(g, pos, r, ply))
		}
	})
	if err != nil {
		return nil, err
	}
	if n := len(r.Actions); n > 0 && n <= limit {
		game.Steps[n-1].leadTo(g, pos, before)
	}
	NumberTurns(game.Steps, turn)
	return game, game.nameTurns(g, pos)
}

// nameTurns writes the turns of several plies as players do.
func (game *Game) nameTurns(g *encode.Game, pos engine.Position) error {
	return g.Turns(pos, game.Record, func(t encode.Turn) {
		for ply := t.Ply; len(t.Moves) > 1 && ply < min(t.Ply+len(t.Moves), len(game.Steps)); ply++ {
			game.Steps[ply].Whole = t.Text
		}
	})
}

// Cells returns the codes of the cells of a position.
func Cells(g *encode.Game, pos engine.Position) []int {
	l := g.Identity()
	return l.Values(nil, l.Encode(nil, pos))[:g.Board.Cells()]
}

// Hands returns the pieces in hand in a position, nil in games without hands.
func Hands(g *encode.Game, pos engine.Position) []int {
	if len(g.Board.Hands) == 0 {
		return nil
	}
	l := g.Identity()
	return board.HandValues(&g.Board, l.Values(nil, l.Encode(nil, pos)))
}

// leadTo adds the position after the step, and returns its cells. before are the cells before it.
func (s *Step) leadTo(g *encode.Game, pos engine.Position, before []int) (cells []int) {
	s.Changed, cells = Changes(before, Cells(g, pos))
	s.Hands = Hands(g, pos)
	return cells
}

// FirstTurn returns the number of the turn in a position, as its text has it; 1 in games whose texts
// have none.
func FirstTurn(pos engine.Position) int {
	if p, ok := pos.(engine.Numbered); ok {
		return int(p.FullMove())
	}
	return 1
}

// Changes returns pairs of a cell and its new code, and the new cells.
func Changes(before, after []int) (pairs, _ []int) {
	for cell, code := range after {
		if code != before[cell] {
			pairs = append(pairs, cell, code)
		}
	}
	return pairs, after
}

// HandsAt returns the pieces in hand after a number of plies, which has steps.
func (game *Game) HandsAt(ply int) []int {
	if ply == 0 {
		return game.Hands
	}
	return game.Steps[ply-1].Hands
}

// CellsAt returns the codes of the cells after a number of plies, which has steps.
func (game *Game) CellsAt(ply int) []int {
	cells := slices.Clone(game.Cells)
	for _, s := range game.Steps[:ply] {
		for i := 0; i < len(s.Changed); i += 2 {
			cells[s.Changed[i]] = s.Changed[i+1]
		}
	}
	return cells
}

// Codes returns the set of codes that occur on the cells.
func (game *Game) Codes() map[int]bool {
	codes := map[int]bool{}
	for _, code := range game.Cells {
		codes[code] = true
	}
	for _, s := range game.Steps {
		for i := 1; i < len(s.Changed); i += 2 {
			codes[s.Changed[i]] = true
		}
	}
	return codes
}
