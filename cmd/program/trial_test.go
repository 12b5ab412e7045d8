package program

import (
	"math"
	"testing"
	"time"

	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/workers"
)

// TestTrialEndsWithEnoughGamesOrTime: n games per shard in each of two shards were the last
// round.
func TestTrialEndsWithEnoughGamesOrTime(t *testing.T) {
	for _, c := range []struct {
		name          string
		played, n     uint64
		elapsed, took time.Duration
		games         uint64
		want          uint64
	}{
		{"enough games and time", 64, 32, 3 * time.Second, time.Second, 1e6, 0},
		{"enough games, too little time", 64, 32, time.Second, 100 * time.Millisecond, 1e6, 64},
		{"enough games, little time left", 64, 32, 1900 * time.Millisecond, 1600 * time.Millisecond, 1e6, 3},
		{"slow games", 4, 1, 4 * time.Second, 2 * time.Second, 1e6, 2},
		{"slow games, no time for as many again", 14, 4, 24 * time.Second, 12 * time.Second, 1e6, 2},
		{"one game takes longer than the trial", 2, 1, time.Minute, time.Minute, 1e6, 0},
		{"shards are full", 4000, 1000, time.Second, 300 * time.Millisecond, 1e6, 1000},
		{"few games are left", 14, 4, time.Second, time.Second, 20, 3},
		{"all games of the run are played", 20, 4, time.Second, time.Second, 20, 0},
	} {
		tr := trial{Estimate: making.Estimate{Games: c.played}, last: making.Estimate{Games: 2 * c.n}, elapsed: c.elapsed, took: c.took}
		if got := tr.next(c.n, plan.Plan{ShardGames: 1000}, c.games); got != c.want {
			t.Errorf("%s: %d games per shard, want %d", c.name, got, c.want)
		}
	}
}

// TestTrialLeavesOutTheWaitForTheLongestGame, which a run has only once.
func TestTrialLeavesOutTheWaitForTheLongestGame(t *testing.T) {
	busy := trial{Estimate: making.Estimate{Games: 10}, rounds: 1, elapsed: 10 * time.Second,
		timing: workers.Timing{Games: 10, Total: 20 * time.Second, Longest: 3 * time.Second}}
	waiting := busy
	waiting.timing.Total = 16 * time.Second
	encoding := busy // workers wait for rows to be written
	encoding.timing.Total, encoding.timing.Longest = 4*time.Second, time.Millisecond
	for name, c := range map[string]struct {
		trial
		want time.Duration
	}{
		"busy": {busy, time.Second}, "waiting": {waiting, 800 * time.Millisecond}, "encoding": {encoding, 999900 * time.Microsecond},
	} {
		if got := c.perGame(2); got != c.want {
			t.Errorf("%s: %v per game, want %v", name, got, c.want)
		}
	}
}

func TestSpreadIsTheHalfWidthOfTheInterval(t *testing.T) {
	for n, want := range map[uint64]float64{2: 12.71, 3: 4.30, 4: 3.182, 6: 2.571, 11: 2.228, 31: 2.042, 100001: 1.96} {
		if got := spread(10, 10*math.Sqrt(float64(n)), n); math.Abs(got-want) > 0.04*want {
			t.Errorf("%d values: %v, want %v", n, got, want)
		}
	}
	two := trial{Estimate: making.Estimate{Games: 4, Rows: 40, SquaredRows: 4*100 + 4*9}} // 7, 13, 7, 13
	if got := two.rowSpread(); math.Abs(got-0.551) > 0.04*0.551 {
		t.Errorf("rows: %v", got)
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
