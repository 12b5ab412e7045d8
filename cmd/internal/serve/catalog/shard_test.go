package catalog

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

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
	if _, err := read(t, d, last); web.Status(err) != 404 || !strings.Contains(web.Message(err), "its shard was extended") {
		t.Errorf("%d %v", web.Status(err), err)
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
	if _, err := d.ReadShard(last, func(c *record.Commit) error { _, err := os.Stat(file); return err }); web.Status(err) != 503 ||
		!strings.Contains(web.Message(err), "is being extended: try again") {
		t.Errorf("%d %v", web.Status(err), err)
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
		if _, err := read(t, d, last); !errors.Is(err, datasets.ErrCorrupt) || web.Status(err) != 500 || !strings.Contains(web.Message(err), "export verify") {
			t.Errorf("%d %v", web.Status(err), err)
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
		if refused := web.Status(err) == 503; admitted != want || refused != (want == maxReads) || d.reading.Load() != 0 {
			t.Errorf("%s: %d requests, %v, %d left", dir, admitted, err, d.reading.Load())
		}
	}
}
