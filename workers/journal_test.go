package workers

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// memoryJournal keeps games in memory.
type memoryJournal struct {
	mu       sync.Mutex
	resume   *engine.Unfinished   // of every game
	kept     []*engine.Unfinished // all states of all games
	finished int
	onKeep   func() error
}

func (j *memoryJournal) Resume(rec *engine.Record) (*engine.Unfinished, error) {
	if j.resume != nil && !j.resume.Agrees(rec) {
		return nil, errors.New("another opening")
	}
	return j.resume, nil
}

func (j *memoryJournal) Keep(rec *engine.Record, src *rand.PCG) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	u := &engine.Unfinished{Source: *src}
	u.CopyFrom(rec)
	j.kept = append(j.kept, u)
	if j.onKeep != nil {
		return j.onKeep()
	}
	return nil
}

func (j *memoryJournal) Finish(*engine.Record) error {
	j.finished++
	return nil
}

// slowFrom sets the time from which on decisions are kept.
func slowFrom(t *testing.T, d time.Duration) {
	old := slowDecision
	slowDecision = d
	t.Cleanup(func() { slowDecision = old })
}

// resumedPlayers are players with every kind of draw.
var resumedPlayers = []string{
	"greedy", "ab:depth=1", "ab:nodes=60,hash=1", "ab:depth=1,multi=3,temp=30", "mcts:sims=8", "mcts:sims=8,temp=1,noise=0.25",
	"mcts:sims=8,rollout=4", "mcts:sims=12,root=gumbel", "mcts:sims=8,cheap=3,full=0.5", "0.5*random + 0.5*ab:depth=1",
	"greedy:eval=mine", "mcts:sims=8,eval=mine", "mcts:sims=8,root=gumbel,eval=mine",
}

// resumedSeries has everything that a game draws beside moves.
func resumedSeries(t *testing.T, g encode.Game, player string) Series {
	s := askingSeries(t, hashModelOf(g, 1, new(hashEvaluator)), player)
	s.MaxPlies = 24
	s.Exploration = Exploration{Moves: 2, First: 2, Last: 9, Among: 3}
	s.Adjudication = Adjudication{Win: WinRule{Score: 60, Plies: 3}, PlayOut: engine.One / 2}
	return s
}

// playKept plays games with a journal.
func playKept(t *testing.T, pool *Pool, j *memoryJournal, games ...uint64) (list []*engine.Record) {
	t.Helper()
	must.Do(t, pool.Play(t.Context(), games, j, keepIn(&list)))
	return list
}

// TestGamesGoOnFromEveryPly: with the same record, by every kind of player, and no search is repeated.
func TestGamesGoOnFromEveryPly(t *testing.T) {
	slowFrom(t, 0)
	for _, g := range encode.Games() {
		for _, player := range resumedPlayers {
			pool := startPool(t, resumedSeries(t, g, player), 1)
			for game := range uint64(3) {
				first := new(memoryJournal)
				want := playKept(t, pool, first, game)[0]
				for _, u := range first.kept {
					again := &memoryJournal{resume: u}
					if got := playKept(t, pool, again, game)[0]; !reflect.DeepEqual(recordText(got), recordText(want)) {
						t.Fatalf("%s %s game %d from ply %d: another game", g.Name, player, game, len(u.Actions))
					}
					if n := len(first.kept) - len(again.kept); first.kept[n-1] != u {
						t.Fatalf("%s %s game %d from ply %d: %d decisions, want %d", g.Name, player, game, len(u.Actions), len(again.kept), len(first.kept))
					}
				}
				if len(first.kept) == 0 && want.Players == [2]string{player, player} {
					t.Errorf("%s %s game %d: no decision is kept", g.Name, player, game)
				}
			}
		}
	}
}

// TestRescoringGoesOnFromEveryPly: with the same record.
func TestRescoringGoesOnFromEveryPly(t *testing.T) {
	slowFrom(t, 0)
	for _, g := range encode.Games() {
		games := playedGames(t, g, "ab:depth=1", 2)
		games[0].Tags = []string{"London", "1851"}
		for _, player := range []string{"ab:nodes=60,hash=1", "mcts:sims=8,noise=0.25"} {
			s := rescoring(t, g, player, "all")
			s.KeepOld = true
			pool := startPool(t, s, 1)
			rescore := func(game uint64, j *memoryJournal) (list []*engine.Record) {
				must.Do(t, pool.Rescore(t.Context(), []uint64{game}, from(games), j, keepIn(&list)))
				return list
			}
			for game := range uint64(2) {
				first := new(memoryJournal)
				want := rescore(game, first)
				for _, u := range first.kept {
					if got := rescore(game, &memoryJournal{resume: u}); !reflect.DeepEqual(got, want) {
						t.Fatalf("%s %s game %d from ply %d: another record", g.Name, player, game, len(u.Nodes))
					}
				}
			}
		}
	}
}

// TestStopEndsKeptGamesAfterADecision: a stopped pool plays one more decision of each game, if they are slow.
func TestStopEndsKeptGamesAfterADecision(t *testing.T) {
	slowFrom(t, 0)
	g := encode.Games()[0]
	pool := startPool(t, resumedSeries(t, g, "ab:depth=1"), 2)
	j := new(memoryJournal)
	j.onKeep = func() error { pool.Stop(); return nil }
	err := pool.Play(t.Context(), Games(0, 10), j, func(*engine.Record) error { return nil })
	if !errors.Is(err, ErrStopped) || j.finished > 0 || len(j.kept) > 2 {
		t.Errorf("%v; %d games finished, %d decisions", err, j.finished, len(j.kept))
	}
}

// TestFastGamesAreKeptWhenFinished: not before, and a stop lets them end.
func TestFastGamesAreKeptWhenFinished(t *testing.T) {
	slowFrom(t, time.Hour)
	for _, player := range []string{"random", "ab:depth=1"} {
		pool := startPool(t, resumedSeries(t, encode.Games()[0], player), 2)
		j := new(memoryJournal)
		playKept(t, pool, j, Games(0, 4)...)
		if len(j.kept) > 0 || j.finished != 4 {
			t.Errorf("%s: %d decisions kept, %d games finished", player, len(j.kept), j.finished)
		}
	}
}

// TestPlayersWithStateBeginAgain: a player that does not say that it is stateless is not resumed.
func TestPlayersWithStateBeginAgain(t *testing.T) {
	slowFrom(t, 0)
	s := resumedSeries(t, encode.Games()[0], "ab:depth=1")
	for i := range s.Players {
		c := s.Players[i].components[0]
		c.Stateless = false
		s.Players[i].components = []component{c}
	}
	j := new(memoryJournal)
	playKept(t, startPool(t, s, 1), j, 0)
	if len(j.kept) > 0 {
		t.Error("decisions of a player with state are kept")
	}
}

// TestJournalThatFailsEndsTheGames with its error.
func TestJournalThatFailsEndsTheGames(t *testing.T) {
	slowFrom(t, 0)
	full := errors.New("disk full")
	pool := startPool(t, resumedSeries(t, encode.Games()[0], "ab:depth=1"), 2)
	j := &memoryJournal{onKeep: func() error { return full }}
	if err := pool.Play(context.Background(), Games(0, 4), j, func(*engine.Record) error { return nil }); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	j = &memoryJournal{resume: &engine.Unfinished{Record: engine.Record{Actions: []uint16{1}}}}
	if err := pool.Play(context.Background(), Games(0, 1), j, func(*engine.Record) error { return nil }); err == nil {
		t.Error("a journal with another opening is accepted")
	}
}
