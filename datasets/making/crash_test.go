package making

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// torture makes tests exhaustive; they then run for hours. See make torture.
var torture = flag.Bool("torture", false, "try every failure in every way")

// cuts are the ways in which a process ends when all disk operations from one on fail.
// seed chooses what survives.
var cuts = []struct {
	name string
	cut  func(d *memoryDisk, seed int) *memoryDisk
}{
	{"kill", func(d *memoryDisk, _ int) *memoryDisk { return d.clone() }},
	{"power cut", func(d *memoryDisk, _ int) *memoryDisk { return d.cutPower(nil) }},
	{"power cut after which some unsynced data survives", func(d *memoryDisk, seed int) *memoryDisk {
		return d.cutPower(rand.New(rand.NewPCG(1, uint64(seed))))
	}},
}

// beginnings are the states of a dataset before the run that fails. games is the target of
// that run: three shards, the last one short.
var beginnings = []struct {
	name  string
	games uint64
	state func(t *testing.T, root string, o Options)
}{
	{"new dataset", 7, func(*testing.T, string, Options) {}},
	{"stopped run with journals", 8, func(t *testing.T, root string, o Options) {
		makeIn(t, root, fakePlan(), 4, o)
		stopIn(t, root, 8, 2, o)
	}},
	{"dataset with a short shard", 8, func(t *testing.T, root string, o Options) { makeIn(t, root, fakePlan(), 4, o) }},
}

// TestEveryDiskErrorIsSurvived makes every single disk operation of a run fail, and kills
// the run or cuts the power at every operation. The disk must then hold a dataset without
// problems, and the next run must make the same bytes as an undisturbed one. Journals are
// written, synced, read and removed on the way.
func TestEveryDiskErrorIsSurvived(t *testing.T) {
	journalSync = 0 // sync after each game
	t.Cleanup(func() { journalSync = journal.SyncInterval })
	gcPercent := debug.SetGCPercent(800) // thousands of small runs leave much garbage
	t.Cleanup(func() { debug.SetGCPercent(gcPercent) })
	for _, b := range beginnings {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			whole := t.TempDir()
			makeIn(t, whole, fakePlan(), b.games, fakeOptions())
			root := lockableRoot(t)
			o, before := fakeOptions(), newMemoryDisk()
			o.Disk = before
			b.state(t, root, o)
			newSweep(before.cutPower(nil), root, b.games, tree(t, whole)).run(t)
		})
	}
}

// lockableRoot returns a path for a dataset on a memory disk. Locks and leases are files
// of the machine's disk, so their folders exist there.
func lockableRoot(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "dataset")
	must.Do(t, os.MkdirAll(filepath.Join(root, disk.TempFolder), 0o755))
	return root
}

// sweep runs Make again and again from one state of the disk, with a failure at another
// operation each time.
type sweep struct {
	before *memoryDisk
	root   string
	games  uint64
	want   map[string]string // the tree of an undisturbed run

	// checked holds the states after a failure that were checked. What a later run does
	// depends on nothing else, so equal states are checked once.
	checked map[string]bool
}

func newSweep(before *memoryDisk, root string, games uint64, want map[string]string) *sweep {
	return &sweep{before: before, root: root, games: games, want: want, checked: map[string]bool{}}
}

// run tries a failure at every operation.
func (s *sweep) run(t *testing.T) {
	t.Helper()
	fail := 1
	for ; s.failAt(t, fail); fail += stride {
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d operations, %d states after a failure", fail-1, len(s.checked))
}

// failAt tries the failures at one operation. It returns false if the run has fewer
// operations.
func (s *sweep) failAt(t *testing.T, fail int) bool {
	t.Helper()
	d := s.before.clone()
	if !s.failingRun(t, d, fail, false) {
		return false
	}
	s.check(t, d, "one error", fail)
	d = s.before.clone()
	s.failingRun(t, d, fail, true)
	rounds := 1
	if *torture {
		rounds = 20
	}
	for _, c := range cuts {
		for round := range rounds {
			s.check(t, c.cut(d, 1000*round+fail), c.name, fail)
		}
	}
	return true
}

// failingRun runs Make on a disk that fails. It returns false if the run ended before the
// failure.
func (s *sweep) failingRun(t *testing.T, d *memoryDisk, fail int, dead bool) bool {
	t.Helper()
	failing := &failingDisk{FS: d, fail: fail, dead: dead}
	o := fakeOptions()
	o.Disk, o.OpenShards = failing, 1
	_, err := Make(context.Background(), s.root, fakePlan(), s.games, o)
	if err != nil && (failing.n < fail || !errors.Is(err, errDisk)) {
		t.Fatalf("operation %d: %v", fail, err)
	}
	return failing.n >= fail
}

// check verifies the dataset on a disk after a failure, and completes it.
func (s *sweep) check(t *testing.T, d *memoryDisk, failure string, operation int) {
	t.Helper()
	state := d.state(s.root)
	if s.checked[state] {
		return
	}
	s.checked[state] = true
	if d.get(filepath.Join(s.root, plan.FileName)) != nil {
		if got := problemsOn(t, disk.Dir{Root: s.root, FS: d}, checking.VerifySums); got != "" {
			t.Errorf("%s at operation %d: problems of %q", failure, operation, got)
		}
	}
	o := fakeOptions()
	o.Disk = d
	if _, err := Make(context.Background(), s.root, fakePlan(), s.games, o); err != nil {
		t.Fatalf("%s at operation %d: next run: %v", failure, operation, err)
	}
	sameTree(t, d.tree(s.root), s.want)
}

// TestCheckFindsBytesThatTheDiskChanged: a shard with a flipped bit is not committed.
func TestCheckFindsBytesThatTheDiskChanged(t *testing.T) {
	for _, f := range formats {
		whole := made(t, f.plan(), 3)
		size := len(tree(t, whole)["positions/train-00000."+f.format])
		root := t.TempDir()
		for flip := 1; flip < size; flip += size / 31 {
			o := fakeOptions()
			o.Disk = &failingDisk{FS: unsynced{}, flip: flip}
			if _, err := Make(context.Background(), root, f.plan(), 3, o); !errors.Is(err, fault.ErrCorrupt) {
				t.Fatalf("%s: byte %d of %d: %v, want ErrCorrupt", f.name, flip, size, err)
			}
		}
		makeIn(t, root, f.plan(), 3, fakeOptions())
		sameTree(t, tree(t, root), tree(t, whole))
	}
}
