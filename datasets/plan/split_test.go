package plan

import (
	"fmt"
	"math"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/internal/must"
)

func splitPlan(validation int) Plan {
	return Plan{Seed: 7, Validation: validation, ShardGames: 30}
}

// TestOneGameOfEachIntervalIsDrawn: of the games ceil(1000k/p) to ceil(1000(k+1)/p)-1. So the share of
// the first n games is exact within one game, for any n.
func TestOneGameOfEachIntervalIsDrawn(t *testing.T) {
	for _, p := range []int{1, 3, 50, 333, 334, 500, 667, 999, 1000} {
		splits, drawn := splitPlan(p).Splits(), 0
		for k := range 300 {
			begin, end := int(math.Ceil(1000*float64(k)/float64(p))), int(math.Ceil(1000*float64(k+1)/float64(p)))
			if n := splits.Count(uint64(begin), uint64(end-begin)); n != 1 {
				t.Fatalf("share %d: %d games of %d to %d", p, n, begin, end-1)
			}
			for game := begin; game < end; game++ {
				if splits.Validation(uint64(game)) {
					drawn++
				}
				exact := float64(game+1) * float64(p) / 1000
				if math.Abs(float64(drawn)-exact) >= 1 || uint64(drawn) != splits.Count(0, uint64(game+1)) {
					t.Fatalf("share %d: %d of the first %d games, want %.2f", p, drawn, game+1, exact)
				}
			}
		}
	}
}

// TestSplitsDependOnTheSeed: and not on the shards.
func TestSplitsDependOnTheSeed(t *testing.T) {
	p, others := splitPlan(50), 0
	q, larger := p, p
	q.Seed, larger.ShardGames = 8, 1000
	for game := range uint64(1000) {
		if p.Splits().Of(game) != larger.Splits().Of(game) {
			t.Fatalf("game %d: another split in larger shards", game)
		}
		if p.Splits().Of(game) != q.Splits().Of(game) {
			others++
		}
	}
	if others < 80 || others > 100 { // 100 if no game is drawn twice
		t.Errorf("%d games of 1000 are in another split with another seed", others)
	}
}

func TestDrawsAreFrozen(t *testing.T) {
	var drawn []uint64
	splits := splitPlan(50).Splits()
	for game := range uint64(200) {
		if splits.Validation(game) {
			drawn = append(drawn, game)
		}
	}
	if want := "[8 28 44 67 80 104 139 141 169 181]"; fmt.Sprint(drawn) != want {
		t.Errorf("games %v, want %s", drawn, want)
	}
}

// TestNoValidationAndNothingElse: shares 0 and 1.
func TestNoValidationAndNothingElse(t *testing.T) {
	for p, want := range map[int]string{0: "[{train 30}]", 1000: "[{validation 30}]"} {
		if got := fmt.Sprint(splitPlan(p).Parts(3, 30)); got != want {
			t.Errorf("share %d: %s, want %s", p, got, want)
		}
	}
}

// TestPartsAddUp: to the games of the shard, for shards of any size.
func TestPartsAddUp(t *testing.T) {
	p := splitPlan(100)
	for _, size := range []int{1, 2, 7, 10, 1000} {
		p.ShardGames = size
		for s := range 50 {
			for games := 1; games <= min(size, 12); games++ {
				sum := uint64(0)
				for _, part := range p.Parts(s, uint64(games)) {
					if sum += part.Games; part.Games == 0 {
						t.Errorf("shard %d: no game in %s", s, part.Split)
					}
				}
				if sum != uint64(games) || len(p.DataNames(s, uint64(games))) != 2*len(p.Parts(s, uint64(games))) {
					t.Errorf("shard %d of %d games: %v", s, games, p.Parts(s, uint64(games)))
				}
			}
		}
	}
}

// TestJoinedGamesKeepTheirSplits: those of two plans, and of games that were joined already.
func TestJoinedGamesKeepTheirSplits(t *testing.T) {
	few, half := splitPlan(100), splitPlan(500)
	joined := splitPlan(0)
	joined.Split = append(few.SplitOfSource(95), half.SplitOfSource(70)...)
	must.Get(newSplits(joined.Split, splitRule{}))(t)
	twice := splitPlan(0)
	twice.Split = append(joined.SplitOfSource(165), few.SplitOfSource(10)...)
	splits, again := joined.Splits(), twice.Splits()
	for game := range uint64(175) {
		want := few.Splits().Of(game % 165)
		if game >= 95 && game < 165 {
			want = half.Splits().Of(game - 95)
		}
		if game < 165 && splits.Of(game) != want || again.Of(game) != want {
			t.Errorf("game %d: %s and %s, want %s", game, splits.Of(game), again.Of(game), want)
		}
	}
}

func TestRulesOfOthersAreRefused(t *testing.T) {
	for _, rule := range []string{"row", "games=0 seed=1 validation=50", "games=5 seed=1 validation=1001", "games=5 seed=1 validation=50 ", "games=05 seed=1 validation=50"} {
		must.Fail(newSplits([]string{rule}, splitRule{}))(t, fault.ErrUnsupported, "split rule")
	}
}
