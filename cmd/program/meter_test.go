package program

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/datasets/status"
	"selfplay/engine/enginetest"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

// meterAfter returns the run of a progress at a time, with games and plies made.
func meterAfter(p *meter, elapsed time.Duration, games, plies, rows uint64) status.Run {
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
	p := newMeter("playing", 1000, log, &text, false, "game", "nim", "seed", 9)
	if p.bar != nil {
		t.Fatal("there is a bar without a terminal")
	}
	p.Notify(status.Event{Kind: status.EventResumed, Games: 168, Share: 1000, Missing: 832, Journaled: map[int]uint64{3: 32}})
	p.Notify(status.Event{Kind: status.EventCommitted, Games: 100})
	p.line(meterAfter(p, 10*time.Second, 100, 50e6, 0))
	newMeter("converting", 1000, log, &text, false, "game", "nim").Start()
	searches := newMeter("playing", 1000, log, &text, false)
	searches.ShowRows()
	r := meterAfter(searches, 10*time.Second, 2, 200, 123)
	searches.line(r)
	unfinished := meterAfter(searches, 10*time.Second, 0, 200, 0)
	searches.line(unfinished)
	fmt.Fprintf(&text, "\nrates beside a bar: %s; %s; before a game is finished: %s\n", searches.rateText(r), p.rateText(r), searches.rateText(unfinished))

	text.WriteString("\nnumbers:")
	for _, x := range []float64{0, 0.004, 0.53, 9.996, 12.34, 99.97, 950, 999.6, 12345, 2.449e6, 3e9} {
		fmt.Fprintf(&text, " %v=%s", x, shortNumber(x))
	}
	text.WriteString("\ntimes:")
	for _, d := range []time.Duration{0, 20 * time.Second, 200 * time.Second, time.Hour, 80*time.Minute + time.Second, 76 * time.Hour} {
		fmt.Fprintf(&text, " %v=%s", d, shortTime(d))
	}
	text.WriteString("\n\nlabels:\n")
	known := barLabel{activity: "replaying", done: 123456, of: 1000000, rate: "12.3 rows/s, 450 games/h", left: 80 * time.Minute}
	unknown := known
	unknown.left = 0
	for _, width := range []int{200, 80, 60, 40, 36, 10} {
		fmt.Fprintf(&text, "%d columns: %q, %q\n", width, known.fit(width), unknown.fit(width))
	}
	enginetest.Golden(t, "testdata/meter.txt", text.String(), "People and scripts read these texts")
}

func TestTextIsThePrometheusFormat(t *testing.T) {
	text := string(metricsText([]metricLabel{{"dataset", "a \"b\"\\\n"}}, []metric{
		{Name: "x_games_total", Help: "Games\nplayed \\ made.", Value: 1e6},
		{Name: "x_info", Help: "Facts.", Labels: []metricLabel{{"game", "bad \xff"}}, Value: 1},
	}))
	text += string(metricsText(nil, []metric{{Name: "x", Help: "No labels.", Value: 0.5}}))
	enginetest.Golden(t, "testdata/metrics.txt", text, "Compare it with the format that the package comment names")
}

func TestTargetIsAnAddressOrAFile(t *testing.T) {
	var text strings.Builder
	for _, value := range []string{
		"127.0.0.1:9100", ":9100", "0.0.0.0:0", "[::1]:9100", "node7:9100", "run.prom", "/d/a:1.prom",
		"", "9100", "localhost", "localhost:", "localhost:http", "1.2.3.4:65536", "run.txt", "dir/x:9100", "::1:9100", "http://h:9100/metrics",
	} {
		target, err := parseMetricsTarget(value)
		fmt.Fprintf(&text, "%s\n> %+v, %v\n\n", value, target, err)
	}
	enginetest.Golden(t, "testdata/targets.txt", text.String(), "Decide which values of --metrics are right")
}

// TestFileIsReplacedWhole: a reader never sees a part of the content, and no temporary file
// is left.
func TestFileIsReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state.json")
	f := must.Get(newStateFile(path, []byte("{")))(t)
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Fatalf("NewFile left %v", list)
	}
	contents := []string{"{" + strings.Repeat("a", 1<<16), "{" + strings.Repeat("b", 1<<10)}
	stop := goroutine.Every(time.Millisecond, time.Millisecond, func() {
		if got, err := os.ReadFile(path); err == nil && string(got) != contents[0] && string(got) != contents[1] {
			t.Errorf("read %d bytes", len(got))
		}
	})
	for i := range 200 {
		must.Do(t, f.Replace([]byte(contents[i%2])))
	}
	must.Do(t, stop())
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left %v", list)
	}
	must.Get(newStateFile(path, []byte("{")))(t) // its own file
}

func TestFileOfAnotherProgramIsRefused(t *testing.T) {
	dir := t.TempDir()
	join := func(name string) string { return filepath.Join(dir, name) }
	os.WriteFile(join("thesis.tex"), []byte("mine"), 0o644)
	os.WriteFile(join("short"), []byte("m"), 0o644)
	os.WriteFile(join("empty"), nil, 0o644)
	os.Mkdir(join("folder"), 0o755)
	os.Symlink(join("thesis.tex"), join("link"))
	for name, want := range map[string]string{
		"thesis.tex": "it exists and has other content", "short": "it exists and has other content",
		"folder": "it exists and is not a regular file", "link": "it exists and is not a regular file", "none/x": "no such folder: ",
	} {
		must.Fail(newStateFile(join(name), []byte(`{"state"`)))(t, nil, want)
	}
	must.Get(newStateFile(join("empty"), []byte("{")))(t)
}

// TestPlantedLinkIsNotFollowed: a link with the name of the temporary file is removed.
func TestPlantedLinkIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	os.WriteFile(victim, []byte("mine"), 0o644)
	f := must.Get(newStateFile(filepath.Join(dir, "x.prom"), nil))(t)
	if err := os.Symlink(victim, f.temp); err != nil {
		t.Skip("no links here")
	}
	must.Do(t, f.Replace([]byte("new")))
	if got, _ := os.ReadFile(victim); string(got) != "mine" {
		t.Errorf("wrote %q through the link", got)
	}
}

func TestServerAnswersScrapesUntilItIsClosed(t *testing.T) {
	s := must.Get(serveMetrics("127.0.0.1:0", func() []byte { return []byte("x 1\n") }))(t)
	addr := addressOf(s)
	must.Fail(serveMetrics(addr, nil))(t, nil, addr)
	r := must.Get(http.Get(s.URL))(t)
	body, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if r.StatusCode != http.StatusOK || string(body) != "x 1\n" || r.Header.Get("Content-Type") != metricsType {
		t.Errorf("%s, %q, %v", r.Status, body, r.Header)
	}
	for method, want := range map[string]int{"POST " + metricsPath: http.StatusMethodNotAllowed, "GET /": http.StatusNotFound} {
		verb, path, _ := strings.Cut(method, " ")
		request, _ := http.NewRequest(verb, "http://"+addr+path, nil)
		if r, err := http.DefaultClient.Do(request); err != nil || r.StatusCode != want {
			t.Errorf("%s: %v, %v", method, r, err)
		}
	}
	idle := must.Get(net.Dial("tcp", addr))(t) // a client that never asks
	defer idle.Close()
	begin := time.Now()
	if err := s.Close(); err != nil || time.Since(begin) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	must.Fail(net.Dial("tcp", addr))(t, nil, "refused")
}

func TestClosedServerFreesItsAddress(t *testing.T) {
	addr := "127.0.0.1:0"
	for range 3 { // also if it is closed at once
		s := must.Get(serveMetrics(addr, nil))(t)
		addr = addressOf(s)
		must.Do(t, s.Close())
	}
}

func addressOf(s *metricsServer) string {
	return strings.TrimSuffix(strings.TrimPrefix(s.URL, "http://"), metricsPath)
}
