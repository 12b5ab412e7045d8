package catalog

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/internal/must"
)

// placePlan writes a file that looks like a plan.
func placePlan(t *testing.T, dir string) {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "plan.json"), []byte("{}"), 0o644))
}

func openCatalog(t *testing.T, dirs ...string) *Catalog {
	t.Helper()
	c := must.Get(Open(encode.Games(), dirs, slog.New(slog.NewTextHandler(io.Discard, nil))))(t)
	return c
}

func namesOf(c *Catalog) (names []string) {
	for _, d := range c.List() {
		names = append(names, d.Name)
	}
	return names
}

func TestNamesArePathsBelowTheDirectory(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"demo", "night/chess", "night/a b:c@d", "demo/inner", ".hidden", "1/2/3/4", "1/2/3/4x/5"} {
		placePlan(t, filepath.Join(dir, filepath.FromSlash(name)))
	}
	want := []string{"1~2~3~4", "demo", "night~a_b_c_d", "night~chess"}
	if got := namesOf(openCatalog(t, dir)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := namesOf(openCatalog(t, filepath.Join(dir, "demo"))); !slices.Equal(got, []string{"demo"}) {
		t.Errorf("the dataset itself: %q", got)
	}
	other := t.TempDir()
	placePlan(t, filepath.Join(other, "demo"))
	if got := namesOf(openCatalog(t, filepath.Join(dir, "demo"), other, dir)); !slices.Equal(got, []string{"1~2~3~4", "demo", "demo~2", "night~a_b_c_d", "night~chess"}) {
		t.Errorf("two of a name: %q", got)
	}
}

// TestDatasetsComeAndGo: a name stays that of its dataset, and another plan is another dataset.
func TestDatasetsComeAndGo(t *testing.T) {
	dir := t.TempDir()
	c := openCatalog(t, dir)
	if _, err := c.Find("demo"); Status(err) != 404 {
		t.Errorf("%v, want 404", err)
	}
	placePlan(t, filepath.Join(dir, "demo"))
	c.took = 0
	time.Sleep(rescanMiss) // then a new dataset is found at once
	first := must.Get(c.Find("demo"))(t)
	c.scanned = time.Time{}
	if again := c.List(); len(again) != 1 || again[0] != first {
		t.Errorf("%v, want the same dataset", again)
	}
	os.WriteFile(filepath.Join(dir, "demo", "plan.json"), []byte("{ }"), 0o644)
	c.scanned = time.Time{}
	if again := c.List(); len(again) != 1 || again[0] == first || again[0].Name != "demo" {
		t.Errorf("%v, want another dataset", again)
	}
	os.RemoveAll(filepath.Join(dir, "demo"))
	c.scanned = time.Time{}
	if left := c.List(); len(left) != 0 {
		t.Errorf("%v are left", left)
	}
}

// TestFindNoticesAnotherDataset in the place of the one that it has found, without a list.
func TestFindNoticesAnotherDataset(t *testing.T) {
	dir := t.TempDir()
	placePlan(t, filepath.Join(dir, "demo"))
	c := openCatalog(t, dir)
	first, err := c.Find("demo")
	if err != nil || !c.has(first) {
		t.Fatal(err)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "demo", "plan.json"), []byte("{ }"), 0o644))
	second, err := c.Find("demo")
	if err != nil || second == first || second.Name != "demo" || c.has(first) || !c.has(second) {
		t.Errorf("%v, %v, want another dataset", second, err)
	}
	if again, err := c.Find("demo"); again != second {
		t.Errorf("%v, %v, want the same one", again, err)
	}
	must.Do(t, os.RemoveAll(filepath.Join(dir, "demo")))
	if d, err := c.Find("demo"); Status(err) != 404 {
		t.Errorf("%v, %v, want 404", d, err)
	}
}

// TestNamesStay: a dataset that comes later gets another one, also if it would be listed first.
func TestNamesStay(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	placePlan(t, filepath.Join(two, "demo"))
	c := openCatalog(t, one, two)
	first := must.Get(c.Find("demo"))(t)
	var reading sync.WaitGroup
	reading.Go(func() { // a request under way
		if first.Name != "demo" {
			t.Errorf("%s, want demo", first.Name)
		}
	})
	placePlan(t, filepath.Join(one, "demo"))
	c.scanned = time.Time{}
	if got := namesOf(c); !slices.Equal(got, []string{"demo", "demo~2"}) {
		t.Errorf("%q", got)
	}
	reading.Wait()
	if again, err := c.Find("demo"); again != first || again.Name != "demo" {
		t.Errorf("%v, %v, want the first", again, err)
	}
	must.Do(t, os.RemoveAll(filepath.Join(two, "demo")))
	placePlan(t, filepath.Join(two, "sub", "demo")) // another dataset
	c.scanned = time.Time{}
	if got := namesOf(c); !slices.Equal(got, []string{"demo~2", "sub~demo"}) {
		t.Errorf("%q after the first is gone", got)
	}
	placePlan(t, filepath.Join(two, "demo"))
	c.scanned = time.Time{}
	if back, err := c.Find("demo"); err != nil || back.Dir != first.Dir {
		t.Errorf("%v, %v, want the first place", back, err)
	}
}

// TestNamesOfRemovedDatasetsAreNotGivenAgain: a client that asks for one must not get another dataset.
func TestNamesOfRemovedDatasetsAreNotGivenAgain(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	placePlan(t, filepath.Join(one, "demo"))
	c := openCatalog(t, one, two)
	must.Do(t, os.RemoveAll(filepath.Join(one, "demo")))
	placePlan(t, filepath.Join(two, "demo"))
	c.scanned = time.Time{}
	if got := namesOf(c); !slices.Equal(got, []string{"demo~2"}) {
		t.Errorf("%q", got)
	}
}

func TestDirectoriesThatDoNotExistAreRefused(t *testing.T) {
	if _, err := Open(encode.Games(), []string{filepath.Join(t.TempDir(), "none")}, nil); err == nil {
		t.Error("no error")
	}
}

// unfinished makes a dataset whose last shard is short, and has the catalog read its records.
func unfinished(t *testing.T) (d *Dataset, last *record.Commit, extend func()) {
	t.Helper()
	dir := t.TempDir()
	servetest.Make(t, dir, "demo", servetest.Dataset{Games: 6})
	d = must.Get(openCatalog(t, dir).Find("demo"))(t)
	commits, err := d.Commits()
	if err != nil || len(commits) != 2 || commits[1].Games != 2 {
		t.Fatalf("%d shards, %v", len(commits), err)
	}
	return d, commits[1], func() { servetest.Make(t, dir, "demo", servetest.Dataset{Games: 8}) }
}

// read reads the positions of a shard.
func read(t *testing.T, d *Dataset, c *record.Commit) (string, error) {
	t.Helper()
	f, err := d.OpenFile(t.Context(), c.Files[plan.PositionsFile].Name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return string(data), err
}

// TestShardsThatGrowAreNotDamaged: the files have other names than those of the record that is known.
func TestShardsThatGrowAreNotDamaged(t *testing.T) {
	d, last, extend := unfinished(t)
	must.Get(read(t, d, last))(t)
	extend()
	if _, err := read(t, d, last); Status(err) != 404 || !strings.Contains(Message(err), "its shard was extended") {
		t.Errorf("%d %v", Status(err), err)
	}
	ds := must.Get(d.Data())(t)
	n := 0
	now, err := d.ReadShard(last, func(c *record.Commit) error {
		n = 0
		for _, err := range ds.Games(c.Parts()...) {
			if err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if err != nil || now.Games != 4 || n != 4 {
		t.Errorf("%d games of the record %+v, %v", n, now, err)
	}
}

// TestShardsThatAreReplacedMustBeWaitedFor: the record is gone, and then the file, too.
func TestShardsThatAreReplacedMustBeWaitedFor(t *testing.T) {
	d, last, _ := unfinished(t)
	file := filepath.Join(d.Dir, last.Files[plan.PositionsFile].Name)
	records, err := filepath.Glob(filepath.Join(d.Dir, ".selfplay", "commits", "*00001*"))
	if err != nil || len(records) != 1 {
		t.Fatalf("%q, %v", records, err)
	}
	must.Do(t, errors.Join(os.Remove(records[0]), os.Remove(file)))
	if _, err := d.ReadShard(last, func(c *record.Commit) error { _, err := os.Stat(file); return err }); Status(err) != 503 ||
		!strings.Contains(Message(err), "is being extended: try again") {
		t.Errorf("%d %v", Status(err), err)
	}
}

// TestDamagedShards have other data than their record says, or none, and the record stays.
func TestDamagedShards(t *testing.T) {
	d, last, _ := unfinished(t)
	file := filepath.Join(d.Dir, last.Files[plan.PositionsFile].Name)
	for _, damage := range []func() error{
		func() error { return os.WriteFile(file, []byte("PAR1"), 0o644) },
		func() error { return os.Remove(file) },
	} {
		must.Do(t, damage())
		if _, err := read(t, d, last); !errors.Is(err, datasets.ErrCorrupt) || Status(err) != 500 || !strings.Contains(Message(err), "export verify") {
			t.Errorf("%d %v", Status(err), err)
		}
	}
}

// TestFewRequestsWaitForAStore: more are sent away, and disks have no such limit.
func TestFewRequestsWaitForAStore(t *testing.T) {
	for dir, want := range map[string]int{"s3://bucket/demo": maxReads, t.TempDir(): 2 * maxReads} {
		d, admitted := &Dataset{Name: "demo", Dir: dir}, 0
		var ask func(*record.Commit) error
		ask = func(c *record.Commit) error {
			if admitted++; admitted == 2*maxReads {
				return nil
			}
			_, err := d.ReadShard(c, ask)
			return err
		}
		_, err := d.ReadShard(new(record.Commit), ask)
		if refused := Status(err) == 503; admitted != want || refused != (want == maxReads) || d.reading.Load() != 0 {
			t.Errorf("%s: %d requests, %v, %d left", dir, admitted, err, d.reading.Load())
		}
	}
}
