package program

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"selfplay/datasets/plan"
	"selfplay/datasets/status"
	"selfplay/internal/goroutine"
)

// barInterval is the time between two reports on a terminal.
const barInterval = 100 * time.Millisecond

// logInterval is the time between two log lines, unless LogEvery sets another one.
const logInterval = 30 * time.Second

// slowGames is the number of games per hour below which the bar shows it.
const slowGames = 3600

// meter follows one piece of work on games, and reports how far it is.
type meter struct {
	*status.Tracker
	activity string // what happens to the games: playing
	log      *slog.Logger
	start    []any         // more keys and values for the first log line
	bar      *progressBar  // nil without a terminal
	interval time.Duration // between two log lines
	quiet    bool
	rows     bool        // rates are in rows, not in plies
	waits    atomic.Bool // the bar waits for begin
}

// newMeter returns the progress of work on a number of games. activity is one word for what
// happens to them; start has more keys and values for the first log line. There is a bar if
// stderr is a terminal that can draw one and log writes no JSON, and nothing if quiet is set.
func newMeter(activity string, games uint64, log *slog.Logger, stderr io.Writer, quiet bool, start ...any) *meter {
	p := &meter{Tracker: status.Track(games), activity: activity, log: log, start: start, interval: logInterval, quiet: quiet}
	_, json := log.Handler().(*slog.JSONHandler)
	if !json && !quiet {
		p.bar = newBar(stderr, games)
	}
	if p.bar != nil {
		p.log = slog.New(barHandler{log.Handler(), p.bar})
	}
	return p
}

// silentMeter returns a progress that reports nothing.
func silentMeter() *meter { return newMeter("", 0, slog.New(slog.DiscardHandler), io.Discard, true) }

// Expect sets the number of games of work that learns it late: newMeter takes 0 for it, and there
// is no bar before Expect.
func (p *meter) Expect(games uint64) {
	p.Tracker.Expect(games)
	if p.bar != nil && games > 0 {
		p.bar.setMax(games)
	}
}

// ShowRows makes the rates rows per second and games per hour instead of plies per second:
// players that search take long for a game. Call it before Watch.
func (p *meter) ShowRows() { p.rows = true }

// Log returns a logger that writes what the one of newMeter does, and keeps out of the bar's way.
func (p *meter) Log() *slog.Logger { return p.log }

// HasBar reports whether a person watches a bar.
func (p *meter) HasBar() bool { return p.bar != nil }

// Notice tells what happens next: a person beside a bar by a text, others by a log event
// with keys and values.
func (p *meter) Notice(text, event string, pairs ...any) {
	if p.bar == nil {
		p.log.Info(event, pairs...)
		return
	}
	p.bar.println(text)
}

// Start reports the start of work that cannot resume. With a dataset, Notify does it.
func (p *meter) Start() { p.begin("games", p.Look().Asked) }

// AwaitResume shows no bar before the event of the dataset that says what earlier runs have done. Call it before Watch.
func (p *meter) AwaitResume() { p.waits.Store(true) }

// begin reports the start with the given keys and values first.
func (p *meter) begin(games ...any) {
	p.waits.Store(false)
	p.log.Info("start", append(games, p.start...)...)
	p.resize() // also draws the bar
}

// resize gives the bar the number of games of this run, those of earlier runs included.
func (p *meter) resize() {
	if p.bar != nil {
		p.bar.setMax(p.Look().Share)
	}
}

// Notify takes an event of the dataset. It is the Notify of making.Options.
func (p *meter) Notify(e status.Event) {
	p.Tracker.Notify(e)
	switch e.Kind {
	case status.EventResumed:
		if e.PlanRestored {
			p.Notice("plan.json was damaged: it is written again, since the commit records name its hash", "plan restored")
		}
		for _, name := range slices.Sorted(maps.Keys(e.NoJournals)) {
			p.Notice(fmt.Sprintf("%s is left out: %v", name, e.NoJournals[name]), "left out", "file", name, "why", e.NoJournals[name])
		}
		p.begin("games", p.Look().Asked, "games_done", e.Games+plan.Total(e.Journaled))
	case status.EventRecovered:
		p.log.Info("recovered", "shard", e.Shard, "games", e.Games, "under_way", e.UnderWay)
	case status.EventExtended:
		p.log.Info("extend", "shard", e.Shard, "games_kept", e.Games, "games_missing", e.Missing)
	case status.EventWritten, status.EventCommitted: // Look has them
	}
}

// LogEvery sets the time between two log lines. Call it before Watch.
func (p *meter) LogEvery(interval time.Duration) { p.interval = interval }

// Watch reports the progress of the source of games in a goroutine of its own, until the
// caller calls stop. stop waits for the goroutine.
func (p *meter) Watch(source interface {
	Progress() (games, plies uint64)
}) (stop func()) {
	return p.WatchRun(func(r *status.Run) { r.Played, r.Plies = source.Progress() })
}

// WatchRun is Watch for a source that sets more than games and plies: fill sets all that the games under
// way change.
func (p *meter) WatchRun(fill func(*status.Run)) (stop func()) {
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
func (p *meter) draw(r status.Run) {
	if r.Share == 0 || p.waits.Load() {
		return
	}
	done := r.ShareDone()
	p.bar.draw(done, barLabel{activity: p.activity, done: done, of: r.Share, rate: p.rateText(r), left: timeLeft(r)})
}

// rateText returns the rates since the start, for the bar.
func (p *meter) rateText(r status.Run) string {
	text := shortNumber(r.PerSecond(r.Plies)) + " plies/s"
	if p.rows && r.RowsPerS > 0 { // none before the first game is finished
		text = shortNumber(r.RowsPerS) + " rows/s"
	}
	hourly := 3600 * r.PerSecond(r.Played)
	if p.rows || r.Played > 0 && hourly < slowGames {
		text += ", " + shortNumber(hourly) + " games/h"
	}
	for _, m := range r.Models {
		text += fmt.Sprintf(", %s evals/s in %.0f/%d", shortNumber(m.PerS), m.MeanBatch, m.Batch)
	}
	return text
}

// line logs one line.
func (p *meter) line(r status.Run) {
	list := []any{"games", r.GamesDone, "of", r.Asked, "shards_made", r.ShardsNew}
	if p.rows && r.RowsPerS > 0 {
		list = append(list, "rows_per_s", r.RowsPerS, "games_per_h", r.GamesPerH)
	} else {
		list = append(list, "plies_per_s", int64(r.PerSecond(r.Plies)))
	}
	for _, m := range r.Models {
		list = append(list, "model", m.Name, "evaluations_per_s", int64(m.PerS), "mean_batch", m.MeanBatch, "busy", m.Busy)
	}
	p.log.Info(p.activity, append(list, "eta", timeLeft(r).String())...)
}

// timeLeft returns the time left if the speed stays the same, and 0 if it is unknown.
func timeLeft(r status.Run) time.Duration {
	if r.ETA == nil {
		return 0
	}
	return time.Duration(*r.ETA) * time.Second
}

// progressBar is a progress bar in the last line of a terminal. It fits the terminal, also after its
// window changed. Several goroutines may use it. Errors do not matter: work goes on if the
// terminal is gone.
type progressBar struct {
	terminal *os.File

	mu  sync.Mutex // of the last line
	bar *progressbar.ProgressBar
}

// newBar returns a bar of games, nil if stderr is no terminal or one that cannot go back in
// a line.
func newBar(stderr io.Writer, games uint64) *progressBar {
	f, ok := stderr.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	b := &progressBar{terminal: f}
	b.bar = progressbar.NewOptions64(int64(max(games, 1)),
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetWidth(barCells(b.width())),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionUseANSICodes(runtime.GOOS != "windows"),
		progressbar.OptionThrottle(barInterval/2), // draw changes of the same tick once
		progressbar.OptionClearOnFinish(),
	)
	return b
}

// defaultWidth is the width of a terminal that does not tell it.
const defaultWidth = 80

// width returns the columns of the terminal.
func (b *progressBar) width() int {
	if w, _, err := term.GetSize(int(b.terminal.Fd())); err == nil && w > 0 {
		return w
	}
	if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return defaultWidth
}

// barCells returns the width of the bar itself in a terminal of a width.
func barCells(width int) int { return width / 6 }

// barFrame is the width of what package progressbar prints around bar and label, which is
// "  12% |", "|", two spaces before the label and one after it; and of the ^C that a terminal
// adds when the user presses it.
const barFrame = 11 + 2

// barLabel is the text beside a bar.
type barLabel struct {
	activity string
	done, of uint64
	rate     string
	left     time.Duration // 0: unknown
}

// fit returns the longest form of a label for a terminal of a width. The games are the last to go.
func (l barLabel) fit(width int) string {
	left := ""
	if l.left > 0 {
		left = ", " + shortTime(l.left) + " left"
	}
	games := fmt.Sprintf("%d/%d", l.done, l.of)
	count := l.activity + " " + games
	for _, text := range []string{count + ", " + l.rate + left, games + ", " + l.rate + left, count + left, games + left, count, games} {
		if len(text) <= width-barFrame-barCells(width) {
			return text
		}
	}
	return ""
}

func (b *progressBar) draw(done uint64, l barLabel) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bar.Describe(l.fit(b.width()))
	_ = b.bar.Set64(int64(done))
}

func (b *progressBar) setMax(games uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bar.ChangeMax64(int64(games))
}

func (b *progressBar) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.bar.Finish()
}

// println prints a line above the bar.
func (b *progressBar) println(text string) {
	b.above(func() { fmt.Fprintln(b.terminal, text) })
}

// above clears the line of the bar, so that print can use it. The next draw draws the bar
// again.
func (b *progressBar) above(print func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.bar.Clear()
	print()
}

// barHandler writes log lines above a bar.
type barHandler struct {
	slog.Handler
	bar *progressBar
}

func (h barHandler) Handle(ctx context.Context, r slog.Record) (err error) {
	h.bar.above(func() { err = h.Handler.Handle(ctx, r) })
	return err
}

// WithAttrs and WithGroup keep the bar.
func (h barHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return barHandler{h.Handler.WithAttrs(attrs), h.bar}
}

func (h barHandler) WithGroup(name string) slog.Handler {
	return barHandler{h.Handler.WithGroup(name), h.bar}
}

// shortNumber writes a number with two or three digits: 0.53, 12.3, 950, 12.3k, 2.45M.
func shortNumber(x float64) string {
	unit := ""
	for _, u := range []string{"k", "M", "G"} {
		if x < 999.5 {
			break
		}
		x, unit = x/1000, u
	}
	switch {
	case x == 0:
		return "0"
	case x < 9.995:
		return fmt.Sprintf("%.2f%s", x, unit)
	case x < 99.95:
		return fmt.Sprintf("%.1f%s", x, unit)
	}
	return fmt.Sprintf("%.0f%s", x, unit)
}

// shortTime writes a time in whole seconds with one or two units: 20s, 3m20s, 1h20m, 3d4h.
func shortTime(d time.Duration) string {
	units := []struct {
		name string
		size time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}
	for i, u := range units[:3] {
		if d < u.size {
			continue
		}
		text := fmt.Sprintf("%d%s", d/u.size, u.name)
		rest := d % u.size / units[i+1].size
		if rest > 0 {
			text += fmt.Sprintf("%d%s", rest, units[i+1].name)
		}
		return text
	}
	return fmt.Sprintf("%ds", d/time.Second)
}
