package making

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/status"
	"selfplay/engine"
	"selfplay/internal/must"
)

// counted returns a Play that counts how often each game is finished.
func counted(play datasets.Play, mu *sync.Mutex, games map[uint64]int) datasets.Play {
	return observed(play, func(r *engine.Record) {
		mu.Lock()
		defer mu.Unlock()
		games[r.Game]++
	})
}

// TestJournaledGamesAreNotPlayedAgain: over any number of stopped runs, each game is played
// once.
func TestJournaledGamesAreNotPlayedAgain(t *testing.T) {
	whole, root := t.TempDir(), t.TempDir()
	plan := fakePlan()
	plan.ShardGames = 10
	makeIn(t, whole, plan, 35, fakeOptions())
	var mu sync.Mutex
	games := map[uint64]int{}
	var recovered uint64
	for {
		ctx, cancel := context.WithCancel(context.Background())
		o := fakeOptions()
		o.Play = counted(stopAfter(3, cancel), &mu, games)
		o.Notify = func(e status.Event) {
			if e.Kind == status.EventRecovered {
				recovered += e.Games
			}
		}
		_, err := Make(ctx, root, plan, 35, o)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, fault.ErrIncomplete) {
			t.Fatal(err)
		}
		if got := problems(t, root, checking.VerifySums); got != "" {
			t.Fatal(got)
		}
	}
	for game := range uint64(35) {
		if games[game] != 1 {
			t.Errorf("game %d was played %d times", game, games[game])
		}
	}
	if recovered == 0 {
		t.Error("no game was recovered")
	}
	sameTree(t, tree(t, root), tree(t, whole))
}

// TestStoppedPlayKeepsFinishedGames: a Play that returns ErrIncomplete does not cancel the
// others, and every finished game is journaled.
func TestStoppedPlayKeepsFinishedGames(t *testing.T) {
	plan := fakePlan()
	plan.ShardGames = 10
	root := t.TempDir()
	reason := errors.New("time is over")
	var mu sync.Mutex
	games := map[uint64]int{}
	stopping := make(chan bool)
	var begun sync.WaitGroup
	begun.Add(2)
	o := fakeOptions()
	o.OpenShards = 3
	o.Play = counted(func(ctx context.Context, list []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		if list[0] >= 30 {
			return errors.New("a shard began after the stop")
		}
		if list[0] == 0 {
			begun.Wait() // shards that have not begun when the first one stops never begin
			defer close(stopping)
		} else {
			begun.Done()
			<-stopping // the other shards play on after the first one has stopped
		}
		if err := fakePlay(ctx, list[:4], journal, sink); err != nil {
			return err
		}
		return fmt.Errorf("%w: %w", fault.ErrIncomplete, reason)
	}, &mu, games)
	s, err := Make(context.Background(), root, plan, 60, o)
	if !errors.Is(err, fault.ErrIncomplete) || !errors.Is(err, reason) || !strings.HasPrefix(err.Error(), "stopped before the target: time is over") {
		t.Fatal(err)
	}
	if s.Journaled != 12 || len(games) != 12 {
		t.Errorf("%+v, %d finished games", s, len(games))
	}
	o = fakeOptions()
	o.Play = playNothing
	o.Notify = func(e status.Event) {
		if e.Kind == status.EventResumed && (!maps.Equal(e.Journaled, map[int]uint64{0: 4, 1: 4, 2: 4}) || e.Share != 60) {
			t.Errorf("resumed: %+v", e)
		}
	}
	if s, err := Make(context.Background(), root, plan, 60, o); !errors.Is(err, fault.ErrIncomplete) || s.Journaled != 12 {
		t.Errorf("stopped at once: %v, %d journaled games", err, s.Journaled)
	}
	o = fakeOptions()
	o.Play = counted(fakePlay, &mu, games)
	makeIn(t, root, plan, 60, o)
	for game, n := range games {
		if n != 1 {
			t.Errorf("game %d was played %d times", game, n)
		}
	}
}

// TestJournalsOfCommittedShardsAreSwept; other journals and files stay.
func TestJournalsOfCommittedShardsAreSwept(t *testing.T) {
	root := made(t, fakePlan(), 3)
	want := tree(t, root)
	for _, name := range []string{"00000.0123.log", "00000.4567.log", "00007.89ab.log", "notes.txt"} {
		write(t, root, journal.Folder+"/"+name, "selfplay journal 1 of something")
	}
	makeIn(t, root, fakePlan(), 3, fakeOptions())
	got := tree(t, root)
	if got[journal.Folder+"/00007.89ab.log"] == "" || got[journal.Folder+"/notes.txt"] == "" {
		t.Error("a file of no committed shard was swept")
	}
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.Contains(name, "00007.") || strings.Contains(name, "notes") })
	sameTree(t, got, want)
}

func TestNoJournalWritesNoJournal(t *testing.T) {
	root := t.TempDir()
	o := fakeOptions()
	o.NoJournal = true
	ctx, cancel := context.WithCancel(context.Background())
	o.Play = stopAfter(1, cancel)
	if s, err := Make(ctx, root, fakePlan(), 9, o); !errors.Is(err, fault.ErrIncomplete) || s.Journaled != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	for name := range tree(t, root) {
		if strings.HasPrefix(name, journal.Folder) {
			t.Errorf("%s was written", name)
		}
	}
}

func TestSmallerTargetUsesAPartOfAJournal(t *testing.T) {
	plan := fakePlan()
	plan.ShardGames = 10
	root, whole := t.TempDir(), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	o := fakeOptions()
	o.Play = stopAfter(6, cancel)
	must.Fail(Make(ctx, root, plan, 10, o))(t, fault.ErrIncomplete, "")
	makeIn(t, root, plan, 4, fakeOptions())
	makeIn(t, whole, plan, 4, fakeOptions())
	sameTree(t, tree(t, root), tree(t, whole))
}
