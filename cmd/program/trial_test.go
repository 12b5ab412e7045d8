package program

import (
	"math"
	"testing"
	"time"

	"selfplay/datasets/record"
	"selfplay/workers"
)

// sampleOf returns a sample of n values whose spread is about 2 * deviation / sqrt(n).
func sampleOf(n uint64, mean, deviation float64) sample {
	return sample{n, float64(n) * mean, float64(n) * (mean*mean + deviation*deviation)}
}

// TestTrialEndsWithEnoughGamesOrTime: n games were the last round.
func TestTrialEndsWithEnoughGamesOrTime(t *testing.T) {
	sure, unsure := sampleOf(400, 10, 1), sampleOf(400, 10, 8)
	for _, c := range []struct {
		name          string
		played, n     uint64
		effort        sample
		elapsed, took time.Duration
		games         uint64
		want          uint64
	}{
		{"sure, enough time", 64, 32, sure, 5 * time.Second, time.Second, 1e6, 0},
		{"sure, too little time", 64, 32, sure, time.Second, 100 * time.Millisecond, 1e6, 256},
		{"sure, little time left", 64, 32, sure, 3900 * time.Millisecond, 1600 * time.Millisecond, 1e6, 2},
		{"unsure", 400, 300, unsure, 4 * time.Second, 2 * time.Second, 1e6, 592},
		{"unsure, no time for as many again", 400, 200, unsure, 24 * time.Second, 12 * time.Second, 1e6, 100},
		{"one game", 1, 1, sampleOf(1, 10, 0), 4 * time.Second, 2 * time.Second, 1e6, 8},
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
		e := estimate{job: &job{content: &content{}, workers: c.workers, cores: c.cores, stop: stopping{after: time.Hour}}, games: 1000,
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
		s := sampleOf(n, 10, 10*math.Sqrt(float64(n-1))) // the deviation is 10 * sqrt(n)
		if got := s.spread(); math.Abs(got-want) > 0.04*want {
			t.Errorf("%d values: %v, want %v", n, got, want)
		}
	}
	var rows sample
	for _, n := range []float64{7, 13, 7, 13} {
		rows.add(n)
	}
	if got := rows.spread(); math.Abs(got-0.551) > 0.04*0.551 {
		t.Errorf("rows: %v", got)
	}
	if s := (sample{}); !math.IsNaN(s.spread()) {
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
