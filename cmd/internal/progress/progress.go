// Package progress reports progress on stderr: by a bar on a terminal, by log lines elsewhere,
// or not at all. What it reports is a status.Run.
//
//	progress.go  Progress: the reports and their texts
//	bar.go       the bar, and log lines beside it
//	text.go      numbers and times as short texts
package progress

import (
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"selfplay/datasets/plan"
	"selfplay/datasets/status"
	"selfplay/internal/goroutine"
)

// barInterval is the time between two reports on a terminal.
const barInterval = 100 * time.Millisecond

// LogInterval is the time between two log lines, unless LogEvery sets another one.
const LogInterval = 30 * time.Second

// slow is the number of games per hour below which the bar shows it.
const slow = 3600

// Progress follows one piece of work on games, and reports how far it is.
type Progress struct {
	*status.Tracker
	activity string // what happens to the games: playing
	log      *slog.Logger
	start    []any         // more keys and values for the first log line
	bar      *bar          // nil without a terminal
	interval time.Duration // between two log lines
	quiet    bool
	rows     bool        // rates are in rows, not in plies
	waits    atomic.Bool // the bar waits for begin
}

// New returns the progress of work on a number of games. activity is one word for what
// happens to them; start has more keys and values for the first log line. There is a bar if
// stderr is a terminal that can draw one and log writes no JSON, and nothing if quiet is set.
func New(activity string, games uint64, log *slog.Logger, stderr io.Writer, quiet bool, start ...any) *Progress {
	p := &Progress{Tracker: status.Track(games), activity: activity, log: log, start: start, interval: LogInterval, quiet: quiet}
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
	p.Tracker.Expect(games)
	if p.bar != nil && games > 0 {
		p.bar.setMax(games)
	}
}

// ShowRows makes the rates rows per second and games per hour instead of plies per second:
// players that search take long for a game. Call it before Watch.
func (p *Progress) ShowRows() { p.rows = true }

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

// Start reports the start of work that cannot resume. With a dataset, Notify does it.
func (p *Progress) Start() { p.begin("games", p.Look().Asked) }

// AwaitResume shows no bar before the event of the dataset that says what earlier runs have done. Call it before Watch.
func (p *Progress) AwaitResume() { p.waits.Store(true) }

// begin reports the start with the given keys and values first.
func (p *Progress) begin(games ...any) {
	p.waits.Store(false)
	p.log.Info("start", append(games, p.start...)...)
	p.resize() // also draws the bar
}

// resize gives the bar the number of games of this run, those of earlier runs included.
func (p *Progress) resize() {
	if p.bar != nil {
		p.bar.setMax(p.Look().Share)
	}
}

// Notify takes an event of the dataset. It is the Notify of making.Options.
func (p *Progress) Notify(e status.Event) {
	p.Tracker.Notify(e)
	switch e.Kind {
	case status.EventResumed:
		p.begin("games", p.Look().Asked, "games_done", e.Games+plan.Total(e.Journaled))
	case status.EventRecovered:
		p.log.Info("recovered", "shard", e.Shard, "games", e.Games, "under_way", e.UnderWay)
	case status.EventExtended:
		p.log.Info("extend", "shard", e.Shard, "games_kept", e.Games, "games_missing", e.Missing)
	case status.EventWritten, status.EventCommitted: // Look has them
	}
}

// LogEvery sets the time between two log lines. Call it before Watch.
func (p *Progress) LogEvery(interval time.Duration) { p.interval = interval }

// Watch reports the progress of the source of games in a goroutine of its own, until the
// caller calls stop. stop waits for the goroutine.
func (p *Progress) Watch(source interface {
	Progress() (games, plies uint64)
}) (stop func()) {
	return p.WatchRun(func(r *status.Run) { r.Played, r.Plies = source.Progress() })
}

// WatchRun is Watch for a source that sets more than games and plies: fill sets all that the games under
// way change.
func (p *Progress) WatchRun(fill func(*status.Run)) (stop func()) {
	p.Follow(fill)
	if p.quiet {
		return func() {}
	}
	interval, report := p.interval, p.line
	if p.bar != nil {
		interval, report = barInterval, p.draw
	}
	end := goroutine.Every(interval, interval, func() { report(p.Look()) })
	return func() {
		if err := end(); err != nil { // the work itself has not failed
			p.log.Error("progress", "err", err)
		}
		if p.bar != nil {
			p.bar.finish()
		}
	}
}

// draw updates the bar.
func (p *Progress) draw(r status.Run) {
	if r.Share == 0 || p.waits.Load() {
		return
	}
	done := r.ShareDone()
	p.bar.draw(done, label{activity: p.activity, done: done, of: r.Share, rate: p.rateText(r), left: left(r)})
}

// rateText returns the rates since the start, for the bar.
func (p *Progress) rateText(r status.Run) string {
	text := shortNumber(r.PerSecond(r.Plies)) + " plies/s"
	if p.rows {
		text = shortNumber(r.RowsPerS) + " rows/s"
	}
	if hourly := 3600 * r.PerSecond(r.Played); p.rows || r.Played > 0 && hourly < slow {
		text += ", " + shortNumber(hourly) + " games/h"
	}
	for _, m := range r.Models {
		text += fmt.Sprintf(", %s evals/s in %.0f/%d", shortNumber(m.PerS), m.MeanBatch, m.Batch)
	}
	return text
}

// line logs one line.
func (p *Progress) line(r status.Run) {
	list := []any{"games", r.GamesDone, "of", r.Asked, "shards_made", r.ShardsNew}
	if p.rows {
		list = append(list, "rows_per_s", r.RowsPerS, "games_per_h", r.GamesPerH)
	} else {
		list = append(list, "plies_per_s", int64(r.PerSecond(r.Plies)))
	}
	for _, m := range r.Models {
		list = append(list, "model", m.Name, "evaluations_per_s", int64(m.PerS), "mean_batch", m.MeanBatch, "busy", m.Busy)
	}
	p.log.Info(p.activity, append(list, "eta", left(r).String())...)
}

// left returns the time left if the speed stays the same, and 0 if it is unknown.
func left(r status.Run) time.Duration {
	if r.ETA == nil {
		return 0
	}
	return time.Duration(*r.ETA) * time.Second
}
