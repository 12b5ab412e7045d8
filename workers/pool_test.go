package workers

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"selfplay/engine"
)

// series returns games of nim between players of this name.
func series(t testing.TB, player string) Series {
	t.Helper()
	nim := nimGame(5000)
	spec, err := ParsePlayer(&nim.Game, player)
	if err != nil {
		t.Fatal(err)
	}
	return Series{Game: nim, Players: [2]PlayerSpec{spec, spec}, Seed: 1}
}

// playedBy returns s with both sides played by f.
func (s Series) playedBy(f Player) Series {
	spec := PlayerSpec{"test", 1, []part{{engine.One, "test", maker{make: func() Player { return f }}}}}
	s.Players = [2]PlayerSpec{spec, spec}
	return s
}

// playFunc is a player that is one function.
type playFunc func(pos engine.Position, src *rand.PCG, d *Decision) bool

func (f playFunc) Play(pos engine.Position, src *rand.PCG, d *Decision) bool { return f(pos, src, d) }

// isStart reports whether src is what game starts with.
func isStart(src *rand.PCG, seed, game uint64) bool {
	var start rand.PCG
	reseed(&start, seed, game)
	return *src == start
}

// text returns all that there is in a record.
func text(r *engine.Record) string { return fmt.Sprintf("%+v\n", *r) }

// playText plays games on a new pool and returns their records as text.
func playText(t testing.TB, s Series, workers int, first, n uint64) string {
	t.Helper()
	p := Start(s, workers)
	defer p.Close()
	var b strings.Builder
	err := p.Play(context.Background(), Games(first, n), nil, func(r *engine.Record) error {
		b.WriteString(text(r))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The digest below stands for what every dataset's bytes depend on: seeds, draws
// and how a record is filled. Do not edit it; find a fix that keeps it.
func TestPlayGolden(t *testing.T) {
	const want = "70e027185652501ff02cb5a0777b21fec8d373f87f3e00a0fcfeba2276a9f14e"
	p := Start(series(t, "random"), 1)
	defer p.Close()
	sum := sha256.New()
	err := p.Play(context.Background(), Games(0, 200), nil, func(r *engine.Record) error {
		fmt.Fprintln(sum, r.Game, r.Start, r.Actions, r.MoveRanks, r.Players, r.Outcome.Result, r.Outcome.Reason)
		return nil
	})
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want || err != nil {
		t.Errorf("200 games have digest %s, want %s; error %v", got, want, err)
	}
}

func TestPlayIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	s := series(t, "random")
	want := playText(t, s, 1, 0, 500)
	for _, workers := range []int{2, 7} {
		if playText(t, s, workers, 0, 500) != want {
			t.Errorf("%d workers play other games than one", workers)
		}
	}
	split := playText(t, s, 3, 0, 123) + playText(t, s, 3, 123, 377)
	if split != want {
		t.Error("games depend on where a run of games begins")
	}
}

func TestPlayOrder(t *testing.T) {
	p := Start(series(t, "random"), 4)
	defer p.Close()
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
				err = fmt.Errorf("run %d ends before game %d", run, next)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if games, plies := p.Progress(); games != runs*300 || plies < games {
		t.Errorf("progress is %d games and %d plies, want %d games", games, plies, runs*300)
	}
}

func TestPlayNothing(t *testing.T) {
	if got := playText(t, series(t, "random"), 2, 7, 0); got != "" {
		t.Errorf("no games are %q", got)
	}
}

func TestPlayCutsOff(t *testing.T) {
	s := series(t, "random")
	whole, _ := first(t, s)
	for _, c := range []struct {
		maxPlies, plies int
		reason          engine.Reason
	}{
		{3, 3, engine.PlyLimit},
		{whole - 1, whole - 1, engine.PlyLimit},
		{whole, whole, engine.Blocked}, // the rules end it at the very last ply
		{whole + 1, whole, engine.Blocked},
	} {
		s.MaxPlies = c.maxPlies
		if plies, o := first(t, s); plies != c.plies || o.Reason != c.reason {
			t.Errorf("with at most %d plies: %d plies, %v", c.maxPlies, plies, o)
		}
	}
}

// first returns the length and the end of game 0.
func first(t *testing.T, s Series) (plies int, o engine.Outcome) {
	t.Helper()
	p := Start(s, 1)
	defer p.Close()
	err := p.Play(context.Background(), Games(0, 1), nil, func(r *engine.Record) error {
		plies, o = len(r.Actions), r.Outcome
		if len(r.MoveRanks) != plies {
			t.Errorf("%d ranks for %d plies", len(r.MoveRanks), plies)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return plies, o
}

func TestPlayBoundsGamesInFlight(t *testing.T) {
	const workers = 2
	var begun atomic.Int64
	s := series(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
		if pos.String() == "5000" {
			begun.Add(1)
		}
		return uniform{}.Play(pos, src, d)
	}))
	p := Start(s, workers)
	defer p.Close()
	var taken int64
	err := p.Play(context.Background(), Games(0, 100), nil, func(*engine.Record) error {
		if taken++; taken == 1 {
			time.Sleep(50 * time.Millisecond) // the workers run as far ahead as they may
		}
		if ahead := begun.Load() - taken; ahead > inFlight*workers {
			return fmt.Errorf("%d games ahead of the sink", ahead)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestPlayStopsAtTheSinksError(t *testing.T) {
	p := Start(series(t, "random"), 3)
	defer p.Close()
	full := errors.New("disk full")
	var last uint64
	err := p.Play(context.Background(), Games(0, 1000), nil, func(r *engine.Record) error {
		if last = r.Game; last == 10 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || last != 10 {
		t.Errorf("stopped at game %d with %v", last, err)
	}
	if err := p.Play(context.Background(), Games(0, 10), nil, func(*engine.Record) error { return nil }); err != nil {
		t.Errorf("the pool is of no use after an error: %v", err)
	}
}

func TestPlayIsCancelledInsideAGame(t *testing.T) {
	reached := make(chan struct{}, 1)
	endless := playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
		select {
		case reached <- struct{}{}:
		default:
		}
		*d = Decision{}
		return true // takes nothing: the game has no end
	})
	s := series(t, "random").playedBy(endless)
	s.MaxPlies = 1 << 62
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
			t.Fatalf("%d goroutines are left of %d", runtime.NumGoroutine()-before, 2)
		}
	}
}

func TestPlayCatchesAPanic(t *testing.T) {
	for _, bad := range []uint64{0, 37, 99} {
		s := series(t, "random")
		s.Seed = 7
		s = s.playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
			if isStart(src, 7, bad) {
				panic("no such cell")
			}
			return uniform{}.Play(pos, src, d)
		}))
		p := Start(s, 3)
		var games uint64
		err := p.Play(context.Background(), Games(0, 100), nil, func(*engine.Record) error { games++; return nil })
		p.Close()
		var fault *PanicError
		if !errors.As(err, &fault) || fault.Game != bad || fault.Seed != 7 || games != bad {
			t.Errorf("game %d panics: after %d games %v", bad, games, err)
			continue
		}
		if want := fmt.Sprintf("play game %d of seed 7: panic: no such cell", bad); err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if !strings.Contains(string(fault.Stack), "pool_test.go") {
			t.Errorf("the stack does not show where it happened:\n%s", fault.Stack)
		}
	}
}

func TestPlayRefusesAGameWithoutAMoveThatIsNotOver(t *testing.T) {
	s := series(t, "random").playedBy(playFunc(func(engine.Position, *rand.PCG, *Decision) bool {
		return false
	}))
	p := Start(s, 1)
	defer p.Close()
	err := p.Play(context.Background(), Games(0, 1), nil, func(*engine.Record) error { return nil })
	if !errors.Is(err, errNoMove) {
		t.Errorf("got %v", err)
	}
}
