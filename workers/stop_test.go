package workers

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// After Stop the sink gets every started game in order, and no other game.
func TestStopDeliversGamesInFlight(t *testing.T) {
	const workers = 3
	var started atomic.Int64
	release := make(chan struct{})
	s := nimSeries(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
		if pos.String() == "5000" {
			isEarly := slices.ContainsFunc(Games(0, 20), func(game uint64) bool { return isStart(src, 1, game) })
			if started.Add(1); !isEarly {
				<-release // keep the games in flight until Stop was called
			}
		}
		return uniformPlayer{}.Play(pos, src, d)
	}))
	p := startPool(t, s, workers)
	var delivered uint64
	go func() {
		for started.Load() < 20+workers {
			time.Sleep(time.Millisecond)
		}
		p.Stop()
		p.Stop() // a second call has no effect
		close(release)
	}()
	err := p.Play(context.Background(), Games(0, 1000), nil, func(r *engine.Record) error {
		if r.Game != delivered {
			t.Errorf("got game %d, want %d", r.Game, delivered)
		}
		delivered++
		return nil
	})
	if !errors.Is(err, ErrStopped) || delivered != 20+workers || started.Load() != int64(delivered) {
		t.Errorf("error %v, %d games delivered, %d started", err, delivered, started.Load())
	}
	if err := p.Play(context.Background(), Games(0, 1), nil, func(*engine.Record) error { return nil }); !errors.Is(err, ErrStopped) {
		t.Errorf("Play on a stopped pool returned %v", err)
	}
	if err := p.Play(context.Background(), Games(0, 0), nil, nil); err != nil {
		t.Errorf("Play without games returned %v", err)
	}
}

// A Play that got all its games returns nil, even if Stop was called meanwhile.
func TestStopAfterTheLastGameIsNoError(t *testing.T) {
	p := startPool(t, nimSeries(t, "random"), 2)
	const n = 50
	for range 20 {
		var delivered int
		err := p.Play(context.Background(), Games(0, n), nil, func(*engine.Record) error { delivered++; return nil })
		if delivered == n && err != nil || delivered < n && !errors.Is(err, ErrStopped) {
			t.Errorf("%d of %d games delivered, error %v", delivered, n, err)
		}
		time.AfterFunc(time.Duration(rand.IntN(2000))*time.Microsecond, p.Stop)
	}
}

// The journal gets games while the first game is still in flight, whether that game ends or
// is cancelled.
func TestFinishedIsCalledWhenAGameEnds(t *testing.T) {
	const workers = 2
	for _, ends := range []bool{true, false} {
		rest := make(chan struct{}) // closed when all other games in flight are reported
		s := nimSeries(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
			if isStart(src, 1, 3) {
				<-rest
			}
			return uniformPlayer{}.Play(pos, src, d)
		}))
		p := Start(s, workers)
		ctx, cancel := context.WithCancelCause(context.Background())
		cause := errors.New("cancelled by the test")
		reported := map[uint64]bool{}
		var delivered []uint64
		err := p.Play(ctx, Games(3, 100), enginetest.Finished(func(r *engine.Record) error {
			if reported[r.Game] = true; len(reported) == inFlight*workers-1 {
				if !ends {
					cancel(cause)
				}
				close(rest)
			}
			return nil
		}), func(r *engine.Record) error {
			delivered = append(delivered, r.Game)
			return nil
		})
		p.Close()
		switch {
		case ends && (err != nil || len(reported) != 100 || !slices.Equal(delivered, Games(3, 100))):
			t.Errorf("error %v, %d games reported, delivered %d", err, len(reported), delivered)
		case !ends && (!errors.Is(err, cause) || len(reported) != inFlight*workers-1 || reported[3] || len(delivered) > 0):
			t.Errorf("cancelled: error %v, reported %v, delivered %d", err, reported, delivered)
		}
	}
}

// If the journal fails for a game in flight, Play returns that error, not ErrStopped or the
// cancellation.
func TestErrorOfFinishedOutranksStopAndCancel(t *testing.T) {
	full := errors.New("disk full")
	for _, cancelled := range []bool{false, true} {
		started, ctx, release := make(chan struct{}), context.Background(), make(chan struct{})
		ctx, cancel := context.WithCancel(ctx)
		s := nimSeries(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
			if isStart(src, 1, 0) {
				close(started)
				<-release
			}
			return uniformPlayer{}.Play(pos, src, d)
		}))
		s.MaxPlies = 1 // let the game end despite the cancelled context
		p := Start(s, 1)
		go func() {
			<-started
			if p.Stop(); cancelled {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
			close(release)
		}()
		err := p.Play(ctx, Games(0, 100), enginetest.Finished(func(*engine.Record) error { return full }), func(*engine.Record) error { return nil })
		p.Close()
		cancel()
		if !errors.Is(err, full) || errors.Is(err, ErrStopped) || errors.Is(err, context.Canceled) {
			t.Errorf("cancelled %t: got %v, want %v", cancelled, err, full)
		}
	}
}

// After an error of journal or sink, neither is called again.
func TestNoCallbackAfterAnError(t *testing.T) {
	full := errors.New("disk full")
	for _, inSink := range []bool{false, true} {
		p := Start(nimSeries(t, "random"), 3)
		failed, after := false, 0
		call := func(fails bool) error {
			if failed {
				after++
			}
			if fails {
				failed = true
				return full
			}
			return nil
		}
		err := p.Play(context.Background(), Games(0, 1000),
			enginetest.Finished(func(r *engine.Record) error { return call(!inSink && r.Game == 10) }),
			func(r *engine.Record) error { return call(inSink && r.Game == 10) })
		p.Close()
		if !errors.Is(err, full) || after > 0 {
			t.Errorf("error %v, then %d more calls", err, after)
		}
	}
}

// After a cancellation every finished game has been reported.
func TestCancelReportsFinishedGames(t *testing.T) {
	s := nimSeries(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
		if isStart(src, 1, 5) || pos.String() == "stuck" {
			time.Sleep(50 * time.Millisecond)
		}
		return uniformPlayer{}.Play(pos, src, d)
	}))
	p := startPool(t, s, 1)
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("cancelled by the test")
	time.AfterFunc(10*time.Millisecond, func() { cancel(cause) })
	var reported uint64
	err := p.Play(ctx, Games(0, 1000), enginetest.Finished(func(*engine.Record) error { reported++; return nil }), func(*engine.Record) error { return nil })
	if finished, _ := p.Progress(); !errors.Is(err, cause) || reported != finished {
		t.Errorf("error %v, %d of %d finished games reported", err, reported, finished)
	}
}
