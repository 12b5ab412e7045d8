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
	"selfplay/engine"
	"selfplay/workers"
)

// TestRegenerateConfirmsEveryKindOfPlayer: the games of a dataset come out the same again,
// also from datasets with other rows of the same games, and from what tasks have made so far.
func TestRegenerateConfirmsEveryKindOfPlayer(t *testing.T) {
	for _, c := range everyKind {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			must(t, append([]string{"run", "--quiet", "--out", out, "--games", "6", "--shard-games", "3"}, withoutCounts(c.flags)...)...)
			for _, command := range [][]string{{"verify"}, {"export", "verify"}} {
				text := must(t, append(command, "--regenerate", "--json", out)...)
				var r datasets.VerifyReport
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

func TestRegenerateChecksWhatIsThereSoFar(t *testing.T) {
	dir := t.TempDir()
	tasks, rows := filepath.Join(dir, "tasks"), filepath.Join(dir, "rows")
	must(t, "run", "--quiet", "--game", "contrast", "--games", "12", "--shard-games", "2", "--task-count", "3", "--task-index", "1", "--out", tasks)
	if text := must(t, "verify", "--regenerate", tasks); !strings.Contains(text, "4 games") || !strings.Contains(text, "every game played again") {
		t.Error(text)
	}
	for _, index := range []string{"0", "2"} {
		must(t, "run", "--quiet", "--game", "contrast", "--games", "12", "--shard-games", "2", "--task-count", "3", "--task-index", index, "--out", tasks)
	}
	must(t, "finalize", tasks)
	must(t, "export", "rows", "--out", rows, "--layout", "planes", tasks)
	must(t, "verify", "--regenerate", rows)
	text := must(t, "verify", "--regenerate", "--sample", "0.5", tasks)
	if again := must(t, "verify", "--regenerate", "--sample", "0.5", tasks); again != text || !strings.Contains(text, "50 % of the games, replayed and played again") {
		t.Errorf("%s, then %s", text, again)
	}
}

// playAs returns a job whose plan has one seed and whose games have another.
func playAs(t *testing.T, seed uint64) *job {
	t.Helper()
	j := jobOf(t, "--game contrast --games 6 --shard-games 3 --seed 1 --max-plies 20")
	j.series.Seed = seed
	if err := os.MkdirAll(j.out, 0o755); err != nil {
		t.Fatal(err)
	}
	return j
}

// TestRegenerateFindsGamesOfAnotherSeed: everything else about the dataset is consistent.
func TestRegenerateFindsGamesOfAnotherSeed(t *testing.T) {
	j := playAs(t, 2)
	if _, err := j.make(context.Background(), progress.Silent()); err != nil {
		t.Fatal(err)
	}
	must(t, "verify", "--deep", j.out)
	o := selfplay("", "verify", "--regenerate", "--quiet", j.out)
	if o.code != 4 || !strings.Contains(o.stdout, "games/train-00000.parquet: corrupt: game 0: playing it again gives another action") ||
		!strings.Contains(o.stderr, "run selfplay export repair --regenerate "+j.out+" to remove the damage") {
		t.Errorf("%+v", o)
	}
	must(t, "export", "repair", "--regenerate", "--quiet", j.out)
	honest := playAs(t, 1)
	for _, j := range []*job{j, honest} {
		j.series.Seed = 1
		if _, err := j.make(context.Background(), progress.Silent()); err != nil {
			t.Fatal(err)
		}
	}
	mustEqual(t, tree(t, j.out), tree(t, honest.out))
}

// TestRegenerateFindsJournalsOfAnotherSeed: header and checksums are those of the plan.
func TestRegenerateFindsJournalsOfAnotherSeed(t *testing.T) {
	j := playAs(t, 2)
	pool := workers.Start(j.series, 1)
	defer pool.Close()
	o := j.options(func(ctx context.Context, games []uint64, finished, sink func(*engine.Record) error) error {
		return errors.Join(pool.Play(ctx, games[:2], finished, sink), datasets.ErrIncomplete)
	})
	o.OpenShards = 1
	if _, err := datasets.Make(context.Background(), j.out, j.plan, j.games, o); !errors.Is(err, datasets.ErrIncomplete) {
		t.Fatal(err)
	}
	must(t, "verify", "--deep", j.out)
	found := selfplay("", "verify", "--regenerate", "--quiet", "--json", j.out)
	var r datasets.VerifyReport
	if err := json.Unmarshal([]byte(found.stdout), &r); err != nil || found.code != 4 || len(r.Problems) != 1 ||
		r.Problems[0].Kind != datasets.ProblemGames || r.Problems[0].Shard != 0 || !strings.Contains(r.Problems[0].Message, "game 0:") {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestRegenerateNeedsTheBookOfThePlan: the same positions, in any file.
func TestRegenerateNeedsTheBookOfThePlan(t *testing.T) {
	dir := t.TempDir()
	const e4, d4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n", "rnbqkbnr/pppppppp/8/8/3P4/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"
	path := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	out, book := filepath.Join(dir, "out"), path("book", e4+d4)
	must(t, "run", "--quiet", "--game", "chess", "--games", "4", "--max-plies", "20", "--book", book, "--out", out)
	must(t, "verify", "--regenerate", "--book", path("copy", e4+"\n"+d4), out)
	mustRefuse(t, selfplay("", "verify", "--regenerate", out), 2, "the book is missing: pass the file that the games started from with --book FILE")
	mustRefuse(t, selfplay("", "verify", "--regenerate", "--book", path("edited", d4+e4), out), 2, "the book is a different one")
	mustRefuse(t, selfplay("", "verify", "--regenerate", "--book", filepath.Join(dir, "none"), out), 2, "read book: open "+filepath.Join(dir, "none"))
}

func TestRegenerateRefusals(t *testing.T) {
	j := jobOf(t, "--game contrast --games 1 --max-plies 8")
	j.plan.Play = append(j.plan.Play, "from=12ab:3")
	if err := os.MkdirAll(j.out, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := j.make(context.Background(), progress.Silent()); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, selfplay("", "verify", "--regenerate", j.out), 2, "its games come from other datasets: replay them there: plan 12ab")
	mustRefuse(t, selfplay("", "verify", "--regenerate", "--quick", j.out), 2, "flags --quick and --regenerate exclude each other")
	mustRefuse(t, selfplay("", "verify", "--book", "b", j.out), 2, "flag --book needs --regenerate")
	mustRefuse(t, selfplay("", "verify", "--sample", "0.5", j.out), 2, "flag --sample needs --deep or --regenerate")
}
