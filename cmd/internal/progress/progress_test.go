package progress

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/status"
)

// after returns the run of a progress at a time, with games and plies made.
func after(p *Progress, elapsed time.Duration, games, plies, rows uint64) status.Run {
	r := p.Look()
	r.Played, r.Plies, r.RowsMade = games, plies, rows
	r.Measure(elapsed)
	return r
}

func TestLogLines(t *testing.T) {
	var stderr bytes.Buffer
	p := New("playing", 1000, slog.New(slog.NewTextHandler(&stderr, nil)), &stderr, false, "game", "nim", "seed", 9)
	if p.bar != nil {
		t.Fatal("there is a bar without a terminal")
	}
	p.Notify(datasets.Event{Kind: datasets.EventResumed, Games: 200, Missing: 800})
	p.Notify(datasets.Event{Kind: datasets.EventCommitted, Games: 100})
	p.line(after(p, 10*time.Second, 100, 50e6, 0))
	for _, want := range []string{
		"msg=start games=1000 games_done=200 game=nim seed=9",
		"msg=playing games=300 of=1000 shards_made=1 plies_per_s=5000000 eta=1m10s",
	} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in\n%s", want, stderr.String())
		}
	}
}

func TestStartWithoutDatasetReportsNoEarlierGames(t *testing.T) {
	var stderr bytes.Buffer
	New("converting", 1000, slog.New(slog.NewTextHandler(&stderr, nil)), &stderr, false, "game", "nim").Start()
	if !strings.Contains(stderr.String(), "msg=start games=1000 game=nim\n") {
		t.Error(stderr.String())
	}
}

func TestSearchedGamesAreCountedInRowsAndHours(t *testing.T) {
	var stderr bytes.Buffer
	p := New("playing", 1000, slog.New(slog.NewTextHandler(&stderr, nil)), &stderr, false)
	p.ShowRows()
	r := after(p, 10*time.Second, 2, 200, 123)
	p.line(r)
	if want := "rows_per_s=12.3 games_per_h=720 eta="; !strings.Contains(stderr.String(), want) || strings.Contains(stderr.String(), "plies") {
		t.Errorf("no %q in %s", want, stderr.String())
	}
	if got, want := p.rateText(r), "12.3 rows/s, 720 games/h"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNumbersAndTimesAreShort(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.004: "0.00", 0.53: "0.53", 9.996: "10.0", 12.34: "12.3", 99.97: "100",
		950: "950", 999.6: "1.00k", 12345: "12.3k", 2.449e6: "2.45M", 3e9: "3.00G"} {
		if got := shortNumber(x); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0s", 20 * time.Second: "20s", 200 * time.Second: "3m20s", time.Hour: "1h",
		80*time.Minute + time.Second: "1h20m", 76 * time.Hour: "3d4h"} {
		if got := shortTime(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// TestLabelFitsTheTerminal beside the smallest bar, and says more where there is room.
func TestLabelFitsTheTerminal(t *testing.T) {
	l := label{activity: "replaying", done: 123456, of: 1000000, rate: "12.3 rows/s, 450 games/h", left: 80 * time.Minute}
	for width, want := range map[int]string{
		200: "replaying 123456/1000000, 12.3 rows/s, 450 games/h, 1h20m left",
		80:  "replaying, 12.3 rows/s, 450 games/h, 1h20m left",
		60:  "replaying 123456/1000000, 1h20m left",
		40:  "replaying, 1h20m left",
		36:  "1h20m left",
		10:  "",
	} {
		if got := l.fit(width); got != want {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
	l.left = 0
	if got := l.fit(40); got != "replaying" {
		t.Errorf("40 columns, unknown time: %q", got)
	}
}
