package making

import (
	"bufio"
	"os"
	"path/filepath"
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

// written returns the text of a derived file.
func written(write func(w *bufio.Writer)) string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	write(w)
	_ = w.Flush() // a strings.Builder has no errors
	return b.String()
}

// reword replaces the card of a dataset by one that another program might have written.
func reword(t *testing.T, d disk.Dir) {
	t.Helper()
	m := must.Get(record.ReadManifest(d))(t)
	card := must.Get(d.ReadFile(plan.CardName))(t)
	card = append(card, "Text of another program.\n"...)
	m.Documents[1] = record.SumDocument(plan.CardName, card)
	for name, data := range map[string][]byte{plan.CardName: card, plan.ManifestName: []byte(written(m.Write))} {
		must.Do(t, d.Replace(name, data))
	}
}

// TestCardOfAnotherProgramIsNoDamage: the dataset is intact, and the next run writes the
// card of this program.
func TestCardOfAnotherProgramIsNoDamage(t *testing.T) {
	root := made(t, fakePlan(), 4)
	want := tree(t, root)
	reword(t, disk.Dir{Root: root, FS: disk.OS{}})
	if got := problems(t, root, checking.VerifyDeep); got != "" {
		t.Errorf("problems of %s", got)
	}
	ds := must.Get(datasets.Open(root))(t)
	if info, err := ds.Info(); err != nil || !info.Complete {
		t.Errorf("complete: %t, %v", info.Complete, err)
	}
	makeIn(t, root, fakePlan(), 4, fakeOptions())
	sameTree(t, tree(t, root), want)
}

// TestNewCardSurvivesEveryDiskError: wherever that run ends, card and manifest agree.
func TestNewCardSurvivesEveryDiskError(t *testing.T) {
	root := lockableRoot(t)
	before := newMemoryDisk()
	o := fakeOptions()
	o.Disk = before
	makeIn(t, root, fakePlan(), 4, o)
	reword(t, disk.Dir{Root: root, FS: before})
	newSweep(t, before, root, 4).run(t)
}

// TestManifestOfAMissingShardIsAProblem: the manifest lists a shard that has no record.
// Other damage of the manifest does not hide that.
func TestManifestOfAMissingShardIsAProblem(t *testing.T) {
	root := made(t, fakePlan(), 4)
	old := tree(t, root)[plan.ManifestName]
	remove(t, root, plan.CommitName(1), "positions/train-00001-1.parquet", "games/train-00001-1.parquet")
	for text, want := range map[string]string{
		old: plan.ManifestName,
		strings.Replace(old, "games/train-00000", "games/trbin-00000", -1): plan.ManifestName + " " + plan.CommitName(0), // they disagree
		strings.Replace(old, `"shard": 1`, `"shard": -1`, 1):               plan.ManifestName,
	} {
		write(t, root, plan.ManifestName, text)
		if got := problems(t, root, checking.VerifyQuick); got != want {
			t.Errorf("problems of %q, want %q", got, want)
		}
		must.Fail(Finalize(copyOf(t, root), false))(t, fault.ErrCorrupt, "")
	}
}

// TestVerifyDuringARun: a dataset that is being extended has no problems.
func TestVerifyDuringARun(t *testing.T) {
	rounds := 5
	if *torture {
		rounds = 100
	}
	for range rounds {
		root := made(t, fakePlan(), 4)
		done := make(chan error)
		go func() {
			var err error
			for games := uint64(5); games <= 40 && err == nil; games += 7 {
				_, err = Make(t.Context(), root, fakePlan(), games, fakeOptions())
			}
			done <- err
		}()
		for running := true; running; {
			select {
			case err := <-done:
				if running = false; err != nil {
					t.Error(err)
				}
			default:
				if got := problems(t, root, checking.VerifyDeep); got != "" {
					t.Errorf("problems of %q", got)
				}
			}
		}
	}
}

// TestDamagedDocumentIsNamed: the problem is the document, or the manifest if its sum is
// wrong.
func TestDamagedDocumentIsNamed(t *testing.T) {
	const title = `"title": "Fake self-play"`
	change := func(name, old, new string) func(*testing.T, string) {
		return func(t *testing.T, root string) {
			t.Helper()
			text := tree(t, root)[name]
			if !strings.Contains(text, old) {
				t.Fatalf("%s has no %q", name, old)
			}
			write(t, root, name, strings.Replace(text, old, new, 1))
		}
	}
	sum := func(i int) func(*testing.T, string) {
		return func(t *testing.T, root string) {
			t.Helper()
			m := must.Get(record.ReadManifest(disk.Dir{Root: root, FS: disk.OS{}}))(t)
			m.Documents[i].SHA256 = strings.Repeat("0", 64)
			write(t, root, plan.ManifestName, written(m.Write))
		}
	}
	tests := []struct {
		name   string
		damage func(t *testing.T, root string)
		want   string
	}{
		{"title in the plan", change(plan.FileName, title, `"title": "Fame self-play"`), plan.FileName},
		{"title in the manifest", change(plan.ManifestName, title, `"title": "Fame self-play"`), plan.ManifestName},
		{"changed card of another program", func(t *testing.T, root string) {
			reword(t, disk.Dir{Root: root, FS: disk.OS{}})
			change(plan.CardName, "another", "other")(t, root)
		}, plan.CardName},
		{"sum of the plan", sum(0), plan.ManifestName},
		{"sum of the card", sum(1), plan.ManifestName},
		{"sum of croissant.json", sum(2), plan.ManifestName},
		{"wrong document name", change(plan.ManifestName, plan.CardName, "README.txt"), plan.ManifestName},
		{"changed white space", change(plan.ManifestName, "\n", " \n"), plan.ManifestName},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := made(t, fakePlan(), 4)
			whole := tree(t, root)
			tt.damage(t, root)
			if got := problems(t, root, checking.VerifyQuick); got != tt.want {
				t.Errorf("problems of %q, want %q", got, tt.want)
			}
			if tt.want != plan.FileName {
				repairIn(t, root, false)
				makeIn(t, root, fakePlan(), 4, fakeOptions())
				sameTree(t, tree(t, root), whole)
			}
		})
	}
}

func TestTargetIsThatOfTheLastRun(t *testing.T) {
	root := made(t, fakePlan(), 7)
	ds := must.Get(datasets.Open(root))(t)
	if n, err := ds.Target(); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	os.Remove(filepath.Join(root, filepath.FromSlash(plan.TargetName)))
	if n, err := ds.Target(); n != 0 || err != nil {
		t.Errorf("without a target: %d, %v", n, err)
	}
}
