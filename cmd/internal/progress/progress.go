// Package progress reports on stderr how far the making of a dataset is: by a progress bar
// on a terminal, by log lines elsewhere, or not at all.
package progress

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"selfplay/datasets"
	"selfplay/internal/goroutine"
)

// Intervals between reports.
const (
	barInterval = 100 * time.Millisecond
	logInterval = 30 * time.Second
)

// Progress follows the making of one dataset.
type Progress struct {
	activity string // what happens to the games: playing
	games    uint64 // in the whole dataset
	log      *slog.Logger
	start    []any                    // more keys and values for the first log line
	bar      *progressbar.ProgressBar // nil without a terminal
	quiet    bool

	resumed datasets.Event
	before  atomic.Uint64 // games that exist without being made now; Notify adds recovered ones
	shards  atomic.Uint64 // committed so far
}

// New returns the progress of making a number of games. activity is one word for what
// happens to them; start has more keys and values for the first log line. There is a bar if
// stderr is a terminal, and nothing if quiet is set.
func New(activity string, games uint64, log *slog.Logger, stderr io.Writer, quiet bool, start ...any) *Progress {
	p := &Progress{activity: activity, games: games, log: log, start: start, quiet: quiet}
	if f, ok := stderr.(*os.File); ok && !quiet && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(int64(games),
			progressbar.OptionSetWriter(stderr),
			progressbar.OptionSetDescription(activity),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(barInterval/2), // draw changes of the same tick once
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// Silent returns a progress that reports nothing.
func Silent() *Progress { return New("", 0, slog.New(slog.DiscardHandler), io.Discard, true) }

// Log returns the logger of New.
func (p *Progress) Log() *slog.Logger { return p.log }

// Resumed returns the event with what the dataset had at the start. Call it when the making
// is over.
func (p *Progress) Resumed() datasets.Event { return p.resumed }

// Start reports the start of work that cannot resume. With a dataset, Notify does it.
func (p *Progress) Start() { p.begin("games", p.games) }

// begin reports the start with the given keys and values first.
func (p *Progress) begin(games ...any) {
	p.log.Info("start", append(games, p.start...)...)
	if p.bar != nil {
		p.bar.ChangeMax64(int64(p.missing())) // also draws the bar
	}
}

// Notify takes an event of the dataset. It is the Notify of datasets.Options.
func (p *Progress) Notify(e datasets.Event) {
	switch e.Kind {
	case datasets.EventResumed:
		p.resumed = e
		p.before.Store(e.Games)
		p.begin("games", p.games, "games_done", e.Games)
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

// Watch reports the progress of the source of games in a goroutine of its own, until the
// caller calls stop. stop waits for the goroutine.
func (p *Progress) Watch(source interface {
	Progress() (games, plies uint64)
}) (stop func()) {
	if p.quiet {
		return func() {}
	}
	interval, report := logInterval, p.line
	if p.bar != nil {
		interval, report = barInterval, p.draw
	}
	begin, done := time.Now(), make(chan struct{})
	watcher := goroutine.New()
	watcher.Go(func() error {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				games, plies := source.Progress()
				elapsed := time.Since(begin)
				report(games, float64(plies)/max(elapsed, time.Microsecond).Seconds(), elapsed)
			case <-done:
				return nil
			}
		}
	})
	return func() {
		close(done)
		if err := watcher.Wait(); err != nil { // the work itself has not failed
			p.log.Error("progress", "err", err)
		}
		if p.bar != nil {
			_ = p.bar.Finish() // work goes on if the terminal is gone
		}
	}
}

// draw updates the bar. games counts those made now.
func (p *Progress) draw(games uint64, pliesPerS float64, _ time.Duration) {
	p.bar.Describe(fmt.Sprintf("%s, %.2f million plies/s", p.activity, pliesPerS/1e6))
	_ = p.bar.Set64(int64(min(games, p.missing()))) // as in Watch
}

// line logs one line. games counts those made now.
func (p *Progress) line(games uint64, pliesPerS float64, elapsed time.Duration) {
	p.log.Info(p.activity, "games", p.before.Load()+games, "of", p.games, "shards_made", p.shards.Load(),
		"plies_per_s", int64(pliesPerS), "eta", p.eta(games, elapsed).String())
}

// missing returns the number of games to make, those made now included.
func (p *Progress) missing() uint64 {
	if before := p.before.Load(); before < p.games {
		return p.games - before
	}
	return 0
}

// eta returns the time left if the speed stays the same, and 0 if it is unknown.
func (p *Progress) eta(games uint64, elapsed time.Duration) time.Duration {
	missing := p.missing()
	if games == 0 || games > missing {
		return 0
	}
	left := float64(elapsed) * float64(missing-games) / float64(games)
	return time.Duration(left).Round(time.Second)
}
