package making

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// approximatePlan is a plan whose model gives other answers each time.
func approximatePlan() plan.Plan {
	p := fakePlan()
	sum := strings.Repeat("0", 64)
	p.Evaluators = []plan.Evaluator{{Name: "mine", Manifest: sum, Fingerprint: sum, Approximate: true}}
	return p
}

// reasons are those of games that come out differently each time.
var reasons = []engine.Reason{engine.Checkmate, engine.Stalemate, engine.CommanderCaptured, engine.PlyLimit}

// ending changes options: all games end for a reason, and the model has answered the fixed positions.
func ending(o Options, reason engine.Reason) Options {
	o.Answers = []record.Answers{{Evaluator: "mine"}}
	play := o.Play
	o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		change := func(f func(*engine.Record) error) func(*engine.Record) error {
			return func(r *engine.Record) error {
				r.Outcome.Reason = reason
				return f(r)
			}
		}
		if journal == nil {
			return play(ctx, games, nil, change(sink))
		}
		return play(ctx, games, enginetest.Finished(change(journal.Finish)), change(sink))
	}
	return o
}

// noProblems verifies a dataset.
func noProblems(t *testing.T, root string) {
	t.Helper()
	if got := problems(t, root, checking.VerifySums); got != "" {
		t.Error(got)
	}
}

// TestApproximateTasksAgreeOnAShard that all of them make at once, with other games each.
func TestApproximateTasksAgreeOnAShard(t *testing.T) {
	for i := range rounds(6) {
		root := t.TempDir()
		var turn atomic.Int64
		all := make(chan bool)
		var g errgroup.Group
		for _, reason := range reasons {
			o := ending(taskOptions(0, 1), reason)
			o.NoJournal = i%2 == 0
			play := o.Play
			o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
				if turn.Add(1) == int64(len(reasons)) {
					close(all)
				}
				<-all
				return play(ctx, games, journal, sink)
			}
			o.Notify = func(e status.Event) {
				if e.Kind == status.EventRecovered {
					t.Errorf("%d games that were played here count as recovered", e.Games)
				}
			}
			g.Go(func() error {
				_, err := Make(t.Context(), root, approximatePlan(), 3, o)
				return err
			})
		}
		must.Do(t, g.Wait())
		finalized(t, root)
		noProblems(t, root)
	}
}

// TestApproximateGamesOfAKilledRunStay: a run was killed after each of its files, before the commit record. The
// next one plays other games, and yet keeps what is there.
func TestApproximateGamesOfAKilledRunStay(t *testing.T) {
	p := approximatePlan()
	whole := t.TempDir()
	makeIn(t, whole, p, 3, ending(fakeOptions(), engine.Checkmate))
	want := tree(t, whole)
	published := []string{"games/train-00000.parquet", "games/validation-00000.parquet", "positions/train-00000.parquet", "positions/validation-00000.parquet"}
	for kept := range len(published) + 1 {
		root := t.TempDir()
		must.Do(t, os.CopyFS(root, os.DirFS(whole)))
		remove(t, root, published[kept:]...)
		remove(t, root, plan.CommitName(0), plan.ManifestName, plan.CardName, plan.CroissantName)
		makeIn(t, root, p, 3, ending(fakeOptions(), engine.Stalemate))
		noProblems(t, root)
		got := tree(t, root)
		for i, name := range published {
			if same, kept := got[name] == want[name], i%2 < kept; same != kept { // its split's games were kept
				t.Errorf("%s: same %v, games kept %v", name, same, kept)
			}
		}
	}
}

// TestApproximateDatasetIsRebuiltFromItsGames, without playing one.
func TestApproximateDatasetIsRebuiltFromItsGames(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, approximatePlan(), 8, fakeOptions())
	want := tree(t, root)
	must.Do(t, os.RemoveAll(filepath.Join(root, disk.Hidden)))
	o := fakeOptions()
	o.Rebuild, o.Play = true, playNothing
	makeIn(t, root, approximatePlan(), 8, o)
	sameTree(t, tree(t, root), want)
}

// TestJournalsOfApproximateRunsMayDiffer: any of their games will do. For other plans they are an error.
func TestJournalsOfApproximateRunsMayDiffer(t *testing.T) {
	for _, p := range []plan.Plan{approximatePlan(), fakePlan()} {
		root := t.TempDir()
		var turn atomic.Int64
		both := make(chan bool)
		var g errgroup.Group
		for _, reason := range reasons[:2] {
			o := ending(taskOptions(0, 1), reason)
			play := o.Play
			o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
				if turn.Add(1) == 2 {
					close(both)
				}
				<-both
				return errors.Join(play(ctx, games[:2], journal, sink), fault.ErrIncomplete)
			}
			g.Go(func() error {
				_, err := Make(t.Context(), root, p, 3, o)
				return err
			})
		}
		must.Fail(0, g.Wait())(t, fault.ErrIncomplete, "")
		_, err := Make(t.Context(), root, p, 3, fakeOptions())
		if approximate := p.Approximate(); approximate != (err == nil) || !approximate && !errors.Is(err, fault.ErrNondeterminism) {
			t.Errorf("approximate %v: %v", approximate, err)
		}
	}
}
