//go:build unix

package program

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"

	"selfplay/internal/must"
)

// moment is when the output contains a text so often.
type moment struct {
	text  string
	times int
}

// onTerminalOf runs the program on a terminal and returns its exit code and everything that it wrote there. At
// each of the moments Ctrl-C is pressed, in turn.
func onTerminalOf(t *testing.T, term string, columns uint16, presses []moment, args ...string) (code int, shown string) {
	t.Helper()
	exe := must.Get(os.Executable())(t)
	process := exec.Command(exe, args...)
	process.Env = append(os.Environ(), "TEST_SELFPLAY_MAIN=1", "TERM="+term)
	file := must.Get(pty.StartWithSize(process, &pty.Winsize{Rows: 30, Cols: columns}))(t)
	defer file.Close()
	watchdog := time.AfterFunc(2*time.Minute, func() { process.Process.Kill() })
	defer watchdog.Stop()
	buffer := make([]byte, 4096)
	for {
		n, err := file.Read(buffer)
		shown += string(buffer[:n])
		if len(presses) > 0 && strings.Count(shown, presses[0].text) >= presses[0].times {
			file.Write([]byte{3})
			presses = presses[1:]
		}
		if err != nil { // the terminal is closed
			break
		}
	}
	return processCode(process.Wait()), shown
}

var (
	escape = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")
	drawn  = regexp.MustCompile(`^ *[0-9]+% \|[█ ]*\| `) // a bar
)

// barsIn returns the bars that were drawn, without escape sequences.
func barsIn(shown string) (bars []string) {
	for line := range strings.FieldsFuncSeq(escape.ReplaceAllString(shown, ""), func(r rune) bool { return r == '\r' || r == '\n' }) {
		if drawn.MatchString(line) {
			bars = append(bars, line)
		}
	}
	return bars
}

// barCommands returns command lines that take long enough to draw a bar, with an activity
// that it shows. A fast machine ends the second activity of a command before its first bar.
func barCommands(t *testing.T) map[string]string {
	t.Helper()
	dir, in := t.TempDir(), barDataset(t)
	out := func(name string) string { return filepath.Join(dir, name) }
	return map[string]string{
		"run --game chess --player ab:depth=2 --games 600 --shard-games 60 --workers 1 --out " + out("run"): "playing",
		"verify --deep " + in: "checking",
		"match --game chess --a ab:depth=2 --b ab:depth=2 --games 600 --workers 1": "playing",
		"dedup --out " + out("unique") + " " + in:                                  "replaying",
		"report --exact --json --out " + out("r.html") + " " + in:                  "reading",
		"stats --exact --json " + in:                                               "reading",
	}
}

// barDataset returns a dataset that takes tenths of a second to read.
var barDataset = shared(func(t *testing.T, dir string) {
	mustRun(t, "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "24000", "--shard-games", "1200", "--out", dir)
})

// TestBarsFitTheTerminal, with two columns left for the ^C of the terminal.
func TestBarsFitTheTerminal(t *testing.T) {
	for line, activity := range barCommands(t) {
		columns := uint16(80)
		if activity == "reading" {
			columns = 40
		}
		code, shown := onTerminalOf(t, "xterm", columns, nil, strings.Fields(line)...)
		bars := barsIn(shown)
		if all := strings.Join(bars, "\n"); code != 0 || len(bars) == 0 || columns >= 80 && !strings.Contains(all, activity) {
			t.Errorf("%d columns, %s: exit code %d, %d bars, none of %q in\n%.2000q", columns, line, code, len(bars), activity, shown)
		}
		for _, bar := range bars {
			if !countOf.MatchString(bar) {
				t.Errorf("%d columns, %s: a bar without games: %q", columns, line, bar)
			}
			if n := len([]rune(bar)); n > int(columns)-2 {
				t.Errorf("%d columns, %s: a bar of %d: %q", columns, line, n, bar)
			}
		}
		if columns == 80 && strings.Contains(strings.Join(bars, "\n"), "0.00 ") {
			t.Errorf("%s: a rate of nothing: %q", line, bars)
		}
	}
}

// countOf finds the games in a bar.
var countOf = regexp.MustCompile(`\b(\d+)/(\d+)\b`)

// TestBarOfAResumedRunGoesOn where the bar of the stopped run was: games in journals count from the
// first bar on, and at any width.
func TestBarOfAResumedRunGoesOn(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	line := []string{"run", "--game", "chess", "--player", "ab:depth=2", "--games", "4000", "--shard-games", "4000", "--out", out, "--stop-after", "400ms"}
	for _, columns := range []uint16{120, 80, 40} {
		least := uint64(1)
		if columns < 120 {
			least = lookAt(t, out).GamesDone
		}
		_, shown := onTerminalOf(t, "xterm", columns, nil, line...)
		bars := barsIn(shown)
		t.Logf("%d columns, %d games before: %q", columns, least, bars)
		for _, bar := range bars {
			games := countOf.FindStringSubmatch(bar)
			if n, err := strconv.ParseUint(slices.Concat(games, []string{"", ""})[1], 10, 64); err != nil || columns < 120 && n < least || games[2] != "4000" {
				t.Errorf("%d columns: %q, after %d games", columns, bar, least)
			}
		}
		if len(bars) == 0 {
			t.Errorf("%d columns: no bar in %q", columns, shown)
		}
	}
}

// TestDumbTerminalGetsLogLines: it has no escape sequences and cannot go back in a line.
func TestDumbTerminalGetsLogLines(t *testing.T) {
	for line, activity := range barCommands(t) {
		if activity == "comparing" {
			continue
		}
		if code, shown := onTerminalOf(t, "dumb", 80, nil, strings.Fields(line)...); code != 0 || len(barsIn(shown)) > 0 || strings.Contains(shown, "\x1b") {
			t.Errorf("%s: exit code %d, %q", line, code, shown)
		}
	}
}

// TestBarOfASearchCountsRowsAndGames, because a search makes few plies per second.
func TestBarOfASearchCountsRowsAndGames(t *testing.T) {
	_, shown := onTerminalOf(t, "xterm", 100, nil, "run", "--game", "chess", "--player", "ab:depth=2", "--games", "60", "--out", filepath.Join(t.TempDir(), "out"))
	if bars := strings.Join(barsIn(shown), "\n"); !strings.Contains(bars, " rows/s, ") || !strings.Contains(bars, " games/h") || strings.Contains(bars, "plies/s") {
		t.Errorf("%s", bars)
	}
}

// TestCtrlCSaysWhatHappens above the bar, and the second one quits at once.
func TestCtrlCSaysWhatHappens(t *testing.T) {
	line := func(grace string) []string {
		return []string{"run", "--game", "chess", "--games", "40", "--player", "ab:nodes=4000000000", "--grace", grace, "--out", filepath.Join(t.TempDir(), "out")}
	}
	playing := moment{"playing", 5} // the bar appears before the first games begin
	code, shown := onTerminalOf(t, "xterm", 80, []moment{playing}, line("1s")...)
	want := "Stopping (interrupt signal received): no new game begins. Fast games under way have 1s to finish, slow ones stop after a decision; all are kept. Press Ctrl-C again to quit at once.\r\n"
	if code != 3 || !strings.Contains(shown, want) || strings.Contains(shown, "msg=stopping") {
		t.Errorf("exit code %d, %q", code, shown)
	}
	begin := time.Now()
	if code, shown := onTerminalOf(t, "xterm", 80, []moment{playing, {"Stopping (", 1}}, line("10m")...); code != 128+int(syscall.SIGINT) || time.Since(begin) > time.Minute {
		t.Errorf("exit code %d after %v, %q", code, time.Since(begin), fmt.Sprint(shown))
	}
}

// TestStatusOnATerminal looks at a running dataset through a terminal of 80 and 40 columns,
// and through one that cannot move the cursor, until Ctrl-C.
func TestStatusOnATerminal(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	k := &statusTask{t: t, out: out, args: []string{"run", "--game", "cotulenh", "--player", "random", "--games", "100000", "--shard-games", "10", "--task-count", "2", "--task-index", "0", "--out", out}}
	k.begin()
	waitForShards(t, out, 2)
	for _, c := range []struct {
		term    string
		columns uint16
	}{{"xterm", 80}, {"xterm", 40}, {"dumb", 80}} {
		code, shown := onTerminalOf(t, c.term, c.columns, []moment{{"running", 5}}, "status", "--watch", "--interval", "200ms", out)
		text, last, _ := strings.Cut(shown, "selfplay: watch ")
		if code != 3 || !strings.Contains(last, "interrupt") {
			t.Errorf("TERM=%s: exit code %d, the last line is %q", c.term, code, last)
		}
		redraws := strings.Count(text, "A"+"state     running")
		if (c.term == "dumb") != (redraws == 0) || strings.Contains(text, "\x1b") != (c.term != "dumb") {
			t.Errorf("TERM=%s: drawn %d times more: %q", c.term, redraws, text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\r"), "\x1b[K")
			if n := utf8.RuneCountInString(line[strings.LastIndex(line, "\x1b")+1:]); c.term != "dumb" && n > int(c.columns)+3 {
				t.Errorf("TERM=%s: %d columns of %d: %q", c.term, n, c.columns, line)
			}
		}
		if !strings.Contains(text, "running") {
			t.Errorf("TERM=%s: %q", c.term, text)
		}
	}
}

// runUnread runs the program with a stderr whose reader has ended, and returns its exit
// code. With both, stdout is the same pipe, as in `selfplay run 2>&1 | head`.
func runUnread(t *testing.T, both bool, args ...string) int {
	t.Helper()
	reader, writer, err := os.Pipe()
	must.Do(t, err)
	defer writer.Close()
	reader.Close()
	process := newProcess(t, nil, args...)
	process.Stderr = writer
	if both {
		process.Stdout = writer
	}
	return processCode(process.Run())
}

// TestRunStopsInOrderWhenNothingReadsItsLog: with the exit code of a stop, not by SIGPIPE.
// The same command resumes, without a trace in the bytes.
func TestRunStopsInOrderWhenNothingReadsItsLog(t *testing.T) {
	dir := t.TempDir()
	whole := wholeLongRun(t)
	for name, both := range map[string]bool{"stderr": false, "both": true} {
		stopped := filepath.Join(dir, name)
		if code := runUnread(t, both, longRun(stopped)...); code != 3 {
			t.Errorf("%s: exit code %d, want 3", name, code)
		}
		mustRun(t, longRun(stopped)...)
		mustEqual(t, tree(t, stopped), tree(t, whole))
	}
}

// TestErrorThatNothingReadsHasItsExitCode: the line about the error is lost, not the code.
func TestErrorThatNothingReadsHasItsExitCode(t *testing.T) {
	if code := runUnread(t, true, "run", "--game", "chess", "--games", "0", "--out", t.TempDir()); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
}

// TestFinalizeDeletesNothingBehindALink: a copied dataset may hold a link in the place of its
// folder for temporary files.
func TestFinalizeDeletesNothingBehindALink(t *testing.T) {
	dir, outside := filepath.Join(t.TempDir(), "d"), t.TempDir()
	args := []string{"run", "--game", "contrast", "--player", "random", "--games", "4", "--shard-games", "2", "--seed", "1", "--out", dir}
	mustRun(t, args...)
	victim, folder := filepath.Join(outside, "1-ab.plan.json"), filepath.Join(dir, ".selfplay", "tmp")
	for _, err := range []error{os.WriteFile(victim, nil, 0o644), os.RemoveAll(folder), os.Symlink(outside, folder)} {
		must.Do(t, err)
	}
	for _, args := range [][]string{args, {"finalize", dir}, {"repair", dir}} {
		mustRefuse(t, selfplay("", args...), 1, ".selfplay/tmp is a link")
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
}

func TestRunInsideADatasetIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	run := func(out string) outcome {
		return selfplay("", "run", "--game", "contrast", "--player", "random", "--games", "2", "--shard-games", "2", "--seed", "1", "--out", out)
	}
	if o := run(dir); o.code != 0 {
		t.Fatal(o.stderr)
	}
	mustRefuse(t, run(filepath.Join(dir, "positions", "sub")), 2, "inside another dataset")
	mustRun(t, "verify", dir)
}

func TestPipeAsConfigIsRefused(t *testing.T) {
	pipe, dir := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "d")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	for _, config := range []string{pipe, "/dev/zero"} {
		mustRefuse(t, selfplay("", "run", "--config", config, "--game", "contrast", "--player", "random", "--games", "2", "--out", dir), 2, "not a regular file")
	}
}
