package catalog

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// find returns datasets of a folder.
func find(t *testing.T, dir string, names ...string) (list []*Dataset) {
	t.Helper()
	c := must.Get(Open(servetest.Known.Games, []string{dir}, slog.New(slog.DiscardHandler)))(t)
	for _, name := range names {
		d := must.Get(c.Find(name))(t)
		list = append(list, d)
	}
	return list
}

// wait returns the report when it is made.
func wait(t *testing.T, r *Reports, list ...*Dataset) Report {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		s := must.Get(r.Of(list...))(t)
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

// TestFewReportsAreKept: those that were used last, and those that are being made.
func TestFewReportsAreKept(t *testing.T) {
	var r Reports
	keys := make([]reportKey, 3*keptReports)
	for i := range keys {
		keys[i][0] = new(Dataset)
	}
	r.find(keys[1]).busy = true
	for _, k := range keys {
		r.find(k)
		r.find(keys[0])
	}
	if len(r.known) != keptReports || len(r.order) != keptReports || r.known[keys[0]] == nil || r.known[keys[1]] == nil {
		t.Errorf("%d reports, order of %d, the one in use %v, the one that is made %v", len(r.known), len(r.order), r.known[keys[0]], r.known[keys[1]])
	}
}

// TestFewReportsWait: who asks for one more is told so, and that work is not begun.
func TestFewReportsWait(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 4 {
		names = append(names, fmt.Sprint(i))
		servetest.Make(t, dir, names[i], servetest.Dataset{Game: "chess", Games: 1})
	}
	list, r := find(t, dir, names...), new(Reports)
	r.find(reportKey{})
	r.working <- struct{}{} // as a report that takes long
	making, busy := 0, 0
	for range 3 {
		making, busy = 0, 0
		for _, a := range list {
			for _, b := range list {
				if s, err := r.Of(a, b); err != nil {
					t.Fatal(err)
				} else if s.Busy {
					busy++
				} else {
					making++
				}
			}
		}
	}
	if making != maxMaking || busy != 16-maxMaking || r.making != maxMaking {
		t.Errorf("%d reports wait, %d are busy", making, busy)
	}
	<-r.working
	wait(t, r, list[3], list[3])
}

// TestReportsFollowTheirDatasets: another dataset of the name, and other shards in equal number.
func TestReportsFollowTheirDatasets(t *testing.T) {
	dir := t.TempDir()
	root := servetest.Make(t, dir, "a", servetest.Dataset{Game: "chess", Games: 6})
	list, r := find(t, dir, "a"), new(Reports)
	if s := wait(t, r, list...); s.Games != 6 {
		t.Errorf("%d games, want 6", s.Games)
	}
	servetest.Make(t, dir, "a", servetest.Dataset{Game: "chess", Games: 8})
	before := r.known[reportKey{list[0]}]
	age(r)
	waitFor(t, func() bool {
		commits, err := list[0].Commits()
		return err == nil && len(commits) == 2 && commits[1].Games == 4
	})
	waitFor(t, func() bool { s, err := r.Of(list...); return err == nil && s.Games == 8 })
	if r.known[reportKey{list[0]}] != before {
		t.Error("the report has another key")
	}
	must.Do(t, os.RemoveAll(root))
	servetest.Make(t, dir, "a", servetest.Dataset{Game: "chess", Games: 5})
	if s := wait(t, r, find(t, dir, "a")...); s.Games != 5 {
		t.Errorf("%d games of another dataset, want 5", s.Games)
	}
}

// TestFailuresAreLoggedAndTriedAgain.
func TestFailuresAreLoggedAndTriedAgain(t *testing.T) {
	dir := t.TempDir()
	root := servetest.Make(t, dir, "a", servetest.Dataset{Game: "chess"})
	files, err := filepath.Glob(filepath.Join(root, "games", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	aside := filepath.Join(t.TempDir(), "aside")
	must.Do(t, os.Rename(files[0], aside))
	var log bytes.Buffer
	list, r := find(t, dir, "a"), &Reports{Log: slog.New(slog.NewTextHandler(&log, nil))}
	if s := wait(t, r, list...); s.Err == nil || !strings.Contains(log.String(), "make report") {
		t.Errorf("error %v, log %q", s.Err, log.String())
	}
	must.Do(t, os.Rename(aside, files[0]))
	if s, err := r.Of(list...); err != nil || s.Err == nil {
		t.Errorf("tried again at once: %v, %v", err, s.Err)
	}
	age(r)
	waitFor(t, func() bool { s, err := r.Of(list...); return err == nil && s.Made && s.Err == nil })
}

// age makes all reports old enough to be made again.
func age(r *Reports) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.known {
		s.at = s.at.Add(-2 * renewReport)
	}
}

// waitFor waits for an event.
func waitFor(t *testing.T, happened func() bool) {
	t.Helper()
	for begin := time.Now(); !happened(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatal("it does not happen")
		}
	}
}

// TestReportsCompareAllRows of a small dataset.
func TestReportsCompareAllRows(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "a", servetest.Dataset{Game: "contrast"})
	s := wait(t, new(Reports), find(t, dir, "a")...)
	for _, text := range []string{" validation rows, all compared", " rows, all compared"} {
		if !strings.Contains(string(s.HTML), text) {
			t.Errorf("the page lacks %q: %v", text, s.Err)
		}
	}
}

// TestSamplesAreBounded and evenly spread, and have a part of every split at least.
func TestSamplesAreBounded(t *testing.T) {
	var parts []*record.Part
	for shard := range 1000 {
		parts = append(parts, &record.Part{Part: plan.Part{Games: 100}, Shard: shard})
	}
	chosen := sampleParts(parts, 0)
	if len(chosen) != 50 || chosen[1].Shard != 20 {
		t.Errorf("%d shards, the second is %d", len(chosen), chosen[1].Shard)
	}
	for _, c := range parts {
		c.Split = plan.Train
		if c.Shard%10 == 9 { // never one of every twentieth shards
			c.Split = plan.Validation
		}
	}
	splits := map[string]int{}
	for _, c := range sampleParts(parts, 0) {
		splits[c.Split]++
	}
	if splits[plan.Train] != 45 || splits[plan.Validation] != 5 {
		t.Errorf("parts of a sample by split: %v", splits)
	}
	if chosen := sampleParts(parts[:1], 0); len(chosen) != 1 {
		t.Errorf("%d shards of one", len(chosen))
	}
	if chosen := sampleParts(nil, 0); chosen != nil {
		t.Errorf("%d shards of none", len(chosen))
	}
}
