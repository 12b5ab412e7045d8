// Package progress reports on stderr how far long work is: by a progress bar on a terminal,
// by log lines elsewhere, or not at all.
//
//	progress.go  Progress: what is done and what is missing
//	bar.go       the bar, and log lines beside it
//	text.go      rates and times as short texts
package progress

import (
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"selfplay/datasets"
	"selfplay/internal/goroutine"
)

// Intervals between reports.
const (
	barInterval = 100 * time.Millisecond
	logInterval = 30 * time.Second
)

// slow is the number of games per hour below which the bar shows it.
const slow = 3600

// Progress follows one piece of work on games.
type Progress struct {
	activity string // what happens to the games: playing
	log      *slog.Logger
	start    []any // more keys and values for the first log line
	bar      *bar  // nil without a terminal
	quiet    bool
	rows     func() uint64 // rows made now; nil: rates are in plies

	resumed datasets.Event
	total   atomic.Uint64 // games in the whole dataset
	before  atomic.Uint64 // games that exist without being made now; Notify adds recovered ones
	missing atomic.Uint64 // games to make, those made now included
	shards  atomic.Uint64 // committed so far
}

// New returns the progress of work on a number of games. activity is one word for what
// happens to them; start has more keys and values for the first log line. There is a bar if
// stderr is a terminal that can draw one and log writes no JSON, and nothing if quiet is set.
func New(activity string, games uint64, log *slog.Logger, stderr io.Writer, quiet bool, start ...any) *Progress {
	p := &Progress{activity: activity, log: log, start: start, quiet: quiet}
	p.missing.Store(games)
	p.total.Store(games)
	if _, json := log.Handler().(*slog.JSONHandler); !json && !quiet {
		p.bar = newBar(stderr, games)
	}
	if p.bar != nil {
		p.log = slog.New(barHandler{log.Handler(), p.bar})
	}
	return p
}

// Silent returns a progress that reports nothing.
func Silent() *Progress { return New("", 0, slog.New(slog.DiscardHandler), io.Discard, true) }

// Expect sets the number of games of work that learns it late: New takes 0 for it, and there
// is no bar before Expect.
func (p *Progress) Expect(games uint64) {
	p.total.Store(games)
	p.missing.Store(games)
	if p.bar != nil && games > 0 {
		p.bar.setMax(games)
	}
}

// CountRows makes the rates rows per second and games per hour instead of plies per second:
// players that search take long for a game. rows returns the number of rows made now; it
// must be safe for concurrent use. Call it before Watch.
func (p *Progress) CountRows(rows func() uint64) { p.rows = rows }

// Log returns a logger that writes what the one of New does, and keeps out of the bar's way.
func (p *Progress) Log() *slog.Logger { return p.log }

// HasBar reports whether a person watches a bar.
func (p *Progress) HasBar() bool { return p.bar != nil }

// Notice tells what happens next: a person beside a bar by a text, others by a log event
// with keys and values.
func (p *Progress) Notice(text, event string, pairs ...any) {
	if p.bar == nil {
		p.log.Info(event, pairs...)
		return
	}
	p.bar.println(text)
}

// Resumed returns the event with what the dataset had at the start. Call it when the making
// is over.
func (p *Progress) Resumed() datasets.Event { return p.resumed }

// Start reports the start of work that cannot resume. With a dataset, Notify does it.
func (p *Progress) Start() { p.begin("games", p.total.Load()) }

// begin reports the start with the given keys and values first.
func (p *Progress) begin(games ...any) {
	p.log.Info("start", append(games, p.start...)...)
	if p.bar != nil {
		p.bar.setMax(p.missing.Load()) // also draws the bar
	}
}

// Notify takes an event of the dataset. It is the Notify of datasets.Options.
func (p *Progress) Notify(e datasets.Event) {
	switch e.Kind {
	case datasets.EventResumed:
		p.resumed = e
		p.before.Store(e.Games)
		p.missing.Store(e.Missing)
		p.begin("games", p.total.Load(), "games_done", e.Games)
	case datasets.EventRecovered:
		p.before.Add(e.Games)
		p.missing.Store(p.missing.Load() - min(p.missing.Load(), e.Games)) // calls do not overlap
		p.log.Info("recovered", "shard", e.Shard, "games", e.Games)
		if p.bar != nil {
			p.bar.setMax(p.missing.Load())
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
				report(games, plies, time.Since(begin))
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
			p.bar.finish()
		}
	}
}

// draw updates the bar. games and plies count those made now.
func (p *Progress) draw(games, plies uint64, elapsed time.Duration) {
	missing := p.missing.Load()
	if missing == 0 {
		return
	}
	p.bar.draw(min(games, missing), label{
		activity: p.activity, done: min(games, missing), of: missing,
		rate: p.rateText(games, plies, elapsed), left: p.eta(games, elapsed),
	})
}

// rateText returns the rates since the start, for the bar.
func (p *Progress) rateText(games, plies uint64, elapsed time.Duration) string {
	text := shortNumber(perSecond(plies, elapsed)) + " plies/s"
	if p.rows != nil {
		text = shortNumber(perSecond(p.rows(), elapsed)) + " rows/s"
	}
	if hourly := 3600 * perSecond(games, elapsed); p.rows != nil || games > 0 && hourly < slow {
		text += ", " + shortNumber(hourly) + " games/h"
	}
	return text
}

// line logs one line. games and plies count those made now.
func (p *Progress) line(games, plies uint64, elapsed time.Duration) {
	rates := []any{"plies_per_s", int64(perSecond(plies, elapsed))}
	if p.rows != nil {
		rates = []any{"rows_per_s", tenths(perSecond(p.rows(), elapsed)), "games_per_h", tenths(3600 * perSecond(games, elapsed))}
	}
	p.log.Info(p.activity, append(append([]any{"games", p.before.Load() + games, "of", p.total.Load(), "shards_made", p.shards.Load()},
		rates...), "eta", p.eta(games, elapsed).String())...)
}

// eta returns the time left if the speed stays the same, and 0 if it is unknown.
func (p *Progress) eta(games uint64, elapsed time.Duration) time.Duration {
	missing := p.missing.Load()
	if games == 0 || games > missing {
		return 0
	}
	left := float64(elapsed) * float64(missing-games) / float64(games)
	return time.Duration(left).Round(time.Second)
}
