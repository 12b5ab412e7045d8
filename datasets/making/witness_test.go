package making

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/status"
)

// planOfAnotherSeed returns the bytes of plan.json of a plan that differs in one flag.
func planOfAnotherSeed(t *testing.T) string {
	p := fakePlan()
	p.Seed = 2
	return tree(t, made(t, p, 1))[plan.FileName]
}

// TestRepairRefusesAPlanThatRecordsContradict: a valid plan of another dataset proves nothing against records
// and manifest, and nothing is removed.
func TestRepairRefusesAPlanThatRecordsContradict(t *testing.T) {
	other := planOfAnotherSeed(t)
	for name, without := range map[string][]string{
		"records and manifest": nil,
		"records":              {plan.ManifestName},
		"one record":           {plan.ManifestName, plan.CommitName(0), plan.CommitName(1)},
		"manifest":             {plan.CommitName(0), plan.CommitName(1), plan.CommitName(2)},
	} {
		root := made(t, fakePlan(), 8)
		remove(t, root, without...)
		write(t, root, plan.FileName, other)
		before := tree(t, root)
		if got := problems(t, root, checking.VerifyQuick); got != plan.FileName {
			t.Errorf("%s: problems of %q", name, got)
		}
		for _, level := range []checking.VerifyLevel{checking.VerifyQuick, checking.VerifySums} {
			r, err := checking.Repair(t.Context(), root, checking.RepairOptions{Verify: checking.VerifyOptions{Level: level}})
			if !errors.Is(err, fault.ErrCorrupt) || !strings.Contains(err.Error(), "plan hash") {
				t.Errorf("%s: repair: %+v, %v", name, r, err)
			}
		}
		sameTree(t, tree(t, root), before)
	}
}

// TestRunRestoresThePlan that records and manifest name, and no other one.
func TestRunRestoresThePlan(t *testing.T) {
	other := planOfAnotherSeed(t)
	another := fakePlan()
	another.Seed = 2
	for name, damage := range map[string]func(t *testing.T, root string){
		"missing": func(t *testing.T, root string) { remove(t, root, plan.FileName) },
		"damaged": func(t *testing.T, root string) { write(t, root, plan.FileName, "{") },
		"of another dataset": func(t *testing.T, root string) {
			write(t, root, plan.FileName, other)
		},
	} {
		root := made(t, fakePlan(), 8)
		whole := tree(t, root)
		damage(t, root)
		before := tree(t, root)
		if name != "of another dataset" {
			if _, err := Make(t.Context(), root, another, 8, fakeOptions()); !errors.Is(err, fault.ErrCorrupt) {
				t.Errorf("%s: a run of another plan: %v", name, err)
			}
			sameTree(t, tree(t, root), before)
		}
		o, restored := fakeOptions(), false
		o.Notify = func(e status.Event) { restored = restored || e.PlanRestored }
		makeIn(t, root, fakePlan(), 8, o)
		sameTree(t, tree(t, root), whole)
		if !restored {
			t.Errorf("%s: the run does not say that it restored the plan", name)
		}
	}
}

// TestRunRestoresTitleAndLicence as the manifest has them.
func TestRunRestoresTitleAndLicence(t *testing.T) {
	root := t.TempDir()
	o := fakeOptions()
	o.About = plan.About{Title: "evening games", Licence: "CC0-1.0"}
	makeIn(t, root, fakePlan(), 8, o)
	whole := tree(t, root)
	remove(t, root, plan.FileName)
	makeIn(t, root, fakePlan(), 8, fakeOptions())
	sameTree(t, tree(t, root), whole)
}

// TestRemovedFilesAreKept until the dataset is whole again.
func TestRemovedFilesAreKept(t *testing.T) {
	const name = "positions/train-00000.parquet"
	root := made(t, fakePlan(), 8)
	whole := tree(t, root)
	kept := func() map[string]string {
		files := tree(t, filepath.Join(root, disk.RemovedFolder))
		maps.DeleteFunc(files, func(name, _ string) bool { return !strings.HasPrefix(name, "positions.train-00000.parquet") })
		return files
	}
	for i, damaged := range []string{flipped(whole[name]), "x"} {
		write(t, root, name, damaged)
		repairIn(t, root, false)
		if files := kept(); len(files) != i+1 {
			t.Fatalf("kept %d files, want %d", len(files), i+1)
		}
		write(t, root, plan.CommitName(0), whole[plan.CommitName(0)])
	}
	if files := kept(); files["positions.train-00000.parquet"] != flipped(whole[name]) || files["positions.train-00000.parquet.1"] != "x" {
		t.Error("the kept files differ from those that were removed")
	}
	remove(t, root, plan.CommitName(0))
	makeIn(t, root, fakePlan(), 8, fakeOptions())
	sameTree(t, tree(t, root), whole)
	if files := kept(); len(files) > 0 {
		t.Errorf("%d files are kept in a whole dataset", len(files))
	}
}
