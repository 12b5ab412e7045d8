// Package progress tells on stderr how far the making of a dataset is: with a bar on
// a terminal, with a line now and then anywhere else, or not at all.
package progress

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
)

// How often it is told: on a terminal, and in a log.
const (
	barEvery = 100 * time.Millisecond
	logEvery = 30 * time.Second
)

// Progress follows one making of a dataset.
type Progress struct {
	what  string // is done with the games: playing
	games uint64 // that are wanted in all
	log   *slog.Logger
	start []any                    // what the first line says besides
	bar   *progressbar.ProgressBar // nil without a terminal
	quiet bool

	resumed datasets.Event
	before  atomic.Uint64 // games of resumed, while the making goes on
	shards  atomic.Uint64 // made by now
}

// New returns the progress of making so many games. What is done with them is one
// word; start is what the first line says besides, as key and value.
func New(what string, games uint64, log *slog.Logger, stderr io.Writer, quiet bool, start ...any) *Progress {
	p := &Progress{what: what, games: games, log: log, start: start, quiet: quiet}
	if f, ok := stderr.(*os.File); ok && !quiet && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(int64(games),
			progressbar.OptionSetWriter(stderr),
			progressbar.OptionSetDescription(what),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(barEvery/2), // of several changes at a tick it draws one
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// Silent returns a progress that tells nobody.
func Silent() *Progress { return New("", 0, slog.New(slog.DiscardHandler), io.Discard, true) }

// Log returns where everything else is told.
func (p *Progress) Log() *slog.Logger { return p.log }

// Resumed returns what was there at the start. Ask when the making is over.
func (p *Progress) Resumed() datasets.Event { return p.resumed }

// Start tells that it begins, where nothing can be there from before.
func (p *Progress) Start() { p.begin("games", p.games) }

// begin tells that it begins, with what is said of the games.
func (p *Progress) begin(games ...any) {
	p.log.Info("start", append(games, p.start...)...)
	if p.bar != nil {
		p.bar.ChangeMax64(int64(p.missing())) // which also draws it
	}
}

// Notify takes note of what the dataset tells.
func (p *Progress) Notify(e datasets.Event) {
	switch e.Kind {
	case datasets.EventResumed:
		p.resumed = e
		p.before.Store(e.Games)
		p.begin("games", p.games, "games_there", e.Games)
	case datasets.EventRecovered:
		p.before.Add(e.Games)
		p.log.Info("recovered", "shard", e.Shard, "games", e.Games)
		if p.bar != nil {
			p.bar.ChangeMax64(int64(p.missing()))
		}
	case datasets.EventCommitted:
		p.shards.Add(1)
	}
}

// Watch follows where the games come from until stop is called. stop waits for the
// last word.
func (p *Progress) Watch(source interface {
	Progress() (games, plies uint64)
}) (stop func()) {
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
				games, plies := source.Progress()
				elapsed := time.Since(begin)
				show(games, float64(plies)/max(elapsed, time.Microsecond).Seconds(), elapsed)
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
func (p *Progress) draw(games uint64, pliesPerS float64, _ time.Duration) {
	p.bar.Describe(fmt.Sprintf("%s, %.2f million plies/s", p.what, pliesPerS/1e6))
	p.bar.Set64(int64(min(games, p.missing())))
}

// line logs one line.
func (p *Progress) line(games uint64, pliesPerS float64, elapsed time.Duration) {
	p.log.Info(p.what, "games", p.before.Load()+games, "of", p.games, "shards_made", p.shards.Load(),
		"plies_per_s", int64(pliesPerS), "eta", p.eta(games, elapsed).String())
}

// missing is how many games are to be made by now.
func (p *Progress) missing() uint64 {
	if before := p.before.Load(); before < p.games {
		return p.games - before
	}
	return 0
}

// eta is how long the games that are missing will take at the speed so far.
func (p *Progress) eta(games uint64, elapsed time.Duration) time.Duration {
	missing := p.missing()
	if games == 0 || games > missing {
		return 0
	}
	left := float64(elapsed) * float64(missing-games) / float64(games)
	return time.Duration(left).Round(time.Second)
}
