package catalog

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/internal/must"
)

// newGames returns the games of a dataset of chess.
func newGames(t *testing.T) (*Games, *Dataset) {
	t.Helper()
	dir := t.TempDir()
	servetest.Make(t, dir, "demo", servetest.Dataset{Game: "chess", Player: "greedy", Games: 24})
	c := must.Get(Open(servetest.Known.Games, []string{dir}, slog.New(slog.DiscardHandler)))(t)
	d := must.Get(c.Find("demo"))(t)
	return NewGames(c, t.TempDir(), slog.New(slog.DiscardHandler)), d
}

// parse returns the query of a URL.
func parse(t *testing.T, query string) (Query, error) {
	t.Helper()
	g := encode.Chess()
	p := ParamsOf(httptest.NewRequest("GET", "/?"+query, nil))
	q := ParseQuery(p, &g)
	return q, p.Err()
}

// TestQueriesAreURLs: the parameters of a query give the same query.
func TestQueriesAreURLs(t *testing.T) {
	for _, text := range []string{
		"", "result=white", "result=none", "reason=checkmate", "plies=10-20", "plies=10-", "plies=0-20", "plies=7", "drop=5000-10000", "lead_first=600-&lead_second=0-300",
		"opening=e2e4%7Ce7e5", "split=train", "sort=-plies", "limit=200&offset=400", "position=hash%3A0123456789abcdef", "material=KRvK",
		"player=ab%3Adepth%3D2&player_first=x&player_second=y&games=1-2&shards=3-",
	} {
		q, err := parse(t, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		again, err := parse(t, q.Values().Encode())
		if err != nil || again.Values().Encode() != q.Values().Encode() || len(q.Values()) == 0 && text != "" {
			t.Errorf("%s: %v, %+v", text, err, q)
		}
	}
	for _, text := range []string{"result=red", "reason=x", "plies=x", "plies=1-x", "plies=20--", "sort=x", "limit=0", "limit=201", "offset=-1",
		"position=a&material=b", "unknown=1"} {
		if q, err := parse(t, text); err == nil {
			t.Errorf("%s: %+v", text, q)
		}
	}
}

// TestListsFollowTheQuery: filters, order and pages.
func TestListsFollowTheQuery(t *testing.T) {
	g, d := newGames(t)
	list := func(query string) *Page {
		q := must.Get(parse(t, query))(t)
		p, err := g.List(t.Context(), d, &q, true)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return p
	}
	all := list("sort=-plies")
	if all.Total != 24 || len(all.Games) != 24 || len(all.Histograms) != len(histogramColumns) || len(all.Continuations) == 0 {
		t.Fatalf("%+v", all)
	}
	for i := 1; i < len(all.Games); i++ {
		if all.Games[i].Plies > all.Games[i-1].Plies {
			t.Error("not sorted by plies")
		}
	}
	if p := list("limit=5&offset=20"); len(p.Games) != 4 || p.Games[0].Game != 20 {
		t.Errorf("%+v", p.Games)
	}
	moves := must.Get(all.Index.OpeningTexts(all.Games[0].Opening[:1]))(t)
	p := list("opening=" + moves[0])
	if p.Total == 0 || !slices.Equal(p.Games[0].Opening[:1], all.Games[0].Opening[:1]) {
		t.Errorf("%s: %+v", moves[0], p.Games)
	}
	leads := list("sort=-lead_second").Games[0].Leads
	for query, want := range map[string]bool{
		fmt.Sprintf("lead_second=%d-", leads[1]): true, fmt.Sprintf("lead_second=%d-", leads[1]+1): false,
		fmt.Sprintf("lead_first=%d&lead_second=%d", leads[0], leads[1]): true,
	} {
		if p := list(query); p.Total > 0 != want {
			t.Errorf("%s: %d games", query, p.Total)
		}
	}
	for _, query := range []string{"opening=e2e5", "opening=a%7Cb%7Cc%7Cd%7Ce%7Cf%7Cg"} {
		q, _ := parse(t, query)
		if _, err := g.List(t.Context(), d, &q, true); Status(err) != 400 {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestPositionsAreFound by text, by hash and by material.
func TestPositionsAreFound(t *testing.T) {
	g, d := newGames(t)
	chess := encode.Chess()
	q := Query{Position: chess.New("").String(), Limit: 200}
	_, found, err := g.Find(t.Context(), d, &q)
	if err != nil || len(found.Hits) != 24 || found.Next != "" {
		t.Errorf("%+v, %v", found, err)
	}
	q = Query{Material: "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", Limit: 3}
	if _, found, err = g.Find(t.Context(), d, &q); err != nil || len(found.Hits) != 3 || found.Next == "" {
		t.Errorf("%+v, %v", found, err)
	}
	for _, q := range []Query{{Position: "x", Limit: 1}, {Material: "x", Limit: 1}} {
		if _, _, err := g.Find(t.Context(), d, &q); Status(err) != 400 {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestRecordsOfGames that are committed.
func TestRecordsOfGames(t *testing.T) {
	g, d := newGames(t)
	r, c, err := g.Record(d, 17)
	if err != nil || r.Game != 17 || c.Shard != 4 {
		t.Errorf("%+v, %+v, %v", r, c, err)
	}
	if _, _, err := g.Record(d, 24); Status(err) != 404 {
		t.Errorf("%v", err)
	}
}

// TestIndexesAreSavedAtTheEnd, also those whose update saved nothing because little was new.
func TestIndexesAreSavedAtTheEnd(t *testing.T) {
	g, d := newGames(t)
	must.Get(g.Index(d))(t)
	g.Close()
	again := NewGames(g.catalog, g.cache, g.log)
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
func indexAndReplace(t *testing.T, g *Games, d *Dataset) {
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
	asking.Go(func() { _, _ = g.Index(&Dataset{Name: "slow", Dir: "slow://bucket/slow"}) })
	<-loading
	if x, err := g.Index(d); err != nil || x == nil {
		t.Errorf("%v, %v", x, err)
	}
	close(slow)
	asking.Wait()
}
