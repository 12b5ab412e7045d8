package analysis

import (
	"time"

	"selfplay/cmd/internal/replay"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// Answer is what a player decides in a position. Scores are in centi-units, from the view of the
// side to move.
type Answer struct {
	Game     string `json:"game"`
	Position string `json:"position"`
	Side     string `json:"side"`
	Player   string `json:"player"` // that decided, with its limits
	// Limited is set if the limits of the server may have ended the search: without them the
	// player would search more nodes.
	Limited bool `json:"limited"`
	// Result and Reason are set if the game is over; then nothing below is.
	Result string `json:"result,omitempty"`
	Reason string `json:"reason,omitempty"`

	Move      *replay.Move    `json:"move,omitempty"` // that the player plays
	Searched  bool            `json:"searched"`
	Best      *replay.Move    `json:"best,omitempty"`
	Score     int             `json:"score"`
	ScoreText string          `json:"score_text,omitempty"`
	WinChance *float64        `json:"win_chance,omitempty"` // nil without a model, but for proven ends
	Model     string          `json:"model,omitempty"`      // games that the win chance was fitted to
	Nodes     uint32          `json:"nodes"`
	Depth     int             `json:"depth,omitempty"` // in turns; of mcts the longest path in plies
	Line      []replay.Move   `json:"line,omitempty"`  // principal variation, from the best move on
	Seconds   float64         `json:"seconds"`
	Policy    []replay.Choice `json:"policy,omitempty"`
}

// answer describes a decision in the position of the search.
func (s *search) answer(spec workers.PlayerSpec, d *workers.Decision, ok, limited bool, taken time.Duration) *Answer {
	g := &s.game
	a := &Answer{Game: g.Name, Position: s.pos.String(), Side: g.Sides[s.pos.Turn()], Player: spec.String(), Limited: limited, Seconds: taken.Seconds()}
	if !ok {
		end := s.pos.Outcome()
		a.Result, a.Reason = g.Results()[end.Result], g.ReasonName(end.Reason)
		return a
	}
	move := s.move(d.Move)
	a.Move = &move
	if d.Nodes == 0 {
		return a
	}
	best := s.move(d.Best)
	a.Searched, a.Best, a.Nodes, a.Score = true, &best, d.Nodes, int(d.Score)
	a.judge(s.model(spec, limited))
	all := 0.0
	for _, w := range d.Policy {
		all += float64(w.Weight)
	}
	for _, w := range d.Policy {
		if w.Weight > 0 {
			a.Policy = append(a.Policy, replay.Choice{Move: s.move(w.Move), Share: float64(w.Weight) / all})
		}
	}
	return a
}

// model returns the model of games of a player against itself, nil if there is none. A search that
// was cut short is not that player's.
func (s *search) model(spec workers.PlayerSpec, limited bool) *encode.WDL {
	if limited {
		return nil
	}
	games := workers.Series{Game: s.game, Players: [2]workers.PlayerSpec{spec, spec}}
	return games.WDL()
}

// judge says what the score is worth by a model, which may be nil.
func (a *Answer) judge(model *encode.WDL) {
	a.ScoreText = replay.ScoreText(model, a.Score)
	if model != nil {
		a.Model = model.FittedTo
	}
	if model != nil || a.Score > engine.MaxStatic || a.Score < -engine.MaxStatic {
		chance := replay.WinChance(model, a.Score)
		a.WinChance = &chance
	}
}

// maxLine is the number of moves of a principal variation.
const maxLine = 8

// explain adds the principal variation and the depth of the last search of a player.
func (s *search) explain(a *Answer, e workers.Explainer) {
	line, depth := e.Line(s.pos, maxLine)
	a.Depth = depth
	for _, m := range line {
		a.Line = append(a.Line, s.move(m))
		s.pos.Do(m)
	}
	for range line {
		s.pos.Undo()
	}
}

func (s *search) move(m engine.Move) replay.Move {
	return replay.NewMove(&s.game, s.pos, s.game.Actions.Number(m))
}
