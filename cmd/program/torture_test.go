package program

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/internal/must"
)

// torture makes the tests of this file repeat hundreds of times: see make torture.
var torture = flag.Bool("torture", false, "kill, stop and race runs hundreds of times")

// times returns the number of repetitions.
func times(short, long int) int {
	if *torture {
		return long
	}
	return short
}

// shortRun returns the arguments of a run that takes a second or two.
func shortRun(out string, workers int) []string {
	return []string{"run", "--quiet", "--game", "cotulenh", "--player", "random", "--games", "240", "--shard-games", "30", "--workers", fmt.Sprint(workers), "--out", out}
}

// wholeRun returns the files of that dataset, undisturbed, and how long the process took.
func wholeRun(t *testing.T) (files map[string]string, took time.Duration) {
	t.Helper()
	dir := wholeShortRun(t)
	return tree(t, dir), shortRunTook
}

var shortRunTook time.Duration

var wholeShortRun = shared(func(t *testing.T, dir string) {
	begin := time.Now()
	mustApart(t, shortRun(dir, 2)...)
	shortRunTook = time.Since(begin)
})

// mustVerify checks that all committed shards are intact, whenever the run was ended.
func mustVerify(t *testing.T, out string) {
	t.Helper()
	report, err := checking.Verify(t.Context(), out, checking.VerifyOptions{Level: checking.VerifySums})
	if errors.Is(err, datasets.ErrNotDataset) { // the run had not begun it
		return
	}
	if err != nil || !report.OK() {
		t.Fatalf("verify: %v, %+v", err, report)
	}
}

// mustBeClean checks that no temporary files and journals are left.
func mustBeClean(t *testing.T, out string) {
	t.Helper()
	for _, folder := range []string{"tmp", "journal"} {
		left, err := os.ReadDir(filepath.Join(out, ".selfplay", folder))
		if err != nil || len(left) > 0 {
			t.Errorf("%d files are left in %s, %v", len(left), folder, err)
		}
	}
}

// processCode returns the exit code of a process: -1 if it was killed.
func processCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -2
}

// TestKilledAtAnyMoment: after a SIGKILL at any moment, with another number of workers each
// time, the dataset verifies, and the run that completes it makes the same bytes.
func TestKilledAtAnyMoment(t *testing.T) {
	dir := t.TempDir()
	want, took := wholeRun(t)
	out := filepath.Join(dir, "killed")
	src := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	completed := 0
	for kills := 0; kills < times(8, 200); {
		process, stderr := start(t, shortRun(out, 1+src.IntN(6))...)
		time.Sleep(time.Duration(src.Int64N(int64(took))))
		process.Process.Kill()
		switch code := processCode(process.Wait()); code {
		case -1:
			kills++
			mustVerify(t, out)
			continue
		case 0:
		default:
			t.Fatalf("after %d kills: exit code %d: %s", kills, code, stderr)
		}
		mustEqual(t, tree(t, out), want)
		mustBeClean(t, out)
		completed++
		os.RemoveAll(out)
	}
	mustRun(t, shortRun(out, 2)...)
	mustEqual(t, tree(t, out), want)
	mustBeClean(t, out)
	t.Logf("%d runs completed the dataset", completed+1)
}

// finished returns the games in shards and journals by the last line of a stopped run.
func finished(t *testing.T, stderr string) (games int) {
	t.Helper()
	_, text, _ := strings.Cut(stderr, "; ")
	var shards, target, journals int
	if n, err := fmt.Sscanf(text, "%d of %d games are in shards and %d in journals", &shards, &target, &journals); n != 3 {
		t.Fatalf("stderr is %q: %v", stderr, err)
	}
	return shards + journals
}

// TestStoppedAtAnyMoment: after a signal at any moment the run finishes its games and ends
// with exit code 3. No finished game is lost, so none is played twice.
func TestStoppedAtAnyMoment(t *testing.T) {
	dir := t.TempDir()
	want, took := wholeRun(t)
	out := filepath.Join(dir, "stopped")
	signals := []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP}
	stopped, before := 0, 0
	for i := 0; i < times(9, 100); i++ {
		process, stderr := start(t, shortRun(out, 1+i%4)...)
		time.Sleep(50*time.Millisecond + time.Duration(rand.Int64N(int64(took))))
		process.Process.Signal(signals[i%len(signals)])
		asked := time.Now()
		switch code := processCode(process.Wait()); {
		case code == 3:
			stopped++
			if text := stderr.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "the same command resumes") {
				t.Errorf("stderr is %q", text)
			}
			now := finished(t, stderr.String())
			if now < before {
				t.Errorf("%d games are finished, fewer than the %d before", now, before)
			}
			before = now
			if left, _ := os.ReadDir(filepath.Join(out, ".selfplay", "tmp")); len(left) > 0 {
				t.Errorf("%d temporaries are left", len(left))
			}
		case code == -1 && time.Since(asked) < time.Minute: // before it handled signals
		case code == 0:
			mustEqual(t, tree(t, out), want)
			mustBeClean(t, out)
			os.RemoveAll(out)
			before = 0
		default:
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		if waited := time.Since(asked); waited > time.Minute {
			t.Errorf("it ended after %v", waited)
		}
	}
	mustRun(t, shortRun(out, 2)...)
	mustEqual(t, tree(t, out), want)
	mustBeClean(t, out)
	if stopped == 0 {
		t.Error("no run was stopped")
	}
}

// TestClockMoved: runs that resume in another time zone, with file times in the past and in
// the future, make the same dataset. A test of package engine checks that no package that
// makes bytes imports time.
func TestClockMoved(t *testing.T) {
	dir := t.TempDir()
	want, took := wholeRun(t)
	out := filepath.Join(dir, "moved")
	zones := []string{"UTC", "Asia/Ho_Chi_Minh", "America/Adak", "Pacific/Kiritimati"}
	for moved := 0; moved < times(4, 40); {
		t.Setenv("TZ", zones[moved%len(zones)])
		process, stderr := start(t, shortRun(out, 1+moved%3)...)
		time.Sleep(time.Duration(rand.Int64N(int64(took))))
		process.Process.Kill()
		if code := processCode(process.Wait()); code == 0 {
			mustEqual(t, tree(t, out), want)
			os.RemoveAll(out)
			continue
		} else if code != -1 {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		moved++
		err := filepath.WalkDir(out, func(path string, _ os.DirEntry, err error) error {
			then := time.Unix(rand.Int64N(1<<32), 0) // 1970 to 2106
			return errors.Join(err, os.Chtimes(path, then, then))
		})
		if err != nil && !errors.Is(err, os.ErrNotExist) { // it was killed before it wrote a file
			t.Fatal(err)
		}
	}
	mustRun(t, shortRun(out, 2)...)
	mustEqual(t, tree(t, out), want)
	mustBeClean(t, out)
}

// TestGrace: games that do not finish within the grace are abandoned.
func TestGrace(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	slow := []string{"run", "--game", "chess", "--games", "4", "--player", "mcts:sims=20000", "--out", out}
	o := selfplay("", append(slow, "--stop-after", "300ms", "--grace", "0s")...)
	if o.code != 3 || !strings.Contains(o.stderr, "stopped before the target: --stop-after 300ms; 0 of 4 games are in shards") {
		t.Errorf("%+v", o)
	}
}

// TestTwoWriters: of two runs that begin at the same time one may be refused, and the
// dataset is never damaged.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	want, _ := wholeRun(t)
	for range times(2, 100) {
		out := filepath.Join(dir, "two")
		a, aErr := start(t, shortRun(out, 1)...)
		b, bErr := start(t, shortRun(out, 2)...)
		codes := [2]int{processCode(a.Wait()), processCode(b.Wait())}
		if codes != [2]int{0, 0} && codes != [2]int{0, 11} && codes != [2]int{11, 0} {
			t.Fatalf("exit codes %v: %s %s", codes, aErr, bErr)
		}
		mustEqual(t, tree(t, out), want)
		mustBeClean(t, out)
		os.RemoveAll(out)
	}
}

// TestFourTasksOneKilled: one task is killed and run again while the others finish. Then
// finalize is killed and run again.
func TestFourTasksOneKilled(t *testing.T) {
	dir := t.TempDir()
	want, took := wholeRun(t)
	for round := range times(2, 50) {
		out := filepath.Join(dir, "tasks")
		task := func(i int) (*exec.Cmd, *strings.Builder) {
			return start(t, append(shortRun(out, 1), "--task-count", "4", "--task-index", fmt.Sprint(i))...)
		}
		var tasks [4]*exec.Cmd
		var errs [4]*strings.Builder
		for i := range tasks {
			tasks[i], errs[i] = task(i)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(took))))
		tasks[round%4].Process.Kill()
		again, err := task(round % 4) // while the others play
		for i, p := range tasks {
			if code := processCode(p.Wait()); code != 0 && (i != round%4 || code != -1) {
				t.Fatalf("task %d: exit code %d: %s", i, code, errs[i])
			}
		}
		if code := processCode(again.Wait()); code != 0 {
			t.Fatalf("again: exit code %d: %s", code, err)
		}
		finalize, _ := start(t, "finalize", out)
		time.Sleep(time.Duration(rand.Int64N(int64(50 * time.Millisecond))))
		finalize.Process.Kill()
		finalize.Wait()
		mustRun(t, "finalize", out)
		mustEqual(t, tree(t, out), want)
		mustBeClean(t, out)
		os.RemoveAll(out)
	}
}

// TestDamagedFilesCrashNoRun damages files of an unfinished dataset, commit records and
// journal included, and runs every command that writes to a dataset. Each ends with one
// line on stderr and a known exit code, or it makes the right dataset.
func TestDamagedFilesCrashNoRun(t *testing.T) {
	dir := t.TempDir()
	whole, torn, out := filepath.Join(dir, "whole"), filepath.Join(dir, "torn"), filepath.Join(dir, "out")
	run := func(out string, flags ...string) []string {
		return append([]string{"run", "--quiet", "--game", "contrast", "--player", "random", "--games", "6", "--shard-games", "2", "--max-plies", "20", "--out", out}, flags...)
	}
	mustRun(t, run(whole)...)
	want := tree(t, whole)
	mustRun(t, run(torn)...)
	must.Do(t, os.Remove(filepath.Join(torn, ".selfplay", "commits", "00001.json")))
	var files []string
	err := filepath.WalkDir(torn, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasPrefix(e.Name(), "lock") {
			files = append(files, path)
		}
		return err
	})
	must.Do(t, err)
	src := rand.New(rand.NewPCG(1, 1))
	for range times(25, 2000) {
		os.RemoveAll(out)
		must.Do(t, os.CopyFS(out, os.DirFS(torn)))
		rel := must.Get(filepath.Rel(torn, files[src.IntN(len(files))]))(t)
		damage := rel + ": " + damageAtRandom(t, filepath.Join(out, rel), src)
		for _, args := range [][]string{{"replay", "--game-index", "3", out}, {"finalize", out}, run(out), {"finalize", "--as-it-stands", out}} {
			o := selfplay("", args...)
			if o.code < 0 || o.code > 6 || o.code != 0 && strings.Count(o.stderr, "\n") != 1 {
				t.Fatalf("%s: %v: %+v", damage, args, o)
			}
			if args[0] == "run" && o.code == 0 && remakes(filepath.ToSlash(rel)) {
				mustEqual(t, tree(t, out), want)
			}
		}
	}
}

// remakes reports whether a resumed run repairs damage to a file. Damage to the plan, to
// commit records and to data files is found by verify.
func remakes(name string) bool {
	switch name {
	case "README.md", "croissant.json", "manifest.json":
		return true
	}
	return strings.HasPrefix(name, ".selfplay/") && !strings.HasPrefix(name, ".selfplay/commits/")
}

// damageAtRandom damages a file and describes the damage.
func damageAtRandom(t *testing.T, path string, src *rand.Rand) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return "nothing"
	}
	at, how := src.IntN(len(data)), ""
	switch src.IntN(4) {
	case 0, 1:
		data[at] ^= 1 << src.IntN(8)
		how = fmt.Sprintf("a bit of byte %d is flipped", at)
	case 2:
		data, how = data[:at], fmt.Sprintf("cut at %d", at)
	case 3:
		for i := at; i < min(at+9, len(data)); i++ {
			data[i] = '9'
		}
		how = fmt.Sprintf("nines at %d", at)
	}
	must.Do(t, os.WriteFile(path, data, 0o644))
	return how
}

// TestTablesBeyondTheMemoryAreRefused: with tables that do not fit, a command writes nothing and says
// in one line what is wanted, what is there, and what to do.
func TestTablesBeyondTheMemoryAreRefused(t *testing.T) {
	dir := t.TempDir()
	large, set, scored := "ab:depth=1,hash=256", filepath.Join(dir, "set"), filepath.Join(dir, "scored")
	game := []string{"--quiet", "--game", "chess", "--games", "2", "--max-plies", "4", "--workers", "1", "--opening-plies", "2"}
	mustRun(t, append([]string{"run", "--player", large, "--out", set}, game...)...)
	mustRun(t, append([]string{"run", "--player", "greedy", "--out", scored}, game...)...)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(250 << 20))

	out := filepath.Join(dir, "out")
	for _, c := range []struct{ line, need, remedy string }{
		{"run --game chess --games 2 --workers 3 --out " + out + " --player " + large, "1.6 GB", "lower hash or sims, or use fewer --workers"},
		{"run --dry-run --game chess --games 2 --workers 1 --out " + out + " --player-first greedy --player-second " + large, "268.4 MB", "fewer --workers"},
		{"run --game chess --games 2 --workers 1 --out " + out + " --player 0.5*greedy+0.5*" + large, "536.9 MB", "fewer --workers"},
		{"match --game chess --games 2 --workers 1 --a greedy --b " + large, "268.4 MB", "fewer --workers"},
		{"run --game contrast --games 2 --workers 1 --out " + out + " --player mcts:sims=65535", "1.1 GB", "lower hash or sims, or use fewer --workers"},
		{"match --game contrast --games 2 --workers 1 --a greedy --b mcts:sims=65535", "527", "fewer --workers"},
		{"bench --game chess --player ab:depth=1,hash=65536", "", "lower hash"},
		{"uci --player " + large, "268.4 MB", "lower hash"},
		{"replay --game-index 0 " + set, "536.9 MB", "use a machine with more memory"},
		{"verify --regenerate " + set, "", "GOMAXPROCS=1"},
		{"repair --regenerate " + set, "", "GOMAXPROCS=1"},
		{"rescore --workers 1 --out " + out + " --player " + large + " " + scored, "536.9 MB", "fewer --workers"},
	} {
		o := selfplay("quit\n", strings.Fields(c.line)...)
		if o.code != 2 || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, "the tables and trees of the players take up to "+c.need) ||
			!strings.Contains(o.stderr, "262.1 MB of memory are available") || !strings.Contains(o.stderr, c.remedy) {
			t.Errorf("%s: exit code %d, %s", c.line, o.code, o.stderr)
		}
		if _, err := os.Stat(out); !os.IsNotExist(err) {
			t.Fatalf("%s: wrote %s", c.line, out)
		}
	}
	o := selfplay("setoption name Player value "+large+"\nsetoption name Player value ab:depth=1,hash=1\nposition startpos\ngo depth 1\n", "uci")
	if o.code != 0 || !strings.Contains(o.stdout, "info string the tables and trees of the players take up to 268.4 MB") || !strings.Contains(o.stdout, "bestmove") {
		t.Errorf("exit code %d, %s", o.code, o.stdout)
	}
}
