package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"selfplay/datasets/disk"
)

// lostRecords makes a dataset of n shards whose files hold one byte each. Most records are
// lost: only that of shard 0 exists, and every fourth of the others is an empty file.
func lostRecords(t testing.TB, n int) (root string) {
	t.Helper()
	root = t.TempDir()
	d := disk.Dir{Root: root, FS: disk.OS{}}
	plan := fakePlan()
	plan.ShardGames = 1
	h, err := newHeader(plan, fakeDescription(), About{})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{commitsName, positionsName, gamesName} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	commits := make([]*Commit, n)
	for s := range commits {
		commits[s] = oneByteShard(t, d, h, s)
		switch {
		case s == 0:
			write(t, root, commitName(s), string(commits[s].encode()))
		case s%4 == 0:
			write(t, root, commitName(s), "")
		}
	}
	write(t, root, PlanName, string(h.encode()))
	write(t, root, targetName, string(encodeTarget(uint64(n))))
	for _, f := range newManifest(h, commits).derived(h) {
		write(t, root, f.name, string(f.data))
	}
	return root
}

// oneByteShard writes the files of a shard, which verify takes for whole unless it decodes
// them, and returns its record.
func oneByteShard(t testing.TB, d disk.Dir, h *header, s int) *Commit {
	t.Helper()
	c := &Commit{Format: FormatVersion, Plan: h.hash, Shard: s, Split: h.plan.split(s), FirstGame: uint64(s), Games: 1, Rows: 1,
		Results: []ResultCount{{1, 1, 1}}}
	sum := sumDocument("", []byte("x")).SHA256
	for i, table := range tables {
		c.Files[i] = FileEntry{Name: h.plan.dataName(table, s), Bytes: 1, SHA256: sum, Rows: 1}
		write(t, d.Root, c.Files[i].Name, "x")
	}
	return c
}

// planRepair returns how long a repair takes to find its steps after verify, the lesser of
// two times. It writes nothing.
func planRepair(t testing.TB, root string) time.Duration {
	t.Helper()
	d := disk.Dir{Root: root, FS: disk.OS{}}
	h, err := readHeader(d)
	if err != nil {
		t.Fatal(err)
	}
	var times []time.Duration
	for range 2 {
		r := newRepairer(d, h, RepairOptions{})
		if err := r.v.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if _, err := r.plan(); err != nil {
			t.Fatal(err)
		}
		times = append(times, time.Since(begin))
	}
	return slices.Min(times)
}

// TestRepairTakesLinearTime: eight times as many lost records take about eight times as
// long, not 64 times.
func TestRepairTakesLinearTime(t *testing.T) {
	small, large := planRepair(t, lostRecords(t, 512)), planRepair(t, lostRecords(t, 4096))
	t.Logf("512 shards: %v, 4096 shards: %v", small, large)
	if large > 24*small {
		t.Errorf("4096 shards take %v, 512 shards %v", large, small)
	}
}

// TestRepairKeepsShardsOfLostRecords: the files of all shards stay, damaged records go.
func TestRepairKeepsShardsOfLostRecords(t *testing.T) {
	r, err := Repair(t.Context(), lostRecords(t, 40), RepairOptions{})
	if err != nil || len(r.Actions) != 9 || len(r.Left) != 39 {
		t.Errorf("%d actions, %d left, %v", len(r.Actions), len(r.Left), err)
	}
}

func BenchmarkRepair(b *testing.B) {
	for _, n := range []int{1024, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			root := lostRecords(b, n)
			for b.Loop() {
				if _, err := Repair(b.Context(), root, RepairOptions{DryRun: true}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/shard")
		})
	}
}
