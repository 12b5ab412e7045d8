package program

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/cmd/internal/report"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// reportFor returns the output of report --json.
func reportFor(t *testing.T, args ...string) report.Report {
	t.Helper()
	return object[report.Report](t, append([]string{"report", "--json"}, args...)...)
}

// TestReportNumbers: the numbers of the report are consistent with the dataset, for every
// game.
func TestReportNumbers(t *testing.T) {
	for _, game := range encode.Games().Names() {
		dir := searchedDataset(t, game, "0.2*random + 0.8*greedy", 20, nil)
		d := reportFor(t, "--exact", dir).Datasets[0]
		if d.Info.Games != 20 || d.Stats.Games != 20 || d.Stats.Plies != d.Info.Rows || d.Overlap == nil || d.Overlap.Rows != d.Info.Rows {
			t.Errorf("%s: %+v, %d plies, %+v", game, d.Info, d.Stats.Plies, d.Overlap)
		}
		if d.Overlap.Distinct != d.Stats.Positions.Distinct {
			t.Errorf("%s: %d distinct rows, %d distinct positions", game, d.Overlap.Distinct, d.Stats.Positions.Distinct)
		}
		to, stood := uint64(0), uint64(0)
		for cell, n := range d.Heat.To {
			to += n
			stood += d.Heat.Sides.First[cell] + d.Heat.Sides.Second[cell]
		}
		if to == 0 || to > d.Stats.Plies || stood < d.Stats.Plies {
			t.Errorf("%s: %d of %d plies have a to cell, %d pieces counted", game, to, d.Stats.Plies, stood)
		}
		if last := len(d.Shown) - 1; last < 1 || last != 2 && d.Shown[last].Of > 10 || d.Shown[last].Ply != d.Shown[last].Of || d.Stats.Scores == nil || d.Stats.Legal == nil || len(d.Checks) == 0 {
			t.Errorf("%s: %d positions shown, scores %v, legal moves %v, %d checks", game, len(d.Shown), d.Stats.Scores, d.Stats.Legal, len(d.Checks))
		}
		if n := len(d.Games); n < 1 || n > 3 || d.Games[0].Game != 0 || d.Games[0].Choices[0] != report.FirstGame {
			t.Errorf("%s: games to step through: %+v", game, d.Games)
		}
	}
}

// TestReportDoesNotDependOnProcessors: one processor or four, the page is the same, byte
// for byte.
func TestReportDoesNotDependOnProcessors(t *testing.T) {
	dir := searchedDataset(t, "chess", "greedy", 40, nil)
	var pages [2]string
	for i, readers := range []int{1, 4} {
		before := runtime.GOMAXPROCS(readers)
		out := filepath.Join(t.TempDir(), "page.html")
		o := export("report", "--json", "--out", out, dir)
		runtime.GOMAXPROCS(before)
		if o.code != 0 {
			t.Fatalf("%+v", o)
		}
		pages[i] = o.stdout + string(readBytes(t, out))
	}
	if pages[0] != pages[1] {
		t.Error("the page depends on the number of processors")
	}
}

// TestReportOfTwoDatasets: both have the same scales.
func TestReportOfTwoDatasets(t *testing.T) {
	one := searchedDataset(t, "contrast", "greedy", 20, nil)
	two := searchedDataset(t, "contrast", "random", 30, func(s *workers.Series) { s.MaxPlies = 300 })
	r := reportFor(t, one, two)
	if len(r.Datasets) != 2 || r.Datasets[0].Info.Games != 20 || r.Datasets[1].Info.Games != 30 {
		t.Fatalf("%+v", r)
	}
	a, b := r.Datasets[0].Stats.Lengths.Spans, r.Datasets[1].Stats.Lengths.Spans
	if a[0].To != b[0].To {
		t.Errorf("the first spans have %d and %d plies", a[0].To+1, b[0].To+1)
	}
	if len(r.Datasets[0].Actions) != len(r.Datasets[1].Actions) {
		t.Errorf("the actions differ: %v and %v", r.Datasets[0].Actions, r.Datasets[1].Actions)
	}
}

// TestReportOfAnUnfinishedDataset: reports the committed games, and that games are missing.
func TestReportOfAnUnfinishedDataset(t *testing.T) {
	dir := randomDataset(t, plan.List)
	for _, name := range []string{".selfplay/commits/00001.json", "manifest.json", "README.md"} {
		must.Do(t, os.Remove(filepath.Join(dir, name)))
	}
	d := reportFor(t, dir).Datasets[0]
	if d.Stats.Games != 8 || d.Info.Complete || d.Checks[0].State != report.Warning {
		t.Errorf("%d games, %+v, %+v", d.Stats.Games, d.Info, d.Checks[0])
	}
	for _, name := range []string{"00000.json", "00002.json"} {
		must.Do(t, os.Remove(filepath.Join(dir, ".selfplay/commits", name)))
	}
	out := filepath.Join(t.TempDir(), "page.html")
	if o := export("report", "--out", out, dir); o.code != 0 || o.stderr != "" || o.stdout != "1 alarm, 1 warning, 0 ok, 13 not measured: "+out+"\n" {
		t.Errorf("without games: %+v", o)
	}
}

var (
	canvasTag = regexp.MustCompile(`<canvas [^>]*id="([^"]*)"[^>]*>`)
	pointsOf  = regexp.MustCompile(`data-points="([0-9]+)"`)
	drawnOf   = regexp.MustCompile(`<html [^>]*data-drawn="([0-9]+)"`)
)

// TestReportInABrowser: a browser draws every chart, prints nothing on its console and
// loads no other file.
func TestReportInABrowser(t *testing.T) {
	browser := findBrowser(t)
	searched, random := searchedDataset(t, "chess", "ab:depth=1,multi=3", 20, nil), searchedDataset(t, "chess", "random", 10, func(s *workers.Series) { s.MaxPlies = 200 })
	for _, c := range []struct {
		name   string
		dirs   []string
		charts int
	}{{"one dataset", []string{searched}, 12}, {"two datasets", []string{searched, random}, 13}} {
		t.Run(c.name, func(t *testing.T) {
			dir := diskTempDir(t)
			out := filepath.Join(dir, "page.html")
			mustExport(t, append([]string{"report", "--out", out}, c.dirs...)...)
			dom, console := visitPage(t, browser, dir, out)
			drawn := drawnOf.FindStringSubmatch(dom)
			canvases := canvasTag.FindAllStringSubmatch(dom, -1)
			if len(drawn) == 0 || drawn[1] != fmt.Sprint(len(canvases)) || len(canvases) != c.charts {
				t.Errorf("charts drawn: %v, canvases %d, want %d", drawn, len(canvases), c.charts)
			}
			for _, canvas := range canvases {
				n := 0
				if found := pointsOf.FindStringSubmatch(canvas[0]); found != nil {
					n, _ = strconv.Atoi(found[1])
				}
				if n == 0 {
					t.Errorf("chart %s has no points: %s", canvas[1], canvas[0])
				}
			}
			if !strings.Contains(dom, `data-loaded="0"`) {
				t.Error("the page loaded a file")
			}
			for line := range strings.Lines(console) {
				if strings.Contains(line, "CONSOLE") {
					t.Errorf("the console has %s", line)
				}
			}
		})
	}
}

// findBrowser returns the path of Chromium.
func findBrowser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium here: apt-get install chromium")
	return ""
}

var (
	policyTag = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	plyOf     = regexp.MustCompile(`id="(replay-[a-z0-9]*)"[^>]* data-ply="([0-9]+)"`)
)

// TestReplayInABrowser: buttons, keys, slider and list step through a game of every kind of
// board. The script of the test needs a page without a policy.
func TestReplayInABrowser(t *testing.T) {
	browser := findBrowser(t)
	const press = `<script>
const game = document.getElementById('replay-a0'), slider = game.querySelector('input'), plies = [];
const note = () => plies.push(game.dataset.ply + ':' + slider.value);
const key = (name, options) => { game.dispatchEvent(new KeyboardEvent('keydown', { key: name, ...options })); note(); };
const click = (selector) => { game.querySelector(selector).click(); note(); };
note();
key('ArrowRight'); key('ArrowRight'); key('ArrowLeft'); key('ArrowLeft'); key('ArrowLeft'); key('ArrowRight', { ctrlKey: true });
click('[data-go=on]'); click('[data-go=back]'); click('.moves li:nth-child(3)');
slider.value = 2; slider.dispatchEvent(new Event('input')); note();
key('End'); const atEnd = game.dataset.ply === slider.max; key('Home');
click('[data-go=last]'); const pieces = game.querySelectorAll('.pieces g').length, marks = game.querySelectorAll('.marks rect').length;
document.documentElement.dataset.pressed = [plies.slice(0, 11).join(' '), atEnd, pieces > 0 && marks > 0, game.querySelector('.controls').hidden].join(';');
</script></body>`
	for _, name := range encode.Games().Names() {
		dir := diskTempDir(t)
		out := filepath.Join(dir, "page.html")
		mustExport(t, "report", "--out", out, searchedDataset(t, name, "greedy", 20, nil))
		page := policyTag.ReplaceAllString(string(readBytes(t, out)), "")
		changed := filepath.Join(dir, "pressed.html")
		writeBytes(t, changed, []byte(strings.Replace(page, "</body>", press, 1)))
		dom, console := visitPage(t, browser, dir, changed)
		const want = `data-pressed="0:0 1:1 2:2 1:1 0:0 0:0 0:0 1:1 0:0 3:3 2:2;true;true;false"`
		if !strings.Contains(dom, want) {
			_, got, _ := strings.Cut(dom, "data-pressed=")
			t.Errorf("%s: data-pressed=%.100s, want %s; console: %s", name, got, want, console)
		}
		if list := plyOf.FindAllString(dom, -1); len(list) == 0 || len(list) != strings.Count(dom, `class="card replay`) {
			t.Errorf("%s: games that can be stepped through: %v", name, list)
		}
	}
}

// visitPage returns the document after a browser has loaded it, and the browser's stderr.
func visitPage(t *testing.T, browser, dir, page string) (dom, console string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--enable-logging=stderr", "--dump-dom", "file://"+page)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// TestServeAnswersUntilItIsInterrupted: it prints its address and ends without an error.
func TestServeAnswersUntilItIsInterrupted(t *testing.T) {
	dir := randomDataset(t, plan.List)
	if stderr := serveUntilInterrupted(t, dir, "--listen", ":0"); stderr != "" {
		t.Error(stderr)
	}
}

// TestServeWarnsOfOpenAddresses: one line on stderr says who can reach what.
func TestServeWarnsOfOpenAddresses(t *testing.T) {
	dir, token := randomDataset(t, plan.List), filepath.Join(t.TempDir(), "token")
	must.Do(t, os.WriteFile(token, []byte("0123456789abcdef"), 0o600))
	for _, c := range []struct {
		args []string
		want string // "" for no warning
	}{
		{[]string{"--listen", "127.0.0.1:0", "--insecure"}, ""},
		{[]string{"--listen", "0.0.0.0:0", "--insecure"}, "anyone who reaches 0.0.0.0:0 can read all files of the datasets and let this machine search"},
		{[]string{"--listen", "0.0.0.0:0", "--insecure", "--token-file", token}, "anyone on the network between can read the token"},
	} {
		stderr := serveUntilInterrupted(t, dir, c.args...)
		if !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != min(1, len(c.want)) {
			t.Errorf("%q: stderr %q, want %q", c.args, stderr, c.want)
		}
	}
}

// serveUntilInterrupted serves a dataset, reads from it unless a token is needed, and returns stderr.
func serveUntilInterrupted(t *testing.T, dir string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stdout, address := io.Pipe()
	serving, code := goroutine.New(), -1
	var stderr strings.Builder
	serving.Go(func() error {
		code = runExport(ctx, catalog, slices.Concat([]string{"export", "serve", "--cache", t.TempDir()}, args, []string{dir}), strings.NewReader(""), address, &stderr)
		return address.Close()
	})
	line := make([]byte, 100)
	n, err := stdout.Read(line)
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	url, ok := strings.CutSuffix(string(line[:n]), "\n")
	_, port, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
	if !ok || err != nil {
		t.Errorf("address %q", url)
	}
	want := http.StatusOK
	if slices.Contains(args, "--token-file") {
		want = http.StatusUnauthorized
	}
	r, err := http.Get("http://127.0.0.1:" + port + "/api/datasets/" + filepath.Base(dir))
	if err != nil || r.StatusCode != want {
		t.Errorf("%v, %v", r, err)
	} else {
		r.Body.Close()
	}
	stop()
	if err := serving.Wait(); err != nil || code != 0 {
		t.Errorf("exit code %d, %v, %s", code, err, stderr.String())
	}
	return stderr.String()
}
