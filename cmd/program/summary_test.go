package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/internal/must"
	"selfplay/workers"
)

// trialSampleOf returns a sample of n values whose spread is about 2 * deviation / sqrt(n).
func trialSampleOf(n uint64, mean, deviation float64) trialSample {
	return trialSample{n, float64(n) * mean, float64(n) * (mean*mean + deviation*deviation)}
}

// TestTrialEndsWithEnoughGamesOrTime: n games were the last round.
func TestTrialEndsWithEnoughGamesOrTime(t *testing.T) {
	sure, unsure := trialSampleOf(400, 10, 1), trialSampleOf(400, 10, 8)
	for _, c := range []struct {
		name          string
		played, n     uint64
		effort        trialSample
		elapsed, took time.Duration
		games         uint64
		want          uint64
	}{
		{"sure, enough time", 64, 32, sure, 5 * time.Second, time.Second, 1e6, 0},
		{"sure, too little time", 64, 32, sure, time.Second, 100 * time.Millisecond, 1e6, 256},
		{"sure, little time left", 64, 32, sure, 3900 * time.Millisecond, 1600 * time.Millisecond, 1e6, 2},
		{"unsure", 400, 300, unsure, 4 * time.Second, 2 * time.Second, 1e6, 592},
		{"unsure, no time for as many again", 400, 200, unsure, 24 * time.Second, 12 * time.Second, 1e6, 100},
		{"one game", 1, 1, trialSampleOf(1, 10, 0), 4 * time.Second, 2 * time.Second, 1e6, 8},
		{"one game takes longer than the trial", 2, 2, unsure, time.Minute, time.Minute, 1e6, 0},
		{"few games are left", 14, 4, sure, time.Second, 50 * time.Millisecond, 20, 6},
		{"all games of the run are played", 20, 4, sure, time.Second, time.Second, 20, 0},
	} {
		tr := trial{Games: c.played, effort: c.effort, elapsed: c.elapsed, took: c.took, cpu: c.elapsed, tookCPU: c.took}
		if got := tr.next(c.n, c.games); got != c.want {
			t.Errorf("%s: %d games, want %d", c.name, got, c.want)
		}
	}
}

// TestEstimateTakesTheTimeOfTheCores: 10 games took 40 s of CPU time, and the run has 1,000.
func TestEstimateTakesTheTimeOfTheCores(t *testing.T) {
	ten := record.Totals{Shards: 1, Games: 10, Rows: 100, Bytes: 1000}
	for _, c := range []struct {
		name           string
		workers, cores int
		evaluator, end time.Duration
		time, cpu      float64
		fit            uint64
	}{
		{"a worker a core", 2, 2, 0, 0, 2000, 4000, 1800},
		{"workers beyond the cores", 1000, 2, 0, 0, 2000, 4000, 1800},
		{"cores beyond the workers", 2, 64, 0, 0, 2000, 4000, 1800},
		{"another machine", 64, 64, 0, 0, 62.5, 4000, 57600},
		{"evaluators are slower than the cores", 64, 64, 5 * time.Second, 0, 500, 4000, 7200},
		{"batches are not full at the end", 2, 2, 0, 8 * time.Second, 2004, 4008, 1800},
	} {
		e := estimate{runJob: &runJob{runContent: &runContent{}, workers: c.workers, cores: c.cores, stop: stopping{after: time.Hour}}, games: 1000,
			trial: trial{Games: 10, played: 10, first: ten, large: ten, cpu: 40 * time.Second, evaluator: c.evaluator, endCPU: c.end}}
		s := e.summary()
		if math.Abs(s.TimeS-c.time) > 1e-9 || math.Abs(s.CPUS-c.cpu) > 1e-9 || s.GamesFit != c.fit {
			t.Errorf("%s: %v s, CPU %v s, %d games fit, want %+v", c.name, s.TimeS, s.CPUS, s.GamesFit, c)
		}
	}
}

// TestModelsCountAsIfBatchesWereFull: of 100 evaluations, the first 60 were in full batches.
func TestModelsCountAsIfBatchesWereFull(t *testing.T) {
	var tr trial
	before := workers.ModelCounts{Evaluations: 1000, CPU: int64(time.Second)}
	after := workers.ModelCounts{Evaluations: 1100, FullEvaluations: 1060, Evaluators: 2,
		CPU: int64(4 * time.Second), FullCPU: int64(2200 * time.Millisecond), Busy: 9 * time.Second, FullBusy: 3 * time.Second}
	tr.addModel(before, after)
	if tr.cpu != 2*time.Second || tr.endCPU != time.Second || tr.evaluator != 2500*time.Millisecond {
		t.Errorf("%v, %v at the end, evaluators %v", tr.cpu, tr.endCPU, tr.evaluator)
	}
	tr = trial{}
	after.FullEvaluations = 900 // not all workers had a game in this round
	if tr.addModel(before, after); tr.cpu != 3*time.Second || tr.endCPU != 0 || tr.evaluator != 4500*time.Millisecond {
		t.Errorf("no full batches: %v, %v at the end, evaluators %v", tr.cpu, tr.endCPU, tr.evaluator)
	}
}

// TestProcessTimeIsCPUTime: it grows with work, and hardly while the process sleeps.
func TestProcessTimeIsCPUTime(t *testing.T) {
	begin := processTime()
	for processTime() < begin+5*time.Millisecond {
		continue
	}
}

func TestSpreadIsTheHalfWidthOfTheInterval(t *testing.T) {
	for n, want := range map[uint64]float64{2: 12.71, 3: 4.30, 4: 3.182, 6: 2.571, 11: 2.228, 31: 2.042, 100001: 1.96} {
		s := trialSampleOf(n, 10, 10*math.Sqrt(float64(n-1))) // the deviation is 10 * sqrt(n)
		if got := s.spread(); math.Abs(got-want) > 0.04*want {
			t.Errorf("%d values: %v, want %v", n, got, want)
		}
	}
	var rows trialSample
	for _, n := range []float64{7, 13, 7, 13} {
		rows.add(n)
	}
	if got := rows.spread(); math.Abs(got-0.551) > 0.04*0.551 {
		t.Errorf("rows: %v", got)
	}
	if s := (trialSample{}); !math.IsNaN(s.spread()) {
		t.Error(s.spread())
	}
}

// TestBytesHaveMetadataOfEachShard: 5,000 bytes and 10 a row.
func TestBytesHaveMetadataOfEachShard(t *testing.T) {
	few, many := record.Totals{Shards: 1, Rows: 100, Bytes: 6000}, record.Totals{Shards: 4, Rows: 40000, Bytes: 420000}
	for _, c := range []struct {
		first, large record.Totals
		want         float64
	}{{few, many, 50000 + 200000}, {many, many, 210000}, {few, few, 1200000}} {
		tr := trial{first: c.first, large: c.large}
		if got := tr.bytes(10, 20000); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestSpreadAsText(t *testing.T) {
	for spread, want := range map[float64]string{0: " ± 1 %", 0.004: " ± 1 %", 0.126: " ± 13 %", 1: " (a guess from too few games)"} {
		if got := within(spread); got != want {
			t.Errorf("%v: %q, want %q", spread, got, want)
		}
	}
	if got := within(math.NaN()); got != within(1) {
		t.Error(got)
	}
}

// TestSummaryOfATaskBesideOthers: a task made one shard, and others three. All numbers of the summary are
// those of the dataset.
func TestSummaryOfATaskBesideOthers(t *testing.T) {
	counts := record.Counts{Target: 10, Shards: 5, ShardsDone: 4, Games: 8}
	s := summary{
		runJob: &runJob{runContent: new(runContent), games: 10, task: making.Task{Count: 2}},
		c:      cli.NewContext(cli.NewApp(), new(flag.FlagSet), nil),
		endedRun: endedRun{
			Run: status.Run{
				Finished: status.Finished{Counts: counts, GamesDone: 8}, Rows: 800, Bytes: 9000, Played: 2,
				Endings: []status.Ending{{Name: "draw", Games: 6}, {Name: "goal", Games: 2}},
			},
			info: datasets.Info{Counts: counts, Rows: 800, Bytes: 9000},
		},
	}
	var b bytes.Buffer
	if err := s.print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"8 of 10, 2 played by this run", "rows        800,", "9,000 in 4 shards", "6 games, 75.0 %", "2 games, 25.0 %"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// TestSummaryOfAStoppedRunSaysWhatCounts, and names finalize where it completes the dataset.
func TestSummaryOfAStoppedRunSaysWhatCounts(t *testing.T) {
	resumes := "the same command resumes"
	for _, c := range []struct {
		games, end   uint64
		tasks        int
		counts, next string
	}{
		{0, 0, 0, "nothing before a shard is whole", resumes},
		{300, 300, 0, "300 games with 9,000 rows in shards; finalize completes the dataset with them", resumes + "; to end here: selfplay finalize --as-it-stands data/demo"},
		{300, 400, 0, "300 games with 9,000 rows in shards; games before the last one are missing, and --games 400 makes only these", resumes},
		{300, 300, 2, "300 games with 9,000 rows in shards", resumes},
	} {
		s := summary{
			runJob:   &runJob{out: "data/demo", task: making.Task{Count: c.tasks}},
			c:        cli.NewContext(&cli.App{Name: "selfplay"}, new(flag.FlagSet), nil),
			why:      fmt.Errorf("%w: terminated", datasets.ErrIncomplete),
			endedRun: endedRun{Run: status.Run{Finished: status.Finished{Counts: record.Counts{Games: c.games}}, Rows: 30 * c.games}, info: datasets.Info{End: c.end}},
		}
		if s.counts() != c.counts || s.next() != c.next {
			t.Errorf("%d games up to %d, %d tasks: %q, %q", c.games, c.end, c.tasks, s.counts(), s.next())
		}
	}
}

// smallRun returns the arguments of a run of two shards.
func smallRun(out string, more ...string) []string {
	return append([]string{"run", "--game", "contrast", "--player", "random", "--games", "6", "--shard-games", "3", "--max-plies", "20", "--out", out}, more...)
}

func mustParse[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil || strings.Count(text, "\n") != 1 {
		t.Fatalf("not one line of JSON: %v in %q", err, text)
	}
	return v
}

func TestDryRunJSON(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	s := mustParse[estimateSummary](t, mustRun(t, smallRun(out, "--dry-run", "--json", "--games", "600")...))
	if s.Games != 600 || s.Shards != 200 || s.Plan.Game != "contrast" || len(s.PlanHash) != 64 || s.Rows < 600 || s.Bytes < s.Rows ||
		s.RowsSpread == nil || s.TimeS <= 0 || s.CPUS < s.TimeS || s.Cores != runtime.GOMAXPROCS(0) || s.GamesFit != 0 || s.TrialGames == 0 || s.MemoryBytes == 0 {
		t.Errorf("%+v", s)
	}
	planned := mustParse[estimateSummary](t, mustRun(t, smallRun(out, "--dry-run", "--json", "--games", "600", "--cores", "64", "--stop-after", "1h")...))
	if planned.Cores != 64 || planned.Workers != 64 || planned.TimeS > planned.CPUS/60 || planned.GamesFit < 600 || planned.StopAfterS != 3600 {
		t.Errorf("%+v", planned)
	}
	mustRun(t, smallRun(out)...)
	if s := mustParse[estimateSummary](t, mustRun(t, smallRun(out, "--dry-run", "--json")...)); s.Games != 0 || s.RowsSpread != nil || s.Plan.Game == "" {
		t.Errorf("nothing to play: %+v", s)
	}
}

// TestStatusFileFollowsARun that is stopped by a signal.
func TestStatusFileFollowsARun(t *testing.T) {
	dir := t.TempDir()
	out, file := filepath.Join(dir, "out"), filepath.Join(dir, "status.json")
	process, stderr := start(t, "run", "--game", "contrast", "--player", "random", "--games", "1000000", "--shard-games", "20", "--workers", "1", "--out", out, "--status-file", file)
	read := func() status.Run {
		text := must.Get(os.ReadFile(file))(t)
		return mustParse[status.Run](t, string(text))
	}
	waitFor(t, file)
	first := read()
	if first.State != status.Running || first.ExitCode != nil || first.PID != process.Process.Pid || first.Target != 1000000 || first.Complete != nil {
		t.Errorf("%+v", first)
	}
	now := first
	waitUntil(t, "more games", func() bool {
		now = read()
		return now.Games > first.Games
	})
	if now.Games <= first.Games || now.Rows <= first.Rows || now.LastCommit.Before(first.Started) || !now.Updated.After(first.Updated) || now.ETA == nil || now.RowsPerS <= 0 {
		t.Errorf("later: %+v", now)
	}
	process.Process.Signal(syscall.SIGTERM)
	if code := processCode(process.Wait()); code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if last := read(); last.State != status.Stopped || *last.ExitCode != 3 || !strings.Contains(last.Error, "the same command resumes") || last.Busy != 0 {
		t.Errorf("%+v", last)
	}
}

// TestMetricsAreServedWhileTheRunWorks, and not longer.
func TestMetricsAreServedWhileTheRunWorks(t *testing.T) {
	free := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	addr := free.Addr().String()
	free.Close()
	out := filepath.Join(t.TempDir(), "out")
	process, stderr := start(t, "run", "--game", "contrast", "--player", "random", "--games", "1000000", "--shard-games", "20", "--workers", "1", "--out", out, "--metrics", addr)
	waitForShards(t, out, 2)
	var body []byte // refreshed at intervals, so later than the files
	games := regexp.MustCompile(`(?m)^selfplay_dataset_games{.*} [1-9].*$`)
	waitUntil(t, "games in the metrics", func() bool {
		r := must.Get(http.Get("http://" + addr + "/metrics"))(t)
		defer r.Body.Close()
		body, _ = io.ReadAll(r.Body)
		return games.Match(body)
	})
	for _, want := range []string{`selfplay_running{.*} 1`, `selfplay_eta_seconds{.*} .+`} {
		if !regexp.MustCompile("(?m)^" + want + "$").Match(body) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	process.Process.Signal(os.Interrupt)
	if code := processCode(process.Wait()); code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if _, err := http.Get("http://" + addr + "/metrics"); err == nil {
		t.Error("the address is still served")
	}
}

// TestStatusFileWithoutAWorkingDirectory: its place is unknown, and that is what the error says.
func TestStatusFileWithoutAWorkingDirectory(t *testing.T) {
	out, gone := t.TempDir(), filepath.Join(t.TempDir(), "gone")
	must.Do(t, os.Mkdir(gone, 0o755))
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skip(err)
	}
	if _, err := filepath.Abs("s.json"); err == nil {
		t.Skip("this system knows the working directory")
	}
	err := new(publisher).addFile("s.json", "", out, statusOf)
	if err == nil || strings.Contains(err.Error(), "lies in the dataset") {
		t.Errorf("error %v", err)
	}
}

func TestPanicIsAFailure(t *testing.T) {
	var s status.Run
	setOutcome(&s, fmt.Errorf("make shard 3: %w", &workers.PanicError{Game: 7}), 1)
	if s.State != status.Failed || s.Failures != 1 || *s.ExitCode != 1 {
		t.Errorf("%+v", s)
	}
	s = status.Run{}
	if setOutcome(&s, fmt.Errorf("make shard 3: %w", datasets.ErrIncomplete), 3); s.State != status.Stopped {
		t.Errorf("a stop: state %s", s.State)
	}
	if setOutcome(&s, fmt.Errorf("make shard 3: %w", datasets.ErrUnanswered), 3); s.State != status.Failed || *s.ExitCode != 3 {
		t.Errorf("a model without answers: state %s, exit code %d", s.State, *s.ExitCode)
	}
	if setOutcome(&s, errors.New("disk"), 1); s.State != status.Failed || s.Failures != 0 {
		t.Errorf("%+v", s)
	}
}
