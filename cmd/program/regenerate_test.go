package program

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/making"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// TestRegenerateConfirmsEveryKindOfPlayer: the games of a dataset come out the same again,
// also from datasets with other rows of the same games, and from what tasks have made so far.
func TestRegenerateConfirmsEveryKindOfPlayer(t *testing.T) {
	for _, c := range everyKind {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			mustRun(t, append([]string{"run", "--quiet", "--out", out, "--games", "6", "--shard-games", "3"}, withoutCounts(c.flags)...)...)
			for _, command := range [][]string{{"verify"}, {"export", "verify"}} {
				text := mustRun(t, append(command, "--regenerate", "--json", out)...)
				var r checking.VerifyReport
				if err := json.Unmarshal([]byte(text), &r); err != nil || r.Regenerated != 6 {
					t.Errorf("%s, %v, want 6 games played again", text, err)
				}
			}
		})
	}
}

// withoutCounts returns the flags of a run without --games and --shard-games.
func withoutCounts(flags string) (list []string) {
	words := strings.Fields(flags)
	for i := 0; i < len(words); i++ {
		if words[i] == "--games" || words[i] == "--shard-games" {
			i++
			continue
		}
		list = append(list, words[i])
	}
	return list
}

// playAs returns a job whose plan has one seed and whose games have another.
func playAs(t *testing.T, seed uint64) *job {
	t.Helper()
	j := jobOf(t, "--game contrast --player random --games 6 --shard-games 3 --seed 1 --max-plies 20")
	j.series.Seed = seed
	must.Do(t, os.MkdirAll(j.out, 0o755))
	return j
}

// TestRegenerateFindsGamesOfAnotherSeed: everything else about the dataset is consistent.
func TestRegenerateFindsGamesOfAnotherSeed(t *testing.T) {
	j := playAs(t, 2)
	must.Get(j.make(context.Background(), progress.Silent()))(t)
	mustRun(t, "verify", "--deep", j.out)
	o := selfplay("", "verify", "--regenerate", "--quiet", j.out)
	if o.code != 4 || !strings.Contains(o.stdout, "games/train-00000.parquet: corrupt: game 0: playing it again gives another action") ||
		!strings.Contains(o.stderr, "run selfplay export repair --regenerate "+j.out+" to remove the damage") {
		t.Errorf("%+v", o)
	}
	mustRun(t, "export", "repair", "--regenerate", "--quiet", j.out)
	honest := playAs(t, 1)
	for _, j := range []*job{j, honest} {
		j.series.Seed = 1
		must.Get(j.make(context.Background(), progress.Silent()))(t)
	}
	mustEqual(t, tree(t, j.out), tree(t, honest.out))
}

// TestRegenerateFindsJournalsOfAnotherSeed: header and checksums are those of the plan.
func TestRegenerateFindsJournalsOfAnotherSeed(t *testing.T) {
	j := playAs(t, 2)
	pool := workers.Start(j.series, 1)
	defer pool.Close()
	o := j.options(func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		return errors.Join(pool.Play(ctx, games[:2], journal, sink), datasets.ErrIncomplete)
	})
	o.OpenShards = 1
	if _, err := making.Make(context.Background(), j.out, j.plan, j.games, o); !errors.Is(err, datasets.ErrIncomplete) {
		t.Fatal(err)
	}
	mustRun(t, "verify", "--deep", j.out)
	found := selfplay("", "verify", "--regenerate", "--quiet", "--json", j.out)
	var r checking.VerifyReport
	if err := json.Unmarshal([]byte(found.stdout), &r); err != nil || found.code != 4 || len(r.Problems) != 1 ||
		r.Problems[0].Kind != checking.ProblemGames || r.Problems[0].Shard != 0 || !strings.Contains(r.Problems[0].Message, "game 0:") {
		t.Errorf("%+v, %v", found, err)
	}
}
