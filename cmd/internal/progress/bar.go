package progress

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// bar is a progress bar in the last line of a terminal. It fits the terminal, also after its
// window changed. Several goroutines may use it. Errors do not matter: work goes on if the
// terminal is gone.
type bar struct {
	terminal *os.File

	mu  sync.Mutex // of the last line
	bar *progressbar.ProgressBar
}

// newBar returns a bar of games, nil if stderr is no terminal or one that cannot go back in
// a line.
func newBar(stderr io.Writer, games uint64) *bar {
	f, ok := stderr.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	b := &bar{terminal: f}
	b.bar = progressbar.NewOptions64(int64(max(games, 1)),
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetWidth(cells(b.width())),
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
func (b *bar) width() int {
	if w, _, err := term.GetSize(int(b.terminal.Fd())); err == nil && w > 0 {
		return w
	}
	if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return defaultWidth
}

// cells returns the width of the bar itself in a terminal of a width.
func cells(width int) int { return width / 6 }

// frame is the width of what package progressbar prints around bar and label, which is
// "  12% |", "|", two spaces before the label and one after it; and of the ^C that a terminal
// adds when the user presses it.
const frame = 11 + 2

// label is the text beside a bar.
type label struct {
	activity string
	done, of uint64
	rate     string
	left     time.Duration // 0: unknown
}

// fit returns the longest form of a label for a terminal of a width. The games are the last to go.
func (l label) fit(width int) string {
	left := ""
	if l.left > 0 {
		left = ", " + shortTime(l.left) + " left"
	}
	games := fmt.Sprintf("%d/%d", l.done, l.of)
	count := l.activity + " " + games
	for _, text := range []string{count + ", " + l.rate + left, games + ", " + l.rate + left, count + left, games + left, count, games} {
		if len(text) <= width-frame-cells(width) {
			return text
		}
	}
	return ""
}

func (b *bar) draw(done uint64, l label) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bar.Describe(l.fit(b.width()))
	_ = b.bar.Set64(int64(done))
}

func (b *bar) setMax(games uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bar.ChangeMax64(int64(games))
}

func (b *bar) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.bar.Finish()
}

// println prints a line above the bar.
func (b *bar) println(text string) {
	b.above(func() { fmt.Fprintln(b.terminal, text) })
}

// above clears the line of the bar, so that print can use it. The next draw draws the bar
// again.
func (b *bar) above(print func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.bar.Clear()
	print()
}

// barHandler writes log lines above a bar.
type barHandler struct {
	slog.Handler
	bar *bar
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
