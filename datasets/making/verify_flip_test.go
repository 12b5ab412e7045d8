package making

import (
	"context"
	"errors"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

func TestEveryFlippedByteIsFound(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			root := made(t, f.plan(), 1)
			d := disk.Dir{Root: root, FS: loadDisk(t, root, root)}
			commits := must.Get(openOn(t, d.FS, root).Commits())(t)
			for _, file := range commits[0].Files {
				flipBytes(t, d, file.Name, 1, func() bool {
					return errors.Is(record.CheckSum(d, file.Name, file), fault.ErrCorrupt)
				})
				flipBytes(t, d, file.Name, 97, func() bool {
					return problemsOn(t, d, checking.VerifySums) == file.Name && problemsOn(t, d, checking.VerifyDeep) == file.Name
				})
			}
		})
	}
}

// TestFlippedTextIsFound flips bits of the small files. One sum covers a document as a
// whole, so a few of its bytes stand for all; the other files are checked field by field.
func TestFlippedTextIsFound(t *testing.T) {
	root := made(t, fakePlan(), 1)
	d := disk.Dir{Root: root, FS: loadDisk(t, root, root)}
	for name, step := range map[string]int{plan.FileName: 3, plan.ManifestName: 3, plan.CommitName(0): 3, plan.CardName: 31, plan.CroissantName: 31} {
		if *torture {
			step = 1
		}
		flipBytes(t, d, name, step, func() bool {
			r, err := checking.VerifyIn(context.Background(), d, checking.VerifyOptions{Level: checking.VerifyQuick})
			return errors.Is(err, fault.ErrUnsupported) || err == nil && !r.OK()
		})
	}
}

// openOn opens a dataset on a disk.
func openOn(t *testing.T, files disk.FS, root string) *datasets.Dataset {
	t.Helper()
	d := disk.Dir{Root: root, FS: files}
	return datasets.New(d, readPlan(t, d))
}

// readPlan reads plan.json.
func readPlan(t testing.TB, d disk.Dir) *plan.File {
	t.Helper()
	file := must.Get(plan.Read(d))(t)
	return file
}

// flipBytes flips one bit in every step-th byte of a file on a memory disk, one at a time.
func flipBytes(t *testing.T, d disk.Dir, name string, step int, found func() bool) {
	t.Helper()
	data := d.FS.(*memoryDisk).get(d.Path(name)).data
	for i := 0; i < len(data); i += step {
		bit := byte(1) << (i % 8)
		data[i] ^= bit
		if !found() {
			t.Fatalf("%s: flipped bit %#x of byte %d is not found", name, bit, i)
		}
		data[i] ^= bit
	}
}
