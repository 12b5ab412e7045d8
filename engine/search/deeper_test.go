package search_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// TestDeeperSearchWins: with static scores a search of one ply beats random moves, and a search of three
// plies beats one of one ply, by far more than chance.
func TestDeeperSearchWins(t *testing.T) {
	for _, g := range games() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			shallow := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 1, Shuffle: true})
			if won, lost := playMatch(g, shallow, nil, 12); won < lost+8 {
				t.Errorf("depth 1 against random moves: won %d, lost %d", won, lost)
			}
			deep := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Hash: 1, Shuffle: true})
			if won, lost := playMatch(g, deep, shallow, 12); won < lost+5 {
				t.Errorf("depth 3 against depth 1: won %d, lost %d", won, lost)
			}
		})
	}
}

// playMatch plays each opening twice, with either player as First. A game that is cut off after 150 plies counts
// for a side that is clearly ahead. Without an opponent moves are random.
func playMatch(g engine.Game, s, opponent search.Searcher, n int) (won, lost int) {
	const clear = 300
	p, src := start(g), rand.NewPCG(0, 0)
	for game := range n {
		src.Seed(uint64(game/2), 1)
		playOpening(p, src)
		side := engine.Side(game & 1)
		for ply := 0; ply < 150 && p.Outcome() == engine.Ongoing; ply++ {
			player := s
			if p.Turn() != side {
				player = opponent
			}
			if player == nil {
				p.DoRandom(src)
				continue
			}
			p.Do(player.Search(p, src).Moves[0].Move)
		}
		lead := p.Evaluate()
		if p.Turn() != side {
			lead = -lead
		}
		switch result := p.Outcome().For(side); {
		case result > 0 || p.Outcome() == engine.Ongoing && lead >= clear:
			won++
		case result < 0 || p.Outcome() == engine.Ongoing && lead <= -clear:
			lost++
		}
	}
	return won, lost
}
