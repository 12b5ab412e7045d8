package making

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// actions lists the actions of a repair and the problems that it left.
func actions(r *checking.RepairReport) string {
	var list []string
	for _, a := range r.Actions {
		name := a.Path
		if strings.HasPrefix(name, disk.Hidden) {
			name = name[strings.LastIndexByte(name, '/')+1:]
		}
		list = append(list, string(a.Kind)+" "+name)
	}
	text := strings.Join(list, ", ")
	for _, p := range r.Left {
		text += "; left " + p.Path[strings.LastIndexByte(p.Path, '/')+1:]
	}
	return text
}

func repairIn(t *testing.T, root string, dry bool) *checking.RepairReport {
	t.Helper()
	r := must.Get(checking.Repair(t.Context(), root, checking.RepairOptions{Verify: checking.VerifyOptions{Level: checking.VerifySums}, DryRun: dry}))(t)
	return r
}

// TestRepairDropsDamageOnly: a repair keeps all intact files, and a run then restores the
// original bytes.
func TestRepairDropsDamageOnly(t *testing.T) {
	for _, tt := range damages {
		t.Run(tt.name, func(t *testing.T) {
			root := made(t, fakePlan(), 8)
			whole := tree(t, root)
			tt.damage(t, root, whole)
			damaged := tree(t, root)
			dry := repairIn(t, root, true)
			sameTree(t, tree(t, root), damaged)
			r := repairIn(t, root, false)
			if got := actions(r); got != tt.want || got != actions(dry) {
				t.Errorf("actions\n%s\nwant\n%s\ndry run\n%s", got, tt.want, actions(dry))
			}
			if got := problems(t, root, checking.VerifySums); got != "" && len(r.Left) == 0 {
				t.Errorf("problems of %q after the repair", got)
			}
			checkUntouched(t, root, damaged, r)
			if again := repairIn(t, root, false); len(again.Actions) > 0 {
				t.Errorf("second repair: actions %s", actions(again))
			}
			makeIn(t, root, fakePlan(), 8, fakeOptions())
			sameTree(t, tree(t, root), whole)
		})
	}
}

// checkUntouched checks that files without an action are unchanged.
func checkUntouched(t *testing.T, root string, before map[string]string, r *checking.RepairReport) {
	t.Helper()
	now := tree(t, root)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		named := slices.ContainsFunc(r.Actions, func(a checking.Action) bool { return a.Path == name })
		leftover := slices.ContainsFunc([]string{disk.TempFolder}, func(folder string) bool { return strings.HasPrefix(name, folder) })
		if !named && !leftover && now[name] != before[name] {
			t.Errorf("%s changed", name)
		}
	}
}

// TestWithoutRecordsNothingIsDropped: in a copy without the bookkeeping folders, finalize,
// repair and a stopped run leave all visible files unchanged.
func TestWithoutRecordsNothingIsDropped(t *testing.T) {
	for _, missing := range []string{disk.Hidden, plan.CommitsFolder, plan.TargetName + " " + plan.CommitsFolder} {
		root := made(t, fakePlan(), 8)
		whole := tree(t, root)
		for _, name := range strings.Fields(missing) {
			must.Do(t, os.RemoveAll(filepath.Join(root, name)))
		}
		visible := visibleTree(t, root)
		if _, err := Finalize(root, false); !errors.Is(err, fault.ErrCorrupt) || !strings.Contains(err.Error(), "no shard has a record") {
			t.Errorf("without %s: finalize: %v", missing, err)
		}
		if _, err := Finalize(root, true); !errors.Is(err, fault.ErrCorrupt) {
			t.Errorf("without %s: finalize as it stands: %v", missing, err)
		}
		repair := func() {
			switch r, err := checking.Repair(t.Context(), root, checking.RepairOptions{}); {
			case err == nil && len(r.Left) == 0, err != nil && !errors.Is(err, fault.ErrCorrupt):
				t.Errorf("without %s: repair: %+v, %v", missing, r, err)
			}
			sameTree(t, visibleTree(t, root), visible)
		}
		repair()
		ctx, cancel := context.WithCancel(t.Context())
		o := fakeOptions()
		o.Rebuild = true
		o.Play = stopAfter(1, cancel)
		if _, err := Make(ctx, root, fakePlan(), 8, o); !errors.Is(err, fault.ErrIncomplete) {
			t.Errorf("without %s: run: %v", missing, err)
		}
		repair()
		makeIn(t, root, fakePlan(), 8, fakeOptions())
		sameTree(t, tree(t, root), whole)
	}
}

// visibleTree returns the files of a dataset without the bookkeeping.
func visibleTree(t *testing.T, root string) map[string]string {
	files := tree(t, root)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, disk.Hidden) })
	return files
}

// TestFilesOfAnotherFormatAreKept: they are unsupported, not damaged.
func TestFilesOfAnotherFormatAreKept(t *testing.T) {
	for _, name := range []string{plan.CommitName(1), plan.ManifestName, plan.FileName} {
		root := made(t, fakePlan(), 8)
		write(t, root, name, strings.Replace(tree(t, root)[name], `"format": 1`, `"format": 2`, 1))
		newer := tree(t, root)
		if r, err := checking.Repair(t.Context(), root, checking.RepairOptions{DryRun: true}); name != plan.ManifestName && !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%s: repair: %+v, %v", name, r, err)
		}
		if _, err := Finalize(root, false); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%s: finalize: %v", name, err)
		}
		if _, err := Make(t.Context(), root, fakePlan(), 8, fakeOptions()); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%s: run: %v", name, err)
		}
		sameTree(t, tree(t, root), newer)
	}
}

// TestDamagedTitleIsNotCopiedToTheManifest: the plan hash does not cover the title, so the
// manifest is the only trace of the damage.
func TestDamagedTitleIsNotCopiedToTheManifest(t *testing.T) {
	root := made(t, fakePlan(), 8)
	write(t, root, plan.FileName, strings.Replace(tree(t, root)[plan.FileName], "Fake self-play", "Fame self-play", 1))
	must.Fail(Finalize(root, false))(t, fault.ErrCorrupt, plan.FileName)
	must.Fail(Make(t.Context(), root, fakePlan(), 8, fakeOptions()))(t, fault.ErrCorrupt, "")
	if got := problems(t, root, checking.VerifyQuick); got != plan.FileName {
		t.Errorf("problems of %q", got)
	}
}

// TestRepairDropsNothingAfterAReadError: a transient error of any disk operation is not
// taken for damage.
func TestRepairDropsNothingAfterAReadError(t *testing.T) {
	root := lockableRoot(t)
	before := newMemoryDisk()
	o := fakeOptions()
	o.Disk = before
	makeIn(t, root, fakePlan(), 8, o)
	whole := before.tree(root)
	for fail := 1; ; fail += stride {
		d := before.clone()
		failing := &failingDisk{FS: d, fail: fail}
		r, err := checking.RepairIn(t.Context(), disk.Dir{Root: root, FS: failing}, checking.RepairOptions{Verify: checking.VerifyOptions{Level: checking.VerifyDeep, Rows: fakeRows}})
		if failing.n < fail {
			if err != nil || len(r.Actions) > 0 {
				t.Fatalf("%v, %+v", err, r)
			}
			break
		}
		if sameTree(t, d.tree(root), whole); t.Failed() {
			t.Fatalf("operation %d: %v, %+v", fail, err, r)
		}
	}
}

// TestRepairMakesMissingFolders: copies may lack folders that were empty.
func TestRepairMakesMissingFolders(t *testing.T) {
	root := made(t, fakePlan(), 8)
	for _, name := range []string{disk.TempFolder, journal.Folder} {
		must.Do(t, os.RemoveAll(filepath.Join(root, name)))
	}
	remove(t, root, "games/train-00001.parquet")
	if got := actions(repairIn(t, root, false)); !strings.Contains(got, "drop_record 00001.json") || problems(t, root, checking.VerifySums) != "" {
		t.Errorf("actions %s, then problems of %q", got, problems(t, root, checking.VerifySums))
	}
}

func TestRepairKeepsForeignFiles(t *testing.T) {
	root := made(t, fakePlan(), 8)
	for _, name := range []string{"positions/notes.txt", "games/train-1.parquet", "games/validation-00001.arrow", "games/validation-00001.parquet.bak"} {
		write(t, root, name, "mine")
	}
	r := repairIn(t, root, false)
	if len(r.Actions) != 0 || len(r.Left) != 4 {
		t.Errorf("%+v", r)
	}
	if got := tree(t, root)["positions/notes.txt"]; got != "mine" {
		t.Error("positions/notes.txt was removed")
	}
}

func TestRepairRefusesADamagedPlan(t *testing.T) {
	root := made(t, fakePlan(), 8)
	whole := tree(t, root)
	for name, change := range map[string]func(plan string) string{
		"truncated":   func(plan string) string { return plan[:100] },
		"title":       func(plan string) string { return strings.Replace(plan, "Fake self-play", "Fane self-play", 1) },
		"white space": func(plan string) string { return strings.Replace(plan, "\n  ", "\n\t ", 1) },
	} {
		write(t, root, plan.FileName, change(whole[plan.FileName]))
		write(t, root, "notes.txt", "")
		_, err := checking.Repair(t.Context(), root, checking.RepairOptions{Verify: checking.VerifyOptions{Level: checking.VerifySums}})
		var file *fault.FileError
		if !errors.Is(err, fault.ErrCorrupt) || !errors.As(err, &file) || file.Path != plan.FileName {
			t.Errorf("%s: %v", name, err)
		}
		if got := problems(t, root, checking.VerifyQuick); !strings.HasPrefix(strings.TrimPrefix(got, "notes.txt "), plan.FileName) {
			t.Errorf("%s: problems of %q", name, got)
		}
		write(t, root, plan.FileName, whole[plan.FileName])
		remove(t, root, "notes.txt")
		sameTree(t, tree(t, root), whole)
	}
}

func TestRepairTakesTheLock(t *testing.T) {
	root := made(t, fakePlan(), 8)
	l := must.Get(disk.Acquire(disk.Dir{Root: root, FS: disk.OS{}}, true))(t)
	defer l.Release()
	must.Fail(checking.Repair(t.Context(), root, checking.RepairOptions{}))(t, datasets.ErrLocked, "")
}
