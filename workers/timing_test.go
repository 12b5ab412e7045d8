package workers

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/pprof"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestSlowDecisionsCountBeforeTheirGameEnds: while the first game goes on, each ply counts once it is searched, and
// once only.
func TestSlowDecisionsCountBeforeTheirGameEnds(t *testing.T) {
	for _, c := range []struct {
		player string
		early  uint64 // plies that count before the end of the game
	}{{"ab:nodes=200,net=none", 11}, {"random", 0}} {
		var p *Pool
		early := uint64(0)
		s := seriesOf(t, encode.Contrast(), c.player)
		s.MaxPlies, s.Clock = 12, func() int64 {
			if games, plies := p.Progress(); games == 0 {
				early = max(early, plies)
			}
			return 0
		}
		p = startPool(t, s, 1)
		plies := 0
		must.Do(t, p.Play(context.Background(), Games(0, 3), nil, func(r *engine.Record) error { plies += len(r.Actions); return nil }))
		games, counted := p.Progress()
		if early != c.early || games != 3 || counted != uint64(plies) {
			t.Errorf("%s: %d plies early, want %d; %d of %d plies in %d games", c.player, early, c.early, counted, plies, games)
		}
	}
}

func TestWorkerTimeCountsFinishedGames(t *testing.T) {
	p := startPool(t, nimSeries(t, "random"), 2)
	must.Do(t, p.Play(context.Background(), Games(0, 50), nil, func(*engine.Record) error { return nil }))
	if got := p.WorkerTime(); got <= 0 {
		t.Error(got)
	}
	if p.Busy() != 0 {
		t.Errorf("%d workers are busy without games", p.Busy())
	}
}

func TestBusyWorkersPlayAGame(t *testing.T) {
	playing, leave := make(chan bool), make(chan bool)
	s := nimSeries(t, "random").playedBy(playFunc(func(engine.Position, *rand.PCG, *Decision) bool {
		playing <- true
		<-leave
		return false
	}))
	p := startPool(t, s, 3)
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan error)
	go func() { ended <- p.Play(ctx, Games(0, 2), nil, func(*engine.Record) error { return nil }) }()
	<-playing
	<-playing
	if p.Busy() != 2 {
		t.Errorf("%d workers are busy with 2 games", p.Busy())
	}
	cancel(stopped)
	close(leave)
	<-ended
	if p.Busy() != 0 {
		t.Errorf("%d workers are busy after the last game", p.Busy())
	}
}

// The threads of a process are never given back, so the test asks for more than the others have used.
func TestWorkersWithoutGamesHoldNoThread(t *testing.T) {
	threads := func() int { return pprof.Lookup("threadcreate").Count() }
	s := nimSeries(t, "random")
	s.Clock = func() int64 { return 0 }
	before := threads()
	p := startPool(t, s, before+200)
	must.Do(t, p.Play(context.Background(), Games(0, 20000), nil, func(*engine.Record) error { return nil }))
	if got := threads() - before; got > 100 {
		t.Errorf("%d workers, most without a game, started %d threads", before+200, got)
	}
}
