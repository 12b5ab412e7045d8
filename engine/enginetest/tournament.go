package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"selfplay/engine"
)

// Player chooses a move of a position whose Outcome is Ongoing.
type Player[P engine.Position] func(p P, src *rand.PCG) engine.Move

// Match is a match between two players on one position.
type Match[P engine.Evaluator] struct {
	Position P
	Open     func(p P, src *rand.PCG) // plays a random opening from the start
	Plies    int                      // of a game, after the opening too
	Winner   func(p P) engine.Result  // of a game, finished or cut off
}

// Play plays pairs of games, each opening once with either player as First. Games of one seed
// have the same openings. It returns the wins, draws and losses of a.
func (m Match[P]) Play(a, b Player[P], games int, seed uint64) (score Score) {
	p, src := m.Position, rand.NewPCG(0, 0)
	for game := range games {
		p.Reset()
		src.Seed(seed, uint64(game/2))
		m.Open(p, src)
		src.Seed(seed, uint64(game)<<32)
		players := [2]Player[P]{a, b}
		if game%2 == 1 {
			players = [2]Player[P]{b, a}
		}
		for ply := 0; ply < m.Plies && p.Outcome() == engine.Ongoing; ply++ {
			p.Do(players[p.Turn()](p, src))
		}
		first := engine.Side(game % 2)
		score[1-engine.Outcome{Result: m.Winner(p)}.For(first)]++
	}
	return score
}

// Score holds the wins, draws and losses of a player.
type Score [3]int

// String returns the score with its Elo difference and a 95% confidence interval.
func (s Score) String() string {
	n := float64(s[0] + s[1] + s[2])
	mean := (float64(s[0]) + float64(s[1])/2) / n
	elo := func(x float64) float64 {
		x = min(max(x, 0.5/n), 1-0.5/n)
		return -400 * math.Log10(1/x-1)
	}
	square := (float64(s[0]) + float64(s[1])/4) / n
	width := 2 * math.Sqrt((square-mean*mean)/n)
	return fmt.Sprintf("+%d =%d -%d: %+.0f Elo [%.0f, %.0f]", s[0], s[1], s[2], elo(mean), elo(mean-width), elo(mean+width))
}

// Searcher is an alpha-beta search of depth turns, followed by a quiescence search of captures
// if Quiescence is set. It is a simple player to tune static scores with.
type Searcher[P engine.Evaluator] struct {
	Depth      int
	Quiescence bool
	Noise      uint32            // width of the random bonus that makes games differ
	Evaluate   func(p P) int     // the score to tune
	lists      [64][]engine.Move // by ply
}

// lost is the score of a lost game.
const lost = -30_000

// Choose returns the best move.
func (s *Searcher[P]) Choose(p P, src *rand.PCG) engine.Move {
	best, score := engine.Move(0), math.MinInt
	for _, m := range s.ordered(p, 0, p.Moves(s.lists[0][:0])) {
		bonus := int(engine.Below(src, s.Noise))
		v := s.searchMove(p, m, s.Depth, 1, max(score, 2*lost)-bonus, -2*lost) + bonus
		if v > score {
			best, score = m, v
		}
	}
	return best
}

// searchMove returns the score of a move for the side that plays it.
func (s *Searcher[P]) searchMove(p P, m engine.Move, depth, ply, alpha, beta int) int {
	side := p.Turn()
	p.Do(m)
	defer p.Undo()
	if p.Turn() == side {
		return s.search(p, max(depth, 1), ply, alpha, beta)
	}
	return -s.search(p, depth-1, ply, -beta, -alpha)
}

// search returns the score for the side to move. At depth 0 the turn is over.
func (s *Searcher[P]) search(p P, depth, ply, alpha, beta int) int {
	if p.Over() {
		return finalScore(p)
	}
	if ply > 40 {
		return s.Evaluate(p)
	}
	list, quiet, best := s.lists[ply][:0], depth <= 0, math.MinInt
	if quiet {
		best = s.Evaluate(p)
		if !s.Quiescence || best >= beta {
			return best
		}
		alpha = max(alpha, best)
		list = p.Captures(list)
	} else if list = p.Moves(list); len(list) == 0 {
		return finalScore(p)
	}
	for _, m := range s.ordered(p, ply, list) {
		if quiet && p.Gain(m) < 0 {
			continue
		}
		best = max(best, s.searchMove(p, m, depth, ply+1, alpha, beta))
		alpha = max(alpha, best)
		if alpha >= beta {
			break
		}
	}
	return best
}

// finalScore returns the score of a finished game for the side to move.
func finalScore(p engine.Position) int { return -lost * int(p.Outcome().For(p.Turn())) }

// ordered sorts the list so that captures come first, those with the most gain before others.
// It keeps the list for reuse at this ply.
func (s *Searcher[P]) ordered(p P, ply int, list []engine.Move) []engine.Move {
	s.lists[ply] = list
	n := 0
	for i, m := range list {
		if p.Gain(m) > 0 {
			list[n], list[i] = m, list[n]
			for j := n; j > 0 && p.Gain(list[j]) > p.Gain(list[j-1]); j-- {
				list[j], list[j-1] = list[j-1], list[j]
			}
			n++
		}
	}
	return list
}
