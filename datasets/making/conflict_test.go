package making

import (
	"errors"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// forge changes the record of a shard and keeps it valid.
func forge(t *testing.T, root string, s int, change func(c *record.Commit)) {
	t.Helper()
	d := disk.Dir{Root: root, FS: disk.OS{}}
	file := must.Get(plan.Read(d))(t)
	c := must.Get(record.Read(d, file, s))(t)
	change(c)
	write(t, root, plan.CommitName(s), string(c.Encode()))
}

// trainPlan is fakePlan without validation: each shard has one part.
func trainPlan() plan.Plan {
	p := fakePlan()
	p.Validation = 0
	return p
}

// swapShards swaps the files of shards 0 and 1 and forges records that fit.
func swapShards(t *testing.T, root string, files map[string]string) {
	var entries [2][]record.FileEntry
	for s := range entries {
		forge(t, root, s, func(c *record.Commit) { entries[s] = c.Files })
	}
	for s := range entries {
		forge(t, root, s, func(c *record.Commit) {
			for i, other := range entries[1-s] {
				write(t, root, c.Files[i].Name, files[other.Name])
				other.Name = c.Files[i].Name
				c.Files[i] = other
			}
			c.Rows = c.Files[plan.PositionsFile].Rows
		})
	}
}

// shardOfAnotherSeed replaces shard 1 by that of a dataset of another seed.
func shardOfAnotherSeed(t *testing.T, root string, _ map[string]string) {
	other, p := t.TempDir(), trainPlan()
	p.Seed = 2
	makeIn(t, other, p, 8, fakeOptions())
	files := tree(t, other)
	ds := must.Get(datasets.Open(other))(t)
	commits := must.Get(ds.Commits())(t)
	forge(t, root, 1, func(c *record.Commit) {
		hash := c.Plan
		*c = *commits[1]
		c.Plan = hash
		for _, f := range c.Files {
			write(t, root, f.Name, files[f.Name])
		}
	})
}

// disagreements make the manifest and a valid record disagree. want names the witnesses.
var disagreements = []struct {
	name   string
	damage func(t *testing.T, root string, files map[string]string)
	want   []string
}{
	{"flipped count in a record", func(t *testing.T, root string, _ map[string]string) {
		forge(t, root, 1, func(c *record.Commit) {
			c.Rows ^= 4
			c.Files[plan.PositionsFile].Rows ^= 4
		})
	}, []string{"shard 00001", plan.ManifestName + " says ", plan.CommitName(1) + " says ", "rows in positions/train-00001.parquet"}},
	{"flipped digest in a record", func(t *testing.T, root string, _ map[string]string) {
		forge(t, root, 1, func(c *record.Commit) {
			c.Files[plan.GamesFile].RowDigest = "0" + c.Files[plan.GamesFile].RowDigest[1:]
		})
	}, []string{"shard 00001", "row digest"}},
	{"flipped count in the manifest", func(t *testing.T, root string, files map[string]string) {
		write(t, root, plan.ManifestName, strings.Replace(files[plan.ManifestName], `"first_game": 3`, `"first_game": 7`, 1))
	}, []string{"shard 00001", "3 games from 7", "3 games from 3"}},
	{"two shards swapped", swapShards, []string{"shard 00000", "positions/train-00000.parquet"}},
	{"shard of another seed", shardOfAnotherSeed, []string{"shard 00001", "positions/train-00001.parquet"}},
	{"results moved", func(t *testing.T, root string, _ map[string]string) {
		forge(t, root, 1, func(c *record.Commit) { c.Results[0].Reason ^= 1 })
	}, []string{plan.ManifestName, "totals", plan.CommitsFolder}},
	{"manifest of another plan", func(t *testing.T, root string, files map[string]string) {
		m := files[plan.ManifestName]
		at := strings.Index(m, `"plan_hash": "`) + len(`"plan_hash": "`)
		write(t, root, plan.ManifestName, m[:at]+strings.Repeat("0", 12)+m[at+12:])
	}, []string{plan.ManifestName, "plan hash 000000000000"}},
}

// TestDisagreementOfManifestAndRecordIsKept: run, task and finalize refuse it and write
// nothing. A repair and a run then restore the original bytes.
func TestDisagreementOfManifestAndRecordIsKept(t *testing.T) {
	for _, tt := range disagreements {
		t.Run(tt.name, func(t *testing.T) {
			root := made(t, trainPlan(), 8)
			whole := tree(t, root)
			tt.damage(t, root, whole)
			damaged := tree(t, root)
			for name, write := range map[string]func() error{
				"finalize":             func() error { _, err := Finalize(root, false); return err },
				"finalize as it is":    func() error { _, err := Finalize(root, true); return err },
				"run":                  func() error { _, err := Make(t.Context(), root, trainPlan(), 8, fakeOptions()); return err },
				"run that extends":     func() error { _, err := Make(t.Context(), root, trainPlan(), 12, fakeOptions()); return err },
				"task of more than it": func() error { _, err := Make(t.Context(), root, trainPlan(), 12, taskOptions(0, 2)); return err },
			} {
				err := write()
				if !errors.Is(err, fault.ErrCorrupt) {
					t.Errorf("%s: %v", name, err)
				}
				for _, part := range tt.want {
					if err != nil && !strings.Contains(err.Error(), part) {
						t.Errorf("%s: %v, want %q", name, err, part)
					}
				}
				sameTree(t, tree(t, root), damaged)
			}
			if problems(t, root, checking.VerifyQuick) == "" {
				t.Error("verify finds nothing")
			}
		})
	}
}

// TestRepairMakesConflictingShardsAgain: neither witness is taken for the truth.
func TestRepairMakesConflictingShardsAgain(t *testing.T) {
	for _, tt := range disagreements {
		if !strings.HasPrefix(tt.want[0], "shard ") {
			continue // no entry of a shard differs
		}
		t.Run(tt.name, func(t *testing.T) {
			root := made(t, trainPlan(), 8)
			whole := tree(t, root)
			tt.damage(t, root, whole)
			if r := repairIn(t, root, false); len(r.Left) > 0 || len(r.Missing) == 0 {
				t.Errorf("%+v", r)
			}
			if got := problems(t, root, checking.VerifySums); got != "" {
				t.Errorf("problems of %q after the repair", got)
			}
			makeIn(t, root, trainPlan(), 8, fakeOptions())
			sameTree(t, tree(t, root), whole)
		})
	}
}
