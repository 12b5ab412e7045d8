package making

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/status"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// forged is fakePlay with another move rank in one game.
func forged(game uint64) datasets.Play {
	return func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		forge := func(next func(*engine.Record) error) func(*engine.Record) error {
			return func(r *engine.Record) error {
				honest := r.MoveRanks[2]
				if r.Game == game {
					r.MoveRanks[2]++
				}
				err := next(r)
				r.MoveRanks[2] = honest
				return err
			}
		}
		if journal == nil {
			return fakePlay(ctx, games, nil, forge(sink))
		}
		return fakePlay(ctx, games, enginetest.Finished(forge(journal.Finish)), forge(sink))
	}
}

// regenerate verifies a dataset of the fake game by playing its games again.
func regenerate(t *testing.T, root string, sample engine.Fraction) *checking.VerifyReport {
	t.Helper()
	r := must.Get(checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyRegenerate, Rows: fakeRows, Play: fakePlay, Sample: sample}))(t)
	return r
}

func TestRegenerateConfirmsTheGamesOfThePlayers(t *testing.T) {
	root := made(t, fakePlan(), 11)
	if r := regenerate(t, root, engine.One); !r.OK() || r.Regenerated != 11 {
		t.Errorf("%+v", r)
	}
	sample := regenerate(t, root, engine.One/3)
	if again := regenerate(t, root, engine.One/3); !sample.OK() || sample.Regenerated == 0 || sample.Regenerated == 11 || again.Regenerated != sample.Regenerated {
		t.Errorf("sample of a third: %+v, then %+v", sample, again)
	}
}

// TestRegenerateFindsGamesThatThePlayersDoNotPlay: rows, sums and records are consistent
// with the forged game, so nothing else finds it.
func TestRegenerateFindsGamesThatThePlayersDoNotPlay(t *testing.T) {
	root, o := t.TempDir(), fakeOptions()
	o.Play = forged(7)
	makeIn(t, root, fakePlan(), 11, o)
	if got := problems(t, root, checking.VerifyDeep); got != "" {
		t.Fatalf("%s has problems already", got)
	}
	r := regenerate(t, root, engine.One)
	const want = "games/train-00002.parquet: corrupt: game 7: playing it again gives another move_rank, first at index 2"
	if len(r.Problems) != 1 || r.Problems[0].Error() != want || r.Problems[0].Kind != checking.ProblemGames || r.Problems[0].Shard != 2 {
		t.Errorf("%+v, want %s", r.Problems, want)
	}
}

// interruptedAfter returns a Play that is stopped after it has finished a number of games.
func interruptedAfter(n int, play datasets.Play) datasets.Play {
	return func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		if err := play(ctx, games[:n], journal, sink); err != nil {
			return err
		}
		return fault.ErrIncomplete
	}
}

func TestRegenerateFindsForgedGamesInJournals(t *testing.T) {
	root, o := t.TempDir(), fakeOptions()
	o.OpenShards, o.Play = 1, interruptedAfter(2, forged(1))
	must.Fail(Make(context.Background(), root, fakePlan(), 11, o))(t, fault.ErrIncomplete, "")
	r := regenerate(t, root, engine.One)
	if len(r.Problems) != 1 || r.Problems[0].Shard != 0 || !strings.HasPrefix(r.Problems[0].Path, journal.Folder+"/00000.") ||
		!strings.Contains(r.Problems[0].Message, "game 1: ") || r.Regenerated != 1 {
		t.Fatalf("%+v", r)
	}
	repairAndFinish(t, root)
}

// TestDeepReplaysJournals: a record that does not follow the rules is found without playing it again, in a
// finished game and in one under way.
func TestDeepReplaysJournals(t *testing.T) {
	for name, spoil := range map[string]func(engine.Journal) error{
		"nothing":  func(engine.Journal) error { return nil },
		"finished": func(j engine.Journal) error { r := spoiledGame(t); return j.Finish(r) },
		"under way": func(j engine.Journal) error {
			r := spoiledGame(t)
			r.Outcome = engine.Outcome{}
			return j.Keep(r, rand.NewPCG(1, 2))
		},
	} {
		root, o := t.TempDir(), fakeOptions()
		o.OpenShards = 1
		o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
			if games[0] == 0 {
				if err := spoil(journal); err != nil {
					return err
				}
			}
			return interruptedAfter(2, fakePlay)(ctx, games, journal, sink)
		}
		must.Fail(Make(context.Background(), root, fakePlan(), 11, o))(t, fault.ErrIncomplete, "")
		r := must.Get(checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyDeep, Rows: fakeRows}))(t)
		found := len(r.Problems) == 1 && r.Problems[0].Kind == checking.ProblemGames
		if found != (name != "nothing") || len(r.Problems) > 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// spoiledGame returns game 2 with a move that no board has.
func spoiledGame(t *testing.T) *engine.Record {
	t.Helper()
	r := new(engine.Record)
	playFake(r, 2, 20, 60)
	r.Actions[5] = 65535
	return r
}

func TestRepairDropsWhatRegenerateFinds(t *testing.T) {
	root, o := t.TempDir(), fakeOptions()
	o.Play = forged(7)
	makeIn(t, root, fakePlan(), 11, o)
	repairAndFinish(t, root)
}

// repairAndFinish repairs a dataset and makes what is missing. The result must be the
// dataset of the players.
func repairAndFinish(t *testing.T, root string) {
	t.Helper()
	verify := checking.VerifyOptions{Level: checking.VerifyRegenerate, Rows: fakeRows, Play: fakePlay}
	must.Get(checking.Repair(context.Background(), root, checking.RepairOptions{Verify: verify}))(t)
	if left, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(journal.Folder), "*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	makeIn(t, root, fakePlan(), 11, fakeOptions())
	honest := made(t, fakePlan(), 11)
	sameTree(t, tree(t, root), tree(t, honest))
}

// TestJournalOfAnotherSeedIsNotTakenOver: a run plays the games itself, although the first
// line of the journal names its plan.
func TestJournalOfAnotherSeedIsNotTakenOver(t *testing.T) {
	root, other, o := t.TempDir(), t.TempDir(), fakeOptions()
	plan := fakePlan()
	plan.Seed++
	o.OpenShards, o.Play = 1, interruptedAfter(2, forged(1))
	must.Fail(Make(context.Background(), other, plan, 11, o))(t, fault.ErrIncomplete, "")
	o.Play = playNothing
	must.Fail(Make(context.Background(), root, fakePlan(), 11, o))(t, fault.ErrIncomplete, "")
	for name, data := range tree(t, other) {
		if strings.HasPrefix(name, journal.Folder+"/00000.") {
			data = strings.Replace(data, hashOf(t, other), hashOf(t, root), 1)
			write(t, root, name, data)
		}
	}
	o.Play = fakePlay
	o.Notify = func(e status.Event) {
		if e.Kind == status.EventRecovered {
			t.Errorf("%d games are taken over", e.Games)
		}
	}
	makeIn(t, root, fakePlan(), 11, o)
	if r := regenerate(t, root, engine.One); !r.OK() || r.Regenerated != 11 {
		t.Errorf("%+v", r)
	}
}

func hashOf(t *testing.T, root string) string {
	t.Helper()
	ds := must.Get(datasets.Open(root))(t)
	return ds.PlanHash()
}

// TestRegenerateReportsAPlayerThatFails: that is no damage of the dataset.
func TestRegenerateReportsAPlayerThatFails(t *testing.T) {
	root := made(t, fakePlan(), 11)
	fails := func(context.Context, []uint64, engine.Journal, func(*engine.Record) error) error {
		return os.ErrDeadlineExceeded
	}
	_, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyRegenerate, Rows: fakeRows, Play: fails})
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%v, want the error of the player", err)
	}
}
