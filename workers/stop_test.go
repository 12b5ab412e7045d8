package workers

import (
	"context"
	"errors"
	"math/rand/v2"
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
	err := p.Play(context.Background(), 0, 1000, func(r *engine.Record) error {
		if r.Game != taken {
			t.Errorf("got game %d, want %d", r.Game, taken)
		}
		taken++
		return nil
	})
	if !errors.Is(err, ErrStopped) || taken != 20+workers || begun.Load() != int64(taken) {
		t.Errorf("%v after %d games, %d were begun", err, taken, begun.Load())
	}
	if err := p.Play(context.Background(), 0, 1, func(*engine.Record) error { return nil }); !errors.Is(err, ErrStopped) {
		t.Errorf("a stopped pool plays: %v", err)
	}
	if err := p.Play(context.Background(), 0, 0, nil); err != nil {
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
		err := p.Play(context.Background(), 0, n, func(*engine.Record) error { taken++; return nil })
		if taken == n && err != nil || taken < n && !errors.Is(err, ErrStopped) {
			t.Errorf("%d games, %v", taken, err)
		}
		time.AfterFunc(time.Duration(rand.IntN(2000))*time.Microsecond, p.Stop)
	}
}

// TestCancelDeliversWhatIsFinished: the games before the first that is unfinished.
func TestCancelDeliversWhatIsFinished(t *testing.T) {
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
	var taken uint64
	err := p.Play(ctx, 0, 1000, func(r *engine.Record) error {
		if r.Game != taken {
			t.Errorf("got game %d, want %d", r.Game, taken)
		}
		taken++
		return nil
	})
	if finished, _ := p.Progress(); !errors.Is(err, why) || taken != finished {
		t.Errorf("%v, %d of %d finished games were delivered", err, taken, finished)
	}
}
