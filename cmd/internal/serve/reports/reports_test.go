package reports

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets"
	"selfplay/engine"
)

// find returns datasets of a folder.
func find(t *testing.T, dir string, names ...string) (list []*catalog.Dataset) {
	t.Helper()
	c, err := catalog.Open([]string{dir}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		d, err := c.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// wait returns the report when it is made.
func wait(t *testing.T, r *Reports, list ...*catalog.Dataset) State {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		s, err := r.Of(list...)
		if err != nil {
			t.Fatal(err)
		}
		if s.Made || s.Err != nil {
			return s
		}
		if s.Done < 0 || s.Done > 1 || time.Since(begin) > time.Minute {
			t.Fatalf("%+v", s)
		}
	}
}

// TestReportsOfOneAndOfTwoDatasets.
func TestReportsOfOneAndOfTwoDatasets(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "a", servetest.Dataset{Game: "chess"})
	servetest.Make(t, dir, "b", servetest.Dataset{Game: "chess", Player: "greedy"})
	servetest.Make(t, dir, "c", servetest.Dataset{Game: "contrast"})
	list, r := find(t, dir, "a", "b", "c"), new(Reports)
	if s := wait(t, r, list[0]); s.Games != 12 || s.Of != 12 || !strings.Contains(string(s.HTML), `id="checks"`) {
		t.Errorf("%d of %d games, %v", s.Games, s.Of, s.Err)
	}
	if s := wait(t, r, list[0], list[1]); s.Games != 24 || !strings.Contains(string(s.HTML), `class="letter B"`) {
		t.Errorf("%d games, %v", s.Games, s.Err)
	}
	if s := wait(t, r, list[0], list[2]); s.Err == nil || s.Made {
		t.Error("datasets of two games were compared")
	}
}

// TestFewReportsAreKept: those that were used last.
func TestFewReportsAreKept(t *testing.T) {
	var r Reports
	for i := range 3 * kept {
		r.find(string(rune('a' + i)))
		r.find("a")
	}
	if len(r.known) != kept || len(r.order) != kept || r.known["a"] == nil {
		t.Errorf("%d reports, order %q", len(r.known), r.order)
	}
}

// TestSamplesAreBounded and evenly spread, and have a shard at least.
func TestSamplesAreBounded(t *testing.T) {
	var commits []*datasets.Commit
	for shard := range 1000 {
		commits = append(commits, &datasets.Commit{Shard: shard, Games: 100, Results: []datasets.ResultCount{{Result: uint8(engine.Draw), Games: 100}}})
	}
	chosen := sample(commits)
	if len(chosen) != 50 || chosen[1].Shard != 20 {
		t.Errorf("%d shards, the second is %d", len(chosen), chosen[1].Shard)
	}
	if chosen := sample(commits[:1]); len(chosen) != 1 {
		t.Errorf("%d shards of one", len(chosen))
	}
	if chosen := sample(nil); chosen != nil {
		t.Errorf("%d shards of none", len(chosen))
	}
}
