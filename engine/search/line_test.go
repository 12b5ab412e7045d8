package search_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/search"
)

// TestLinesAreLegal, begin with the best move, and leave the position as it was.
func TestLinesAreLegal(t *testing.T) {
	for _, g := range games() {
		for name, s := range map[string]search.Searcher{
			"table":    search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 5, Hash: 4}),
			"no table": search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 2}),
			"tree":     search.NewMCTS(search.MCTSOptions{Sims: 3000}),
			"halving":  search.NewMCTS(search.MCTSOptions{Sims: 64, Root: search.RootGumbel, Considered: 4, Priors: search.PriorStatic, Target: search.TargetCompletedQ}),
		} {
			p := start(g)
			text := p.String()
			best := s.Search(p, source(1)).Moves[0].Move
			line := s.(search.Liner).Line(p, 6)
			if p.String() != text || line[0] != best || len(line) > 6 || (len(line) < 2) != (name == "no table") {
				t.Errorf("%s, %s: line %v, best %v, position %s", g.Name, name, line, best, p)
			}
			checkLegal(t, p, line)
		}
	}
}

// checkLegal plays moves.
func checkLegal(t *testing.T, p engine.Position, line []engine.Move) {
	t.Helper()
	for _, m := range line {
		if !slices.Contains(p.Moves(nil), m) {
			t.Errorf("%s is illegal in %s", p.FormatMove(m), p)
			return
		}
		p.Do(m)
	}
}

// TestLinesEndWithTheGame: the line of a proven mate ends with it, if the table still has all of it.
func TestLinesEndWithTheGame(t *testing.T) {
	for _, c := range wins {
		p := parsePosition(t, chess.Game(), c.text)
		s := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: c.plies, Hash: 4, Off: ^search.Feature(0)})
		s.Search(p, nil)
		line := s.Line(p, 20)
		if c.move != "" && p.FormatMove(line[0]) != c.move {
			t.Errorf("%s: %s, want %s", c.name, p.FormatMove(line[0]), c.move)
		}
		checkLegal(t, p, line)
		if over := p.Outcome() != engine.Ongoing; over != (len(line) == c.plies) {
			t.Errorf("%s: the line of %d moves ends the game: %t", c.name, len(line), over)
		}
	}
}
