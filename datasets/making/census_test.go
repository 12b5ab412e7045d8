package making

import (
	"errors"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// countIn counts a dataset with a census that may have counted before.
func countIn(t *testing.T, c *record.Census) record.Count {
	t.Helper()
	n := must.Get(c.Count())(t)
	return n
}

// done adds up the committed and the journaled games of all shards.
func done(n *record.Count) (committed, journaled uint64) {
	for _, s := range n.ByShard {
		committed += s.Committed
		journaled += s.Journaled
	}
	return committed, journaled
}

// TestCensusFollowsADataset: a census that counts again and again agrees with a new one and
// with Info, over a stop, an extension of a short shard, and a lost .selfplay/.
func TestCensusFollowsADataset(t *testing.T) {
	root := made(t, fakePlan(), 4)
	old := openOn(t, unsynced{}, root).Census()
	check := func(step string, target uint64, wantCommitted, wantJournaled uint64) {
		t.Helper()
		ds := openOn(t, unsynced{}, root)
		info := must.Get(ds.Info())(t)
		for name, c := range map[string]*record.Census{"old": old, "new": ds.Census()} {
			n := countIn(t, c)
			committed, journaled := done(&n)
			if n.Target != target || committed != wantCommitted || journaled != wantJournaled {
				t.Errorf("%s, %s census: target %d, %d games committed and %d journaled, want %d, %d, %d",
					step, name, n.Target, committed, journaled, target, wantCommitted, wantJournaled)
			}
			if n.Target != info.Target || committed != info.Games || journaled != info.Journaled || n.Rows != info.Rows || n.Bytes != info.Bytes {
				t.Errorf("%s, %s census: %+v, but Info has %+v", step, name, n, info)
			}
			if n.LastCommit.IsZero() != info.FromManifest {
				t.Errorf("%s, %s census: last commit at %v", step, name, n.LastCommit)
			}
		}
	}
	check("short shard", 4, 4, 0)
	stopIn(t, root, 8, 0, fakeOptions())
	check("stopped", 8, 4, 1)
	makeIn(t, root, fakePlan(), 8, fakeOptions())
	check("extended", 8, 8, 0)
	remove(t, root, plan.CommitName(0), plan.CommitName(1), plan.CommitName(2), plan.TargetName)
	check("without bookkeeping", 8, 8, 0)
}

// TestCensusOfDamagedRecords: a census refuses a record that is damaged.
func TestCensusOfDamagedRecords(t *testing.T) {
	root := made(t, fakePlan(), 4)
	write(t, root, plan.CommitName(1), "{}")
	if _, err := openOn(t, unsynced{}, root).Census().Count(); !errors.Is(err, fault.ErrCorrupt) && !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("%v, want ErrCorrupt", err)
	}
}
