package making

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// torture makes tests exhaustive; they then run for hours. See make torture.
var torture = flag.Bool("torture", false, "try every failure in every way")

// rounds returns how often something is tried that comes out differently each time.
func rounds(few int) int {
	if *torture {
		return 20
	}
	return few
}

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
	{"stopped extension", 8, func(t *testing.T, root string, o Options) {
		makeIn(t, root, fakePlan(), 4, o)
		stopIn(t, root, 8, 0, o)
	}},
}

// TestEveryDiskErrorIsSurvived makes every single disk operation of a run fail, and kills
// the run or cuts the power at every operation. The disk must then hold a dataset without
// problems, and the next run must make the same bytes as an undisturbed one. Journals are
// written, synced, read and removed on the way.
func TestEveryDiskErrorIsSurvived(t *testing.T) {
	journalSync = 0 // sync after each game
	t.Cleanup(func() { journalSync = journal.SyncInterval })
	for _, b := range beginnings {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			root := lockableRoot(t)
			o, before := fakeOptions(), newMemoryDisk()
			o.Disk = before
			b.state(t, root, o)
			newSweep(t, before.cutPower(nil), root, b.games).run(t)
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
	counts uint64            // games that are committed before, and so after each failure
	want   map[string]string // the tree of an undisturbed run
	longer map[string]string // the same for longerBy more games

	// checked holds the states after a failure that were checked. What a later run does
	// depends on nothing else, so equal states are checked once.
	checked map[string]bool
}

// longerBy are games that make a short shard longer and add a short one.
const longerBy = 3

func newSweep(t *testing.T, before *memoryDisk, root string, games uint64) *sweep {
	whole := func(games uint64) map[string]string {
		root := t.TempDir()
		makeIn(t, root, fakePlan(), games, fakeOptions())
		return tree(t, root)
	}
	return &sweep{before: before, root: root, games: games, counts: committedOn(t, before, root), want: whole(games), longer: whole(games + longerBy), checked: map[string]bool{}}
}

// committedOn returns the number of committed games of a dataset on a disk, whose files have the recorded sizes.
func committedOn(t *testing.T, d *memoryDisk, root string) (games uint64) {
	t.Helper()
	dir := disk.Dir{Root: root, FS: d}
	if d.get(filepath.Join(root, plan.FileName)) == nil {
		return 0
	}
	file := readPlan(t, dir)
	for c, err := range record.Each(dir, file) {
		must.Do(t, err)
		must.Do(t, record.CheckSizes(dir, file.Plan, c.Fact()))
		games += c.Games
	}
	return games
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
	for _, c := range cuts {
		for round := range rounds(1) {
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

// check verifies the dataset on a disk after a failure, and completes it: with the games of the failed run, with more, and
// with those that it has.
func (s *sweep) check(t *testing.T, d *memoryDisk, failure string, operation int) {
	t.Helper()
	state := d.state(s.root)
	if s.checked[state] {
		return
	}
	s.checked[state] = true
	if n := committedOn(t, d, s.root); n < s.counts {
		t.Errorf("%s at operation %d: %d games count, and %d did before", failure, operation, n, s.counts)
	}
	if d.get(filepath.Join(s.root, plan.FileName)) != nil {
		if got := problemsOn(t, disk.Dir{Root: s.root, FS: d}, checking.VerifySums); got != "" {
			t.Errorf("%s at operation %d: problems of %q", failure, operation, got)
		}
	}
	next := func(d *memoryDisk, games uint64) {
		o := fakeOptions()
		o.Disk = d
		if _, err := Make(context.Background(), s.root, fakePlan(), games, o); err != nil {
			t.Fatalf("%s at operation %d: next run to %d games: %v", failure, operation, games, err)
		}
	}
	longer, shorter, asItStands := d.clone(), d.clone(), d.clone()
	next(d, s.games)
	sameTree(t, d.tree(s.root), s.want)
	next(longer, s.games+longerBy)
	sameTree(t, longer.tree(s.root), s.longer)
	next(shorter, 1)
	if got := problemsOn(t, disk.Dir{Root: s.root, FS: shorter}, checking.VerifySums); got != "" {
		t.Errorf("%s at operation %d: problems after a run to fewer games: %q", failure, operation, got)
	}
	s.finalize(t, disk.Dir{Root: s.root, FS: asItStands})
}

// finalize completes a dataset that has a committed shard, with the games that it has.
func (s *sweep) finalize(t *testing.T, d disk.Dir) {
	t.Helper()
	if shards := must.Get(record.ListShards(d, plan.CommitsFolder))(t); len(shards) == 0 {
		return
	}
	if _, err := finalize(d, readPlan(t, d), true); err != nil {
		t.Errorf("finalize as it stands: %v", err)
	}
	if got := problemsOn(t, d, checking.VerifySums); got != "" {
		t.Errorf("problems after finalize as it stands: %q", got)
	}
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

// TestDiskErrorOutranksAStop: a run that cannot write all that a stop leaves has failed.
func TestDiskErrorOutranksAStop(t *testing.T) {
	root := lockableRoot(t)
	for fail := 1; ; fail++ {
		ctx, cancel := context.WithCancel(t.Context())
		failing := &failingDisk{FS: newMemoryDisk(), fail: fail, dead: true}
		o := fakeOptions()
		o.Disk, o.OpenShards, o.Play = failing, 1, stopAfter(5, cancel)
		_, err := Make(ctx, root, fakePlan(), 9, o)
		if cancel(); failing.n < fail {
			must.Fail(err)(t, fault.ErrIncomplete, "")
			return
		}
		if errors.Is(err, errDisk) && errors.Is(err, fault.ErrIncomplete) {
			t.Fatalf("operation %d: %v, want the error of the disk alone", fail, err)
		}
	}
}
