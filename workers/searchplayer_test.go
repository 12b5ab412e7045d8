package workers

import (
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// searchingPlayers cover every player type that searches and every use of randomness.
var searchingPlayers = []string{
	"greedy", "ab:depth=1", "ab:nodes=300,hash=1", "ab:depth=2,nodes=2000,hash=1", "ab:nodes=200,exact=true",
	"ab:depth=1,multi=4,temp=80", "ab:nodes=300,hash=1,exact=false,hard=900", "mcts:sims=24",
	"mcts:sims=24,temp=1,noise=0.25", "mcts:sims=24,priors=gain,rollout=4", "mcts:sims=24,fpu=0.25,priors=static,leaf=static", "mcts:sims=24,priors=delta,fpu=-0.1,target=completedq,temp=0.5,noise=0.25",
	"mcts:sims=24,root=gumbel", "mcts:sims=24,root=gumbel,considered=4,gumbel=0", "mcts:sims=24,fpureduction=0.3", "mcts:sims=30,cheap=6,full=0.4,noise=0.25,temp=1", "mcts:sims=30,cheap=6,root=gumbel",
	"0.5*random + 0.5*ab:depth=1",
}

// searchSeries returns a series between two players of the same name.
func searchSeries(t *testing.T, game encode.Game, player string) Series {
	t.Helper()
	s := seriesOf(t, game, player)
	s.Seed, s.MaxPlies = 3, 24
	s.Opening, s.Exploration = Opening{MinPlies: 2, MaxPlies: 4}, Exploration{Moves: 2, Last: 9, Among: 3}
	return s
}

// Games of searching players depend neither on the number of workers nor on the games that
// a worker played before.
func TestSearchingPlayersAreDeterministic(t *testing.T) {
	for _, game := range encode.Games() {
		for _, player := range searchingPlayers {
			t.Run(game.Name+" "+player, func(t *testing.T) {
				t.Parallel()
				s := searchSeries(t, game, player)
				want := playText(t, s, 1, 0, 6)
				if playText(t, s, 3, 0, 6) != want {
					t.Error("three workers play different games than one")
				}
				if alone := playText(t, s, 1, 5, 1); alone != want[len(want)-len(alone):] {
					t.Error("a game depends on the games before it")
				}
			})
		}
	}
}

func TestRecordsOfSearchesAreConsistent(t *testing.T) {
	for _, game := range encode.Games() {
		for _, player := range searchingPlayers {
			for _, r := range playRecords(t, searchSeries(t, game, player), 1, Games(0, 6)...) {
				checkRecord(t, r)
			}
		}
	}
}

func checkRecord(t *testing.T, r *engine.Record) {
	t.Helper()
	n := len(r.Actions)
	if len(r.Best) != n || len(r.Scores) != n || len(r.Nodes) != n || len(r.PolicySize) != n || len(r.MoveRanks) != n {
		t.Fatalf("%s: %d actions, %d best, %d scores, %d nodes, %d policies, %d ranks",
			r.Players[0], n, len(r.Best), len(r.Scores), len(r.Nodes), len(r.PolicySize), len(r.MoveRanks))
	}
	at := 0
	for ply, rank := range r.MoveRanks {
		searched := r.Nodes[ply] > 0
		policy := r.PolicyAction[at:][:r.PolicySize[ply]]
		at += len(policy)
		switch {
		case ply < int(r.OpeningPlies) && (searched || rank != engine.RankRandom):
			t.Errorf("%s ply %d: an opening ply has rank %d and %d nodes", r.Players[0], ply, rank, r.Nodes[ply])
		case !searched && (r.Best[ply] != r.Actions[ply] || r.Scores[ply] != 0 || len(policy) > 0):
			t.Errorf("%s ply %d: not searched, best %d, score %d, policy %v", r.Players[0], ply, r.Best[ply], r.Scores[ply], policy)
		case searched && (rank == 0) != (r.Best[ply] == r.Actions[ply]):
			t.Errorf("%s ply %d: rank %d, played %d, best %d", r.Players[0], ply, rank, r.Actions[ply], r.Best[ply])
		case searched && len(policy) > 0 && !slices.Contains(policy, r.Actions[ply]):
			t.Errorf("%s ply %d: played %d, which is missing in policy %v", r.Players[0], ply, r.Actions[ply], policy)
		}
	}
	if at != len(r.PolicyAction) || at != len(r.PolicyWeight) {
		t.Errorf("policy sizes add up to %d, got %d actions and %d weights", at, len(r.PolicyAction), len(r.PolicyWeight))
	}
}

// With a maximum score no game starts beyond it; without one some games do.
func TestOpeningsRespectTheMaximumScore(t *testing.T) {
	game := encode.Chess()
	s := searchSeries(t, game, "random")
	s.Exploration = Exploration{}
	s.Opening = Opening{MinPlies: 20, MaxPlies: 20, MaxScore: 100}
	s.MaxPlies = 21
	unlimited := s
	unlimited.Opening.MaxScore = 0
	for _, c := range []struct {
		s           Series
		wantDecided bool
	}{{s, false}, {unlimited, true}} {
		decided, o, pos := 0, newOpener(&s, nil), game.New("")
		for _, r := range playRecords(t, c.s, 2, Games(0, 40)...) {
			if err := game.Replay(pos, r, func(ply int, _ engine.Move) {
				if ply == 20 && o.isDecided(pos) {
					decided++
				}
			}); err != nil || len(r.Actions) != 21 {
				t.Fatal(len(r.Actions), err)
			}
		}
		if (decided > 0) != c.wantDecided {
			t.Errorf("maximum score %d: %d of 40 games start beyond 100", c.s.Opening.MaxScore, decided)
		}
	}
}
