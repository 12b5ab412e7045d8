package workers

import (
	"errors"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
)

var errModelGone = errors.New("the model is gone")

// failingModel is a search.Model that fails after some calls.
type failingModel struct{ left int }

func (m *failingModel) Evaluate(engine.Position, []engine.Move, []int16) (int16, error) {
	if m.left == 0 {
		return 0, errModelGone
	}
	m.left--
	return 0, nil
}

// modelSeries returns a series of a player that asks a model, which fails after some calls.
func modelSeries(t *testing.T, g encode.Game, calls int) Series {
	s := seriesOf(t, g, "greedy")
	f := Factory{Searches: true, New: func(search.Abort) Player {
		return &searchPlayer{searcher: search.NewMCTS(search.MCTSOptions{Sims: 8, Model: &failingModel{calls}, Priors: search.PriorNet})}
	}}
	for i := range s.Players {
		s.Players[i] = PlayerSpec{"model", 1, []component{{engine.One, "model", f}}}
	}
	return s
}

// TestFailureOfAModelIsTheErrorOfItsGame, when the game is played and when it is rescored.
func TestFailureOfAModelIsTheErrorOfItsGame(t *testing.T) {
	g := encode.Games()[0]
	games := playedGames(t, g, "greedy", 3)
	s := modelSeries(t, g, 40)
	pool := Start(s, 2)
	err := pool.Play(t.Context(), Games(0, 3), nil, func(*engine.Record) error { return nil })
	pool.Close()
	if !errors.Is(err, errModelGone) {
		t.Errorf("played: %v", err)
	}
	s.Rescore = new(Selection)
	pool = Start(s, 2)
	err = pool.Rescore(t.Context(), Games(0, 3), from(games), nil, func(*engine.Record) error { return nil })
	pool.Close()
	if !errors.Is(err, errModelGone) {
		t.Errorf("rescored: %v", err)
	}
}
