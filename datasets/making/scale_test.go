package making

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// oneByteDataset makes a dataset of n shards with the bookkeeping of a real one. The data
// files hold one byte each, which verify accepts unless it decodes them.
func oneByteDataset(t testing.TB, n int) (root string) {
	t.Helper()
	root = t.TempDir()
	p := fakePlan()
	p.ShardGames = 1
	file := must.Get(plan.New(p, fakeDescription(), plan.About{}))(t)
	for _, folder := range []string{plan.CommitsFolder, plan.Positions, plan.Games} {
		must.Do(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	total, entries := record.NewSet(p), make([]record.Entry, n)
	for s := range entries {
		c := oneByteShard(t, root, file, s)
		total.Add(c, false)
		entries[s] = c.Entry()
	}
	write(t, root, plan.FileName, string(file.Encode()))
	write(t, root, plan.TargetName, string(record.EncodeTarget(uint64(n))))
	for _, f := range record.DerivedFiles(total.All.NewManifest(file, entries), file) {
		write(t, root, f.Name, written(f.Write))
	}
	return root
}

// oneByteShard writes a shard and returns its record.
func oneByteShard(t testing.TB, root string, file *plan.File, s int) *record.Commit {
	t.Helper()
	c := &record.Commit{Format: plan.FormatVersion, Plan: file.Hash, Shard: s, FirstGame: uint64(s), Games: 1, Rows: 1,
		Results: []record.ResultCount{{Result: 1, Reason: 1, Games: 1}}}
	sum := record.SumDocument("", []byte("x")).SHA256
	for _, name := range file.Plan.DataNames(s, 1) {
		c.Files = append(c.Files, record.FileEntry{Name: name, Bytes: 1, SHA256: sum, Rows: 1, RowDigest: sum[:32]})
		write(t, root, name, "x")
	}
	write(t, root, plan.CommitName(s), string(c.Encode()))
	return c
}

// liveHeap is the disk of the machine. From time to time it measures the memory in use.
type liveHeap struct {
	disk.OS
	every int // operations

	mu         sync.Mutex
	operations int
	most       uint64 // bytes
}

func (l *liveHeap) measure() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.operations++; l.operations%l.every == 0 {
		l.most = max(l.most, heapInUse())
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (l *liveHeap) Stat(name string) (os.FileInfo, error) {
	l.measure()
	return l.OS.Stat(name)
}

func (l *liveHeap) Open(name string) (disk.File, error) {
	f, err := l.OS.Open(name)
	return measuredFile{f, l}, err
}

type measuredFile struct {
	disk.File
	heap *liveHeap
}

func (f measuredFile) Read(p []byte) (int, error) {
	f.heap.measure()
	return f.File.Read(p)
}

// verifyMemory returns the most bytes that Verify has in use at one time.
func verifyMemory(t testing.TB, root string, n int, level checking.VerifyLevel) uint64 {
	t.Helper()
	l := &liveHeap{every: n}
	before := heapInUse()
	r, err := checking.VerifyIn(t.Context(), disk.Dir{Root: root, FS: l}, checking.VerifyOptions{Level: level})
	if err != nil || !r.OK() || !r.Complete || r.Shards != n {
		t.Fatalf("%d shards, complete %t, problems %v, %v", r.Shards, r.Complete, r.Problems, err)
	}
	if l.operations < 5*n {
		t.Fatalf("%d disk operations for %d shards: memory was hardly measured", l.operations, n)
	}
	return max(l.most, before) - before
}

// bookkeepers are the other operations that read the whole bookkeeping.
var bookkeepers = map[string]func(t *testing.T, d disk.Dir, games uint64) error{
	"info": func(t *testing.T, d disk.Dir, games uint64) error {
		i, err := openOn(t, d.FS, d.Root).Info()
		if err == nil && (!i.Complete || i.Games != games) {
			t.Errorf("%+v", i)
		}
		return err
	},
	"finalize": func(t *testing.T, d disk.Dir, _ uint64) error {
		if err := d.MakeFolders(disk.TempFolder); err != nil { // a complete run removed it
			return err
		}
		_, err := finalize(d, readPlan(t, d), false)
		return err
	},
	"run": func(t *testing.T, d disk.Dir, games uint64) error {
		o := fakeOptions()
		o.Disk = d.FS
		plan := fakePlan()
		plan.ShardGames = 1
		_, err := Make(t.Context(), d.Root, plan, games, o)
		return err
	},
}

// TestBookkeepersKeepFewBytesAShard: for 100,000 shards, info takes less than 40 MB, and
// writing the derived files less than 80 MB.
func TestBookkeepersKeepFewBytesAShard(t *testing.T) {
	const shards = 2000
	root := oneByteDataset(t, shards)
	want := tree(t, root)
	for name, most := range map[string]uint64{"info": 400, "finalize": 800, "run": 800} {
		if name != "info" {
			remove(t, root, plan.ManifestName, plan.CroissantName)
		}
		l := &liveHeap{every: shards}
		before := heapInUse()
		must.Do(t, bookkeepers[name](t, disk.Dir{Root: root, FS: l, Owner: "1-ab"}, shards))
		bytes := (max(l.most, before) - before) / shards
		t.Logf("%s: %d bytes a shard", name, bytes)
		if bytes > most || l.operations < 3*shards {
			t.Errorf("%s: %d bytes a shard, at most %d; measured at %d operations", name, bytes, most, l.operations)
		}
		if got := tree(t, root); got[plan.ManifestName] != want[plan.ManifestName] || got[plan.CroissantName] != want[plan.CroissantName] {
			t.Errorf("%s wrote other files", name)
		}
	}
}

// TestVerifyKeepsFewBytesAShard: the state of 100,000 shards takes less than 40 MB.
func TestVerifyKeepsFewBytesAShard(t *testing.T) {
	const shards, most = 2000, 400
	root := oneByteDataset(t, shards)
	for _, level := range []checking.VerifyLevel{checking.VerifyQuick, checking.VerifySums} {
		bytes := verifyMemory(t, root, shards, level) / shards
		t.Logf("level %d: %d bytes a shard", level, bytes)
		if bytes > most {
			t.Errorf("level %d: %d bytes a shard, at most %d", level, bytes, most)
		}
	}
}

// BenchmarkBookkeeping reads the bookkeeping of large datasets.
func BenchmarkBookkeeping(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		root := oneByteDataset(b, n)
		for name, read := range map[string]func(*datasets.Dataset) error{
			"verify": func(*datasets.Dataset) error {
				_, err := checking.Verify(b.Context(), root, checking.VerifyOptions{})
				return err
			},
			"info": func(ds *datasets.Dataset) error { _, err := ds.Info(); return err },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					ds, err := datasets.Open(root)
					if err == nil {
						err = read(ds)
					}
					must.Do(b, err)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/shard")
			})
		}
	}
}
