package workers

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

// nimSeries returns a series of nim between two players of the same name.
func nimSeries(t testing.TB, player string) Series {
	t.Helper()
	return seriesOf(t, nimGame(5000), player)
}

// seriesOf returns a series of a game between two players of the same name.
func seriesOf(t testing.TB, game encode.Game, player string) Series {
	t.Helper()
	spec := must.Get(ParsePlayer(&game.Game, player))(t)
	return Series{Game: game, Players: [2]PlayerSpec{spec, spec}, Seed: 1}
}

// playedBy returns s with both sides played by f.
func (s Series) playedBy(f Player) Series {
	return s.madeBy(func(search.Abort) Player { return f })
}

// madeBy returns s with players that newPlayer makes.
func (s Series) madeBy(newPlayer func(search.Abort) Player) Series {
	spec := PlayerSpec{"test", 1, []component{{engine.One, "test", Factory{New: newPlayer}}}}
	s.Players = [2]PlayerSpec{spec, spec}
	return s
}

// playFunc is a Player made of a function.
type playFunc func(pos engine.Position, src *rand.PCG, d *Decision) bool

func (f playFunc) Play(pos engine.Position, src *rand.PCG, d *Decision) bool { return f(pos, src, d) }

// isStart reports whether src is in the initial state of a game.
func isStart(src *rand.PCG, seed, game uint64) bool {
	var start rand.PCG
	reseed(&start, seed, game)
	return *src == start
}

// recordText returns a record with all its fields as text.
func recordText(r *engine.Record) string { return fmt.Sprintf("%+v\n", *r) }

// startPool starts a pool that ends with the test.
func startPool(t testing.TB, s Series, size int) *Pool {
	t.Helper()
	p := Start(s, size)
	t.Cleanup(p.Close)
	return p
}

// playRecords plays games on a new pool and returns copies of their records.
func playRecords(t testing.TB, s Series, workers int, games ...uint64) (list []*engine.Record) {
	t.Helper()
	p := Start(s, workers)
	defer p.Close()
	must.Do(t, p.Play(t.Context(), games, nil, keepIn(&list)))
	return list
}

// keepIn returns a sink that appends copies of the records to a list.
func keepIn(list *[]*engine.Record) func(*engine.Record) error {
	return func(r *engine.Record) error {
		c := new(engine.Record)
		c.CopyFrom(r)
		*list = append(*list, c)
		return nil
	}
}

// playText plays n games on a new pool and returns their records as text.
func playText(t testing.TB, s Series, workers int, first, n uint64) (text string) {
	t.Helper()
	for _, r := range playRecords(t, s, workers, Games(first, n)...) {
		text += recordText(r)
	}
	return text
}

// The digest covers seeds, random draws and the contents of records, on which every byte
// of every dataset depends. Do not edit it; change the code so that it keeps the digest.
func TestRecordsAreFrozen(t *testing.T) {
	const want = "70e027185652501ff02cb5a0777b21fec8d373f87f3e00a0fcfeba2276a9f14e"
	sum := sha256.New()
	for _, r := range playRecords(t, nimSeries(t, "random"), 1, Games(0, 200)...) {
		fmt.Fprintln(sum, r.Game, r.Start, r.Actions, r.MoveRanks, r.Players, r.Outcome.Result, r.Outcome.Reason)
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want {
		t.Errorf("200 games have digest %s, want %s", got, want)
	}
}

func TestRecordsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	s := nimSeries(t, "random")
	want := playText(t, s, 1, 0, 500)
	for _, workers := range []int{2, 7} {
		if playText(t, s, workers, 0, 500) != want {
			t.Errorf("%d workers play different games than one", workers)
		}
	}
	parts := playText(t, s, 3, 0, 123) + playText(t, s, 3, 123, 377)
	if parts != want {
		t.Error("games depend on the first game of a Play")
	}
}

func TestPlayDeliversInOrderForConcurrentCallers(t *testing.T) {
	p := startPool(t, nimSeries(t, "random"), 4)
	const runs, games = 5, 300
	var g errgroup.Group
	for run := range uint64(runs) {
		g.Go(func() error {
			next := run * games
			err := p.Play(context.Background(), Games(next, games), nil, func(r *engine.Record) error {
				if r.Game != next {
					return fmt.Errorf("got game %d, want %d", r.Game, next)
				}
				next++
				return nil
			})
			if err == nil && next != (run+1)*games {
				err = fmt.Errorf("run %d ended before game %d", run, next)
			}
			return err
		})
	}
	must.Do(t, g.Wait())
	if games, plies := p.Progress(); games != runs*300 || plies < games {
		t.Errorf("Progress returns %d games and %d plies, want %d games", games, plies, runs*300)
	}
}

func TestPlayWithoutGames(t *testing.T) {
	if got := playText(t, nimSeries(t, "random"), 2, 7, 0); got != "" {
		t.Errorf("got records %q, want none", got)
	}
}

func TestPlyLimitEndsGames(t *testing.T) {
	s := nimSeries(t, "random")
	length := len(playRecords(t, s, 1, 0)[0].Actions)
	for _, c := range []struct {
		maxPlies, plies int
		reason          engine.Reason
	}{
		{3, 3, engine.PlyLimit},
		{length - 1, length - 1, engine.PlyLimit},
		{length, length, engine.Blocked}, // the rules end the game exactly at the limit
		{length + 1, length, engine.Blocked},
	} {
		s.MaxPlies = c.maxPlies
		r := playRecords(t, s, 1, 0)[0]
		if len(r.Actions) != c.plies || len(r.MoveRanks) != c.plies || r.Outcome.Reason != c.reason {
			t.Errorf("ply limit %d: %d plies and %d ranks, outcome %v", c.maxPlies, len(r.Actions), len(r.MoveRanks), r.Outcome)
		}
	}
}

func TestPlayBoundsGamesInFlight(t *testing.T) {
	const workers = 2
	var started atomic.Int64
	s := nimSeries(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
		if pos.String() == "5000" {
			started.Add(1)
		}
		return uniformPlayer{}.Play(pos, src, d)
	}))
	p := startPool(t, s, workers)
	var delivered int64
	err := p.Play(context.Background(), Games(0, 100), nil, func(*engine.Record) error {
		if delivered++; delivered == 1 {
			time.Sleep(50 * time.Millisecond) // let the workers run ahead as far as they can
		}
		if ahead := started.Load() - delivered; ahead > inFlight*workers {
			return fmt.Errorf("%d games are ahead of the sink", ahead)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestPlayEndsAtAnErrorOfTheSink(t *testing.T) {
	p := startPool(t, nimSeries(t, "random"), 3)
	full := errors.New("disk full")
	var last uint64
	err := p.Play(context.Background(), Games(0, 1000), nil, func(r *engine.Record) error {
		if last = r.Game; last == 10 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || last != 10 {
		t.Errorf("ended at game %d with %v", last, err)
	}
	if err := p.Play(context.Background(), Games(0, 10), nil, func(*engine.Record) error { return nil }); err != nil {
		t.Errorf("the pool does not play after an error: %v", err)
	}
}

func TestCancelEndsAGameInFlight(t *testing.T) {
	reached := make(chan struct{}, 1)
	endless := playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
		select {
		case reached <- struct{}{}:
		default:
		}
		*d = Decision{}
		return true // plays nothing, so the game does not end
	})
	s := nimSeries(t, "random").playedBy(endless)
	s.MaxPlies = math.MaxInt
	before := runtime.NumGoroutine()
	p := Start(s, 2)
	ctx, cancel := context.WithCancelCause(context.Background())
	stopped := errors.New("stopped")
	go func() { <-reached; cancel(stopped) }()
	err := p.Play(ctx, Games(0, 10), nil, func(*engine.Record) error { return nil })
	if !errors.Is(err, stopped) {
		t.Errorf("Play returned %v", err)
	}
	p.Close()
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d of %d goroutines are still running", runtime.NumGoroutine()-before, 2)
		}
	}
}

func TestPanicBecomesAnErrorOfItsGame(t *testing.T) {
	for _, failing := range []uint64{0, 37, 99} {
		s := nimSeries(t, "random")
		s.Seed = 7
		s = s.playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
			if isStart(src, 7, failing) {
				panic("no such cell")
			}
			return uniformPlayer{}.Play(pos, src, d)
		}))
		p := Start(s, 3)
		var games uint64
		err := p.Play(context.Background(), Games(0, 100), nil, func(*engine.Record) error { games++; return nil })
		p.Close()
		var panicErr *PanicError
		if !errors.As(err, &panicErr) || panicErr.Game != failing || panicErr.Seed != 7 || games != failing {
			t.Errorf("game %d panics: error after %d games: %v", failing, games, err)
			continue
		}
		if want := fmt.Sprintf("play game %d of seed 7: panic: no such cell", failing); err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if !strings.Contains(string(panicErr.Stack), "pool_test.go") {
			t.Errorf("the stack does not show the position of the panic:\n%s", panicErr.Stack)
		}
	}
}

// TestPanicWhileCreatingAPlayerIsAnErrorOfTheGame: the batch does not wait for a worker that
// could not begin.
func TestPanicWhileCreatingAPlayerIsAnErrorOfTheGame(t *testing.T) {
	p := startPool(t, nimSeries(t, "random").madeBy(func(search.Abort) Player { panic("no memory") }), 2)
	err := p.Play(context.Background(), Games(0, 10), nil, func(*engine.Record) error { return nil })
	if caught := (*goroutine.PanicError)(nil); !errors.As(err, &caught) {
		t.Errorf("%v, want a panic", err)
	}
}

func TestPlayerWithoutAMoveIsAnError(t *testing.T) {
	s := nimSeries(t, "random").playedBy(playFunc(func(engine.Position, *rand.PCG, *Decision) bool {
		return false
	}))
	p := startPool(t, s, 1)
	err := p.Play(context.Background(), Games(0, 1), nil, func(*engine.Record) error { return nil })
	if !errors.Is(err, errNoMove) {
		t.Errorf("got %v, want %v", err, errNoMove)
	}
}
