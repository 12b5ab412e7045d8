package report

import (
	"slices"

	"selfplay/datasets/stats"
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
)

// Choices of games.
const (
	FirstGame      = "first"
	LongestGame    = "longest"
	SurprisingGame = "surprising" // see stats.Notable
)

// maxSteps is the maximum number of plies of a game on the page.
const maxSteps = 1000

// Game is a whole game to step through.
type Game struct {
	Choices []string       `json:"choices"` // why it was chosen
	Game    uint64         `json:"game"`
	Players [2]string      `json:"players"`
	Start   string         `json:"start,omitempty"` // first position; "" for the start of the game
	Plies   int            `json:"plies"`
	Result  string         `json:"result"`
	Reason  string         `json:"reason"`
	Missed  *Missed        `json:"missed,omitempty"` // of the most surprising game
	outcome engine.Outcome // as Result and Reason
	cells   []int          // codes of the cells in the first position
	steps   []step         // of the plies on the page
	model   *encode.WDL    // of the files, nil if they have none
}

// Missed is the highest score of a side that did not win.
type Missed struct {
	Ply    int     `json:"ply"` // earlier plies
	Side   string  `json:"side"`
	Score  int     `json:"score"`
	Chance float64 `json:"win_chance,omitempty"` // by the model of the files, 0 without one; 1 for a proven end
}

// gamesOf returns the notable games, each once. model is that of the files, or nil.
func gamesOf(g *encode.Game, variant string, n stats.Notable, model *encode.WDL) (games []Game, err error) {
	for _, c := range []struct {
		choice string
		record *engine.Record
	}{{FirstGame, n.First}, {LongestGame, n.Longest}, {SurprisingGame, n.Upset.Game()}} {
		if c.record == nil {
			continue
		}
		i := slices.IndexFunc(games, func(k Game) bool { return k.Game == c.record.Game })
		if i < 0 {
			game, err := newGame(g, variant, c.record)
			if err != nil {
				return nil, err
			}
			game.model = model
			i, games = len(games), append(games, game)
		}
		games[i].Choices = append(games[i].Choices, c.choice)
		if c.choice == SurprisingGame {
			games[i].Missed = missedOf(g, n.Upset, model)
		}
	}
	return games, nil
}

func missedOf(g *encode.Game, u *stats.Upset, model *encode.WDL) *Missed {
	return &Missed{Ply: u.Ply, Side: g.Sides[u.Side], Score: u.Score, Chance: winChance(model, u.Score)}
}

// winChance returns the probability of a win, from the view of the side with the score.
// Without a model it is 0, except for proven ends.
func winChance(model *encode.WDL, score int) float64 {
	if model == nil && score <= engine.MaxStatic {
		return 0
	}
	win, _ := chances(model, score)
	return win
}

// chances returns the probability of a win and the expected share of the point.
func chances(model *encode.WDL, score int) (win, expected float64) {
	switch {
	case score > engine.MaxStatic:
		return 1, 1
	case score < -engine.MaxStatic:
		return 0, 0
	}
	win, draw, _ := wdl.ModelOf(model).Chances(score)
	return win, win + float64(draw/2)
}

// newGame replays a record.
func newGame(g *encode.Game, variant string, r *engine.Record) (Game, error) {
	game := Game{
		Game: r.Game, Players: r.Players, Start: r.Start, Plies: len(r.Actions),
		Result: g.Results()[r.Outcome.Result], Reason: r.Outcome.Reason.String(), outcome: r.Outcome,
	}
	pos := g.New(variant)
	if err := engine.Begin(pos, r.Start); err != nil {
		return Game{}, err
	}
	before := cellsOf(g, pos)
	game.cells = before
	err := g.Replay(pos, r, func(ply int, _ engine.Move) {
		if ply > 0 && ply <= maxSteps {
			game.steps[ply-1].changed, before = changes(before, cellsOf(g, pos))
		}
		if ply < maxSteps {
			game.steps = append(game.steps, newStep(g, pos, r, ply))
		}
	})
	if n := len(r.Actions); err == nil && n > 0 && n <= maxSteps {
		game.steps[n-1].changed, _ = changes(before, cellsOf(g, pos))
	}
	numberTurns(game.steps)
	return game, err
}
