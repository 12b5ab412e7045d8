package workers

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/internal/must"
	"selfplay/workers/batching"
)

// hashEvaluator answers by a hash of the question. It counts what it is asked.
type hashEvaluator struct {
	batch  int
	mu     sync.Mutex
	sizes  []int
	flying atomic.Int64
	most   atomic.Int64                    // batches at once
	before func(batch []*Question) error   // may fail
	wait   func(ctx context.Context) error // takes its time
}

func (e *hashEvaluator) Evaluate(ctx context.Context, batch []*Question) error {
	e.mu.Lock()
	e.sizes = append(e.sizes, len(batch))
	e.mu.Unlock()
	for n := e.flying.Add(1); n > e.most.Load(); {
		e.most.Store(n)
	}
	defer e.flying.Add(-1)
	if e.wait != nil {
		if err := e.wait(ctx); err != nil {
			return err
		}
	}
	if e.before != nil {
		if err := e.before(batch); err != nil {
			return err
		}
	}
	for _, q := range batch {
		h := fnv.New64a()
		h.Write(q.Planes)
		sum := h.Sum64()
		q.Value = int16(int(sum%(2*search.ModelOne+1)) - search.ModelOne)
		q.Logits = q.Logits[:0]
		for _, a := range q.Actions {
			q.Logits = append(q.Logits, int16(engine.Mix(sum^uint64(a))%400))
		}
	}
	return nil
}

func (e *hashEvaluator) CPU() int64 { return 0 }

// hashModelOf returns a model of some evaluators.
func hashModelOf(g encode.Game, batch int, evaluators ...*hashEvaluator) *Model {
	m := &Model{Name: "mine", Batch: batch, Game: g}
	for _, e := range evaluators {
		e.batch = batch
		m.Evaluators = append(m.Evaluators, e)
	}
	return m
}

// askingSeries returns games of players that ask a model.
func askingSeries(t *testing.T, m *Model, player string) Series {
	s := seriesOf(t, m.Game, "random")
	spec, err := PlayerTypes().ParseFrom(&m.Game.Game, player, Sources{Models: func(string) (*Model, error) { return m, nil }})
	s.Players = [2]PlayerSpec{must.Get(spec, err)(t), spec}
	s.Opening = Opening{MinPlies: 2, MaxPlies: 6}
	s.MaxPlies = 30
	return s
}

// playAsking plays games and returns their records as texts.
func playAsking(t *testing.T, s Series, size int, games uint64) (texts []string, counts ModelCounts) {
	t.Helper()
	pool := Start(s, size)
	defer pool.Close()
	must.Do(t, pool.Play(t.Context(), Games(0, games), nil, func(r *engine.Record) error {
		texts = append(texts, recordText(r))
		return nil
	}))
	return texts, pool.Models()[0]
}

// hashPlayers are players that ask a model.
var hashPlayers = []string{"mcts:sims=20,eval=mine", "mcts:sims=12,temp=1,noise=0.25,eval=mine", "greedy:eval=mine"}

// TestGamesOfAModelDoNotDependOnBatches: not on workers, evaluators, or the size of batches.
func TestGamesOfAModelDoNotDependOnBatches(t *testing.T) {
	for _, g := range encode.Games() {
		for _, player := range hashPlayers {
			want, _ := playAsking(t, askingSeries(t, hashModelOf(g, 1, new(hashEvaluator)), player), 1, 8)
			for _, c := range []struct{ size, batch, evaluators int }{{7, 4, 1}, {7, 4, 2}, {64, 8, 1}, {3, 64, 3}} {
				var list []*hashEvaluator
				for range c.evaluators {
					list = append(list, new(hashEvaluator))
				}
				got, counts := playAsking(t, askingSeries(t, hashModelOf(g, c.batch, list...), player), c.size, 8)
				if !slices.Equal(got, want) {
					t.Fatalf("%s by %s: %+v plays other games", g.Name, player, c)
				}
				asked := 0
				for _, e := range list {
					for _, n := range e.sizes {
						if asked += n; n > c.batch {
							t.Fatalf("a batch of %d: want at most %d", n, c.batch)
						}
					}
					if e.most.Load() > batching.InFlight {
						t.Fatalf("%d batches at once", e.most.Load())
					}
				}
				if counts.Evaluations != uint64(asked) {
					t.Fatalf("%d evaluations counted, %d asked", counts.Evaluations, asked)
				}
			}
		}
	}
}

// TestBatchesAreFull until the last games, if twice as many games are live as a batch has slots and the model takes time.
func TestBatchesAreFull(t *testing.T) {
	g := must.Get(encode.Games().Find("contrast"))(t)
	const games = 200
	for _, evaluators := range []int{1, 2} {
		wait := func(context.Context) error {
			time.Sleep(200 * time.Microsecond)
			return nil
		}
		var list []*hashEvaluator
		for range evaluators {
			list = append(list, &hashEvaluator{wait: wait})
		}
		s := askingSeries(t, hashModelOf(g, 16, list...), "mcts:sims=20,eval=mine")
		if s.GamesAtOnce() != 32*evaluators {
			t.Fatalf("%d games at once", s.GamesAtOnce())
		}
		pool := Start(s, s.GamesAtOnce())
		must.Do(t, pool.Play(t.Context(), Games(0, games), nil, func(*engine.Record) error { return nil }))
		pool.Close()
		counts := pool.Models()[0]
		fill := float64(counts.FullEvaluations) / float64(16*counts.FullBatches)
		t.Logf("mean fill %.3f in %d of %d batches", fill, counts.FullBatches, counts.Batches)
		if fill < 0.9 || fill > 1 || 2*counts.FullBatches < counts.Batches {
			t.Errorf("%d evaluators: mean fill %.3f in %d of %d batches", evaluators, fill, counts.FullBatches, counts.Batches)
		}
	}
}

// TestFailureOfAnEvaluatorEndsPlay with its error alone, and with the position of a wrong answer.
func TestFailureOfAnEvaluatorEndsPlay(t *testing.T) {
	g := must.Get(encode.Games().Find("contrast"))(t)
	start := g.New("").String()
	for _, c := range []struct {
		err  error
		want string
	}{
		{errModelGone, "the model is gone"},
		{&WrongAnswer{Question: 0, Reason: "value nan"}, `: value nan`},
	} {
		n := atomic.Int64{}
		e := &hashEvaluator{before: func([]*Question) error {
			if n.Add(1) == 20 {
				return c.err
			}
			return nil
		}}
		s := askingSeries(t, hashModelOf(g, 4, e), "mcts:sims=20,eval=mine")
		pool := Start(s, 8)
		err := pool.Play(t.Context(), Games(0, 40), nil, func(*engine.Record) error { return nil })
		pool.Close()
		var failure *ModelError
		if err == nil || !errors.As(err, &failure) || !strings.HasSuffix(err.Error(), c.want) || strings.Contains(err.Error(), "game") {
			t.Errorf("%v: got %v", c.err, err)
		}
		if c.err != errModelGone && (!strings.HasPrefix(err.Error(), "position \"") || len(err.Error()) < len(start)) {
			t.Errorf("%v: want the position", err)
		}
	}
}

// TestStopDoesNotWaitForAModel: the end of the context ends games whose evaluator hangs.
func TestStopDoesNotWaitForAModel(t *testing.T) {
	g := must.Get(encode.Games().Find("contrast"))(t)
	asked := make(chan struct{}, 100)
	e := &hashEvaluator{wait: func(ctx context.Context) error {
		asked <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}}
	pool := Start(askingSeries(t, hashModelOf(g, 4, e), "mcts:sims=20,eval=mine"), 12)
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-asked
		<-asked
		cancel(errModelGone)
	}()
	err := pool.Play(ctx, Games(0, 40), nil, func(*engine.Record) error { return nil })
	pool.Close()
	if !errors.Is(err, errModelGone) {
		t.Error(err)
	}
}

// TestWorkersAreIdle when all games are handed out, and only then.
func TestWorkersAreIdle(t *testing.T) {
	g := must.Get(encode.Games().Find("contrast"))(t)
	m := hashModelOf(g, 4, new(hashEvaluator))
	pool := Start(askingSeries(t, m, "greedy:eval=mine"), 8)
	defer pool.Close()
	if !pool.AwaitIdle(t.Context()) {
		t.Fatal("idle workers are not noticed")
	}
	must.Do(t, pool.Play(t.Context(), Games(0, 100), nil, func(r *engine.Record) error {
		if r.Game == 0 {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			if pool.AwaitIdle(ctx) {
				t.Error("workers are idle while games wait for them")
			}
		}
		return nil
	}))
}

// TestAPlayThatWaitsForItsFirstGameOffersNone: the next shard begins, although games are left.
func TestAPlayThatWaitsForItsFirstGameOffersNone(t *testing.T) {
	g := must.Get(encode.Games().Find("contrast"))(t)
	first, end := make(chan bool), make(chan bool)
	var asked atomic.Int32
	m := hashModelOf(g, 1, &hashEvaluator{wait: func(context.Context) error {
		if asked.Add(1) == 1 {
			close(first)
			<-end
		}
		return nil
	}}, new(hashEvaluator))
	pool := Start(askingSeries(t, m, "greedy:eval=mine"), 4)
	defer pool.Close()
	played := make(chan error)
	go func() {
		played <- pool.Play(t.Context(), Games(0, 1000), nil, func(*engine.Record) error { return nil })
	}()
	<-first
	if !pool.AwaitIdle(t.Context()) {
		t.Error("idle workers are not noticed")
	}
	close(end)
	must.Do(t, <-played)
}

// TestPlayerNamesOfModels: canonical names, and what is refused.
func TestPlayerNamesOfModels(t *testing.T) {
	g := must.Get(encode.Games().Find("contrast"))(t)
	find := Sources{Models: func(name string) (*Model, error) {
		if name != "mine" {
			return nil, errModelGone
		}
		return hashModelOf(g, 4, new(hashEvaluator)), nil
	}}
	for text, want := range map[string]string{
		"mcts:eval=mine,sims=20":            "mcts:sims=20,eval=mine",
		"greedy:eval=mine":                  "greedy:eval=mine",
		"mcts:eval=mine,priors=gain":        "priors: a model gives",
		"mcts:eval=mine,rollout=3":          "rollout: a model gives",
		"mcts:eval=mine,net=contrast":       "no networks here",
		"mcts:eval=mine,eval=mine":          "eval is given twice",
		"mcts:eval=":                        "want a name",
		"mcts:eval=other":                   "the model is gone",
		"ab:depth=2,eval=mine":              `unknown parameter "eval=mine"`,
		"0.5*greedy + 0.5*greedy:eval=mine": "0.5*greedy + 0.5*greedy:eval=mine",
	} {
		spec, err := PlayerTypes().ParseFrom(&g.Game, text, find)
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && spec.String() != want {
			t.Errorf("%s: %s, %v: want %s", text, spec, err, want)
		}
	}
	if _, err := ParsePlayer(&g.Game, "mcts:eval=mine"); err == nil || !strings.Contains(err.Error(), "no models here") {
		t.Error(err)
	}
}
