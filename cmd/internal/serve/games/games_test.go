package games

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"testing"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/cmd/internal/serve/web"
	"selfplay/encode"
	"selfplay/internal/must"
)

// newGames returns the games of a dataset of chess.
func newGames(t *testing.T) (*Games, *catalog.Dataset) {
	t.Helper()
	dir := t.TempDir()
	servetest.Make(t, dir, "demo", servetest.Dataset{Game: "chess", Player: "greedy", Games: 24})
	c := must.Get(catalog.Open(servetest.Known.Games, []string{dir}, slog.New(slog.DiscardHandler)))(t)
	d := must.Get(c.Find("demo"))(t)
	return New(c, t.TempDir(), slog.New(slog.DiscardHandler)), d
}

// parse returns the query of a URL.
func parse(t *testing.T, query string) (Query, error) {
	t.Helper()
	g := encode.Chess()
	p := web.ParamsOf(httptest.NewRequest("GET", "/?"+query, nil))
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
		if _, err := g.List(t.Context(), d, &q, true); web.Status(err) != 400 {
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
		if _, _, err := g.Find(t.Context(), d, &q); web.Status(err) != 400 {
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
	if _, _, err := g.Record(d, 24); web.Status(err) != 404 {
		t.Errorf("%v", err)
	}
}
