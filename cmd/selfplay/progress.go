package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"selfplay/datasets"
	"selfplay/workers"
)

// How often a run says how far it is: on a terminal, and in a log.
const (
	barEvery = 100 * time.Millisecond
	logEvery = 30 * time.Second
)

// progress tells on stderr how far a run is: with a bar on a terminal, with a
// line now and then anywhere else, or not at all.
type progress struct {
	*job
	log   *slog.Logger
	bar   *progressbar.ProgressBar // nil without a terminal
	quiet bool

	resumed datasets.Event // what was there at the start; read it when the run is over
	before  atomic.Uint64  // games of resumed, while the run goes on
	shards  atomic.Uint64  // made by this run
}

func newProgress(j *job, log *slog.Logger, stderr io.Writer, quiet bool) *progress {
	p := &progress{job: j, log: log, quiet: quiet}
	if f, ok := stderr.(*os.File); ok && !quiet && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(int64(j.games),
			progressbar.OptionSetWriter(stderr),
			progressbar.OptionSetDescription("playing"),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(barEvery/2), // of several changes at a tick it draws one
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// notify takes note of what the dataset tells.
func (p *progress) notify(e datasets.Event) {
	switch e.Kind {
	case datasets.Resumed:
		p.resumed = e
		p.before.Store(e.Games)
		p.log.Info("start", "game", p.plan.Game, "games", p.games, "games_there", e.Games,
			"seed", p.plan.Seed, "workers", p.workers, "out", p.out)
		if p.bar != nil {
			p.bar.ChangeMax64(int64(p.missing())) // which also draws it
		}
	case datasets.Committed:
		p.shards.Add(1)
	}
}

// watch follows a pool until stop is called. stop waits for the last word.
func (p *progress) watch(pool *workers.Pool) (stop func()) {
	if p.quiet {
		return func() {}
	}
	every, show := logEvery, p.line
	if p.bar != nil {
		every, show = barEvery, p.draw
	}
	begin, done := time.Now(), make(chan struct{})
	var watcher errgroup.Group
	watcher.Go(func() error {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				games, plies := pool.Progress()
				show(games, rate(plies, time.Since(begin)), time.Since(begin))
			case <-done:
				return nil
			}
		}
	})
	return func() {
		close(done)
		watcher.Wait()
		if p.bar != nil {
			p.bar.Finish()
		}
	}
}

// draw moves the bar.
func (p *progress) draw(games uint64, pliesPerS float64, _ time.Duration) {
	p.bar.Describe(fmt.Sprintf("playing, %.2f million plies/s", pliesPerS/1e6))
	p.bar.Set64(int64(min(games, p.missing())))
}

// line logs one line.
func (p *progress) line(games uint64, pliesPerS float64, elapsed time.Duration) {
	p.log.Info("playing", "games", p.before.Load()+games, "of", p.games, "shards_made", p.shards.Load(),
		"plies_per_s", int64(pliesPerS), "eta", p.eta(games, elapsed).String())
}

// missing is how many games this run has to play.
func (p *progress) missing() uint64 {
	if before := p.before.Load(); before < p.games {
		return p.games - before
	}
	return 0
}

// eta is how long the games that are missing will take at the speed so far.
func (p *progress) eta(games uint64, elapsed time.Duration) time.Duration {
	missing := p.missing()
	if games == 0 || games > missing {
		return 0
	}
	left := float64(elapsed) * float64(missing-games) / float64(games)
	return time.Duration(left).Round(time.Second)
}
