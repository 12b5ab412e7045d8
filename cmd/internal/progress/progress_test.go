package progress

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"selfplay/datasets/status"
	"selfplay/engine/enginetest"
)

// after returns the run of a progress at a time, with games and plies made.
func after(p *Progress, elapsed time.Duration, games, plies, rows uint64) status.Run {
	r := p.Look()
	r.Played, r.Plies, r.RowsMade = games, plies, rows
	r.Measure(elapsed)
	return r
}

// TestTexts prints log lines, rates, numbers, times, and labels for terminals of several widths.
func TestTexts(t *testing.T) {
	var text bytes.Buffer
	withoutTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	log := slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	p := New("playing", 1000, log, &text, false, "game", "nim", "seed", 9)
	if p.bar != nil {
		t.Fatal("there is a bar without a terminal")
	}
	p.Notify(status.Event{Kind: status.EventResumed, Games: 168, Share: 1000, Missing: 832, Journaled: map[int]uint64{3: 32}})
	p.Notify(status.Event{Kind: status.EventCommitted, Games: 100})
	p.line(after(p, 10*time.Second, 100, 50e6, 0))
	New("converting", 1000, log, &text, false, "game", "nim").Start()
	searches := New("playing", 1000, log, &text, false)
	searches.ShowRows()
	r := after(searches, 10*time.Second, 2, 200, 123)
	searches.line(r)
	fmt.Fprintf(&text, "\nrates beside a bar: %s; %s\n", searches.rateText(r), p.rateText(r))

	text.WriteString("\nnumbers:")
	for _, x := range []float64{0, 0.004, 0.53, 9.996, 12.34, 99.97, 950, 999.6, 12345, 2.449e6, 3e9} {
		fmt.Fprintf(&text, " %v=%s", x, shortNumber(x))
	}
	text.WriteString("\ntimes:")
	for _, d := range []time.Duration{0, 20 * time.Second, 200 * time.Second, time.Hour, 80*time.Minute + time.Second, 76 * time.Hour} {
		fmt.Fprintf(&text, " %v=%s", d, shortTime(d))
	}
	text.WriteString("\n\nlabels:\n")
	known := label{activity: "replaying", done: 123456, of: 1000000, rate: "12.3 rows/s, 450 games/h", left: 80 * time.Minute}
	unknown := known
	unknown.left = 0
	for _, width := range []int{200, 80, 60, 40, 36, 10} {
		fmt.Fprintf(&text, "%d columns: %q, %q\n", width, known.fit(width), unknown.fit(width))
	}
	enginetest.Golden(t, "testdata/texts.txt", text.String(), "People and scripts read these texts")
}
