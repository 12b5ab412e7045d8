package making

import (
	"fmt"
	"testing"
	"time"

	"selfplay/datasets/checking"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// lostRecords makes a dataset of n shards. Most records are lost: only that of shard 0
// exists, and every fourth of the others is an empty file.
func lostRecords(t testing.TB, n int) (root string) {
	t.Helper()
	root = oneByteDataset(t, n)
	for s := 1; s < n; s++ {
		remove(t, root, plan.CommitName(s))
		if s%4 == 0 {
			write(t, root, plan.CommitName(s), "")
		}
	}
	return root
}

// planRepair returns how long a repair takes to find its steps after verify. It writes nothing.
func planRepair(t testing.TB, root string) time.Duration {
	t.Helper()
	var verified time.Time // when the only record was checked, which comes last
	checked := func(uint64, uint64) { verified = time.Now() }
	must.Get(checking.Repair(t.Context(), root, checking.RepairOptions{DryRun: true, Verify: checking.VerifyOptions{Checked: checked}}))(t)
	return time.Since(verified)
}

// TestRepairTakesLinearTime: eight times as many lost records take about eight times as
// long, not 64 times. Of several times the least counts, which other processes disturb least.
func TestRepairTakesLinearTime(t *testing.T) {
	few, many := lostRecords(t, 256), lostRecords(t, 2048)
	small, large := planRepair(t, few), planRepair(t, many)
	for tries := 1; tries < 4 || tries < 20 && large > 24*small; tries++ {
		small, large = min(small, planRepair(t, few)), min(large, planRepair(t, many))
	}
	t.Logf("256 shards: %v, 2048 shards: %v", small, large)
	if large > 24*small {
		t.Errorf("2048 shards take %v, 256 shards %v", large, small)
	}
}

// TestRepairKeepsShardsOfLostRecords: the files of all shards stay, damaged records go.
func TestRepairKeepsShardsOfLostRecords(t *testing.T) {
	r, err := checking.Repair(t.Context(), lostRecords(t, 40), checking.RepairOptions{})
	if err != nil || len(r.Actions) != 9 || len(r.Left) != 39 {
		t.Errorf("%d actions, %d left, %v", len(r.Actions), len(r.Left), err)
	}
}

func BenchmarkRepair(b *testing.B) {
	for _, n := range []int{1024, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			root := lostRecords(b, n)
			for b.Loop() {
				must.Get(checking.Repair(b.Context(), root, checking.RepairOptions{DryRun: true}))(b)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/shard")
		})
	}
}
