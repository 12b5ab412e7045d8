package replay

import (
	"fmt"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// Step is a ply.
type Step struct {
	Move     string // in the notation for people
	Whole    string // the turn of several plies, in the same notation
	Side     engine.Side
	Turn     int // number of the turn of both sides, from 1, as players count moves
	TurnStep int // number of the ply in its turn, from 1
	TurnSize int // plies of the turn
	Rank     uint8
	Opening  bool // in the random opening
	Searched bool
	Score    int    // if searched, from the view of Side
	Best     string // the best move of the search, if another was played
	Changed  []int  // pairs of a cell and its code after the ply
	Hands    []int  // pieces in hand after the ply, nil in games without hands
	First    bool   // of the game
}

// newStep returns a ply, without the cells that it changes. Its position is on pos.
func newStep(g *encode.Game, pos engine.Position, r *engine.Record, ply int) Step {
	s := Step{Move: MoveText(g, pos, r.Actions[ply]), Side: pos.Turn(), Rank: r.MoveRanks[ply], Opening: ply < int(r.OpeningPlies)}
	if ply >= len(r.Nodes) || r.Nodes[ply] == 0 {
		return s
	}
	s.Searched, s.Score = true, int(r.Scores[ply])
	if r.Best[ply] != r.Actions[ply] {
		s.Best = MoveText(g, pos, r.Best[ply])
	}
	return s
}

// MoveText writes a move as encode.MoveText does. Positions format legal moves only, so the move of
// a forged record is written as its number.
func MoveText(g *encode.Game, pos engine.Position, action uint16) string {
	m, err := g.Actions.Move(pos, action)
	if err != nil || !slices.Contains(pos.Moves(nil), m) {
		return fmt.Sprintf("action %d", action)
	}
	return encode.MoveText(pos, m)
}

// NumberTurns numbers the turns from that of the first position on, and the plies of each.
// Consecutive plies of a side are one turn.
func NumberTurns(steps []Step, first int) {
	for i := range steps {
		steps[i].Turn, steps[i].TurnStep, steps[i].First = first, 1, i == 0
		if i == 0 {
			continue
		}
		steps[i].Turn = steps[i-1].Turn
		switch before := steps[i-1].Side; {
		case steps[i].Side == before:
			steps[i].TurnStep = steps[i-1].TurnStep + 1
		case before == engine.Second:
			steps[i].Turn++
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		steps[i].TurnSize = steps[i].TurnStep
		if i+1 < len(steps) && steps[i+1].TurnStep > 1 {
			steps[i].TurnSize = steps[i+1].TurnSize
		}
	}
}

// Script is what a script of a page needs to step through a game.
type Script struct {
	Begin string       `json:"begin"` // text of the first position
	End   string       `json:"end"`   // added to the text of the last position
	Cells []int        `json:"cells"` // codes of the cells of the first position
	Hands []int        `json:"hands,omitempty"`
	Steps []ScriptStep `json:"steps"`
}

// ScriptStep is a ply.
type ScriptStep struct {
	Text  string `json:"text"`            // side and move
	Note  string `json:"note"`            // how the move was chosen, and the score
	Cells []int  `json:"cells"`           // pairs of a changed cell and its code
	Hands []int  `json:"hands,omitempty"` // pieces in hand after the ply
	More  bool   `json:"more,omitempty"`  // continues a turn
}

// Script returns the game for a script.
func (game *Game) Script(g *encode.Game) Script {
	list := Script{Begin: "First position", End: End(g, game.Record.Outcome), Cells: game.Cells, Hands: game.Hands}
	if game.Record.Start != "" {
		list.Begin += ": " + game.Record.Start
	}
	for i := range game.Steps {
		s := &game.Steps[i]
		list.Steps = append(list.Steps, ScriptStep{s.Text(g.Sides), s.Note(game.Model), s.Changed, s.Hands, s.TurnStep > 1})
	}
	return list
}
