package games

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets/disk"
	"selfplay/internal/must"
)

// TestIndexesAreSavedAtTheEnd, also those whose update saved nothing because little was new.
func TestIndexesAreSavedAtTheEnd(t *testing.T) {
	g, d := newGames(t)
	must.Get(g.Index(d))(t)
	g.Close()
	again := New(g.catalog, g.cache, g.log)
	x, _, err := again.find(d)
	must.Do(t, err)
	if s := x.index.Status(); s.Games != 24 {
		t.Errorf("%d games in the saved index, want 24", s.Games)
	}
	again.Close()
}

// TestAnIndexThatCannotBeSavedIsLoggedOnce: not for each request, and not again at the end.
func TestAnIndexThatCannotBeSavedIsLoggedOnce(t *testing.T) {
	g, d := newGames(t)
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	var text strings.Builder
	g.cache, g.log = filepath.Join(file, "cache"), slog.New(slog.NewTextHandler(&text, nil))
	for range 2 {
		x, done, err := g.find(d)
		must.Do(t, err)
		<-done
		g.mu.Lock()
		x.updated = time.Time{} // the next request updates it again
		g.mu.Unlock()
	}
	atOnce := strings.Count(text.String(), "save index")
	g.Close()
	if all := strings.Count(text.String(), "save index"); atOnce != 1 || all != 1 {
		t.Errorf("%d lines, %d with those of the end, want 1:\n%s", atOnce, all, text.String())
	}
}

// indexAndReplace opens the index of a dataset, and then puts another dataset in its place.
func indexAndReplace(t *testing.T, g *Games, d *catalog.Dataset) {
	t.Helper()
	must.Get(g.Index(d))(t)
	must.Do(t, os.RemoveAll(d.Dir))
	servetest.Make(t, filepath.Dir(d.Dir), filepath.Base(d.Dir), servetest.Dataset{Game: "chess"})
}

// TestReplacedDatasetIsIndexedAnew: another dataset has the name of the one before.
func TestReplacedDatasetIsIndexedAnew(t *testing.T) {
	g, d := newGames(t)
	defer g.Close()
	indexAndReplace(t, g, d)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		x, err := g.Index(d)
		if err == nil && x.Status().Games == 12 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("index %+v, %v", x.Status(), err)
		}
	}
}

// TestIndexesOfReplacedDatasetsAreForgotten.
func TestIndexesOfReplacedDatasetsAreForgotten(t *testing.T) {
	g, d := newGames(t)
	defer g.Close()
	indexAndReplace(t, g, d)
	other, err := g.catalog.Find(d.Name)
	if err != nil || other == d {
		t.Fatalf("%v, %v, want another dataset", other, err)
	}
	must.Get(g.Index(other))(t)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.open) != 1 || g.open[other] == nil {
		t.Errorf("%d indexes are open", len(g.open))
	}
}

// TestIndexesAreLoadedApart: one that is slow to load holds up no other.
func TestIndexesAreLoadedApart(t *testing.T) {
	g, d := newGames(t)
	defer g.Close()
	slow, loading := make(chan struct{}), make(chan struct{})
	disk.Register("slow", func(string) (disk.Dir, error) {
		close(loading)
		<-slow
		return disk.Dir{}, errors.New("slow")
	})
	var asking sync.WaitGroup
	asking.Go(func() { _, _ = g.Index(&catalog.Dataset{Name: "slow", Dir: "slow://bucket/slow"}) })
	<-loading
	if x, err := g.Index(d); err != nil || x == nil {
		t.Errorf("%v, %v", x, err)
	}
	close(slow)
	asking.Wait()
}
