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
)

// TestStopDeliversWhatIsUnderWay: in order, each game that was begun, and then no
// other.
func TestStopDeliversWhatIsUnderWay(t *testing.T) {
	const workers = 3
	var begun atomic.Int64
	release := make(chan struct{})
	s := series(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
		if pos.String() == "5000" && begun.Add(1) > 20 {
			<-release // the games under way take longer than the stop
		}
		return uniform{}.Play(pos, src, d)
	}))
	p := Start(s, workers)
	defer p.Close()
	var taken uint64
	go func() {
		for begun.Load() < 20+workers {
			time.Sleep(time.Millisecond)
		}
		p.Stop()
		p.Stop() // once more does nothing
		close(release)
	}()
	err := p.Play(context.Background(), Games(0, 1000), nil, func(r *engine.Record) error {
		if r.Game != taken {
			t.Errorf("got game %d, want %d", r.Game, taken)
		}
		taken++
		return nil
	})
	if !errors.Is(err, ErrStopped) || taken != 20+workers || begun.Load() != int64(taken) {
		t.Errorf("%v after %d games, %d were begun", err, taken, begun.Load())
	}
	if err := p.Play(context.Background(), Games(0, 1), nil, func(*engine.Record) error { return nil }); !errors.Is(err, ErrStopped) {
		t.Errorf("a stopped pool plays: %v", err)
	}
	if err := p.Play(context.Background(), Games(0, 0), nil, nil); err != nil {
		t.Errorf("no games: %v", err)
	}
}

// TestStopAtTheEndIsNoStop: whoever has all games does not lack any.
func TestStopAtTheEndIsNoStop(t *testing.T) {
	p := Start(series(t, "random"), 2)
	defer p.Close()
	const n = 50
	for range 20 {
		var taken int
		err := p.Play(context.Background(), Games(0, n), nil, func(*engine.Record) error { taken++; return nil })
		if taken == n && err != nil || taken < n && !errors.Is(err, ErrStopped) {
			t.Errorf("%d games, %v", taken, err)
		}
		time.AfterFunc(time.Duration(rand.IntN(2000))*time.Microsecond, p.Stop)
	}
}

// TestFinishedIsToldAtOnce: a game that nobody waits for is told while the first one is
// still under way, and also when that never ends.
func TestFinishedIsToldAtOnce(t *testing.T) {
	const workers = 2
	for _, ends := range []bool{true, false} {
		rest := make(chan struct{}) // closed when all others that may be begun are told
		s := series(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
			if isStart(src, 1, 3) {
				<-rest
			}
			return uniform{}.Play(pos, src, d)
		}))
		p := Start(s, workers)
		ctx, cancel := context.WithCancelCause(context.Background())
		why := errors.New("enough")
		told := map[uint64]bool{}
		var taken []uint64
		err := p.Play(ctx, Games(3, 100), func(r *engine.Record) error {
			if told[r.Game] = true; len(told) == inFlight*workers-1 {
				if !ends {
					cancel(why)
				}
				close(rest)
			}
			return nil
		}, func(r *engine.Record) error {
			taken = append(taken, r.Game)
			return nil
		})
		p.Close()
		switch {
		case ends && (err != nil || len(told) != 100 || !slices.Equal(taken, Games(3, 100))):
			t.Errorf("%v, %d games were told, sink got %d", err, len(told), taken)
		case !ends && (!errors.Is(err, why) || len(told) != inFlight*workers-1 || told[3] || len(taken) > 0):
			t.Errorf("cancelled: %v, %v were told, sink got %d", err, told, taken)
		}
	}
}

// TestAStopHidesNoError: a game that was under way when the pool was stopped, or its
// caller gave up, and that finished could not keep.
func TestAStopHidesNoError(t *testing.T) {
	full := errors.New("disk full")
	for _, cancelled := range []bool{false, true} {
		held, ctx, release := make(chan struct{}), context.Background(), make(chan struct{})
		ctx, cancel := context.WithCancel(ctx)
		s := series(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
			if isStart(src, 1, 0) {
				close(held)
				<-release
			}
			return uniform{}.Play(pos, src, d)
		}))
		s.MaxPlies = 1 // so that it ends in spite of the cancelled context
		p := Start(s, 1)
		go func() {
			<-held
			if p.Stop(); cancelled {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
			close(release)
		}()
		err := p.Play(ctx, Games(0, 100), func(*engine.Record) error { return full }, func(*engine.Record) error { return nil })
		p.Close()
		cancel()
		if !errors.Is(err, full) || errors.Is(err, ErrStopped) || errors.Is(err, context.Canceled) {
			t.Errorf("cancelled %t: %v", cancelled, err)
		}
	}
}

// TestAfterAnErrorNobodyIsCalled: neither finished nor sink, whichever of them failed.
func TestAfterAnErrorNobodyIsCalled(t *testing.T) {
	full := errors.New("disk full")
	for _, inSink := range []bool{false, true} {
		p := Start(series(t, "random"), 3)
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
			func(r *engine.Record) error { return call(!inSink && r.Game == 10) },
			func(r *engine.Record) error { return call(inSink && r.Game == 10) })
		p.Close()
		if !errors.Is(err, full) || after > 0 {
			t.Errorf("%v, %d calls after it", err, after)
		}
	}
}

// TestCancelTellsWhatIsFinished: no finished game is lost.
func TestCancelTellsWhatIsFinished(t *testing.T) {
	s := series(t, "random").playedBy(playFunc(func(pos engine.Position, src *rand.PCG, d *Decision) bool {
		if isStart(src, 1, 5) || pos.String() == "stuck" {
			time.Sleep(50 * time.Millisecond)
		}
		return uniform{}.Play(pos, src, d)
	}))
	p := Start(s, 1)
	defer p.Close()
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	time.AfterFunc(10*time.Millisecond, func() { cancel(why) })
	var told uint64
	err := p.Play(ctx, Games(0, 1000), func(*engine.Record) error { told++; return nil }, func(*engine.Record) error { return nil })
	if finished, _ := p.Progress(); !errors.Is(err, why) || told != finished {
		t.Errorf("%v, %d of %d finished games were told", err, told, finished)
	}
}
