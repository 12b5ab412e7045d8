package making

import (
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// goldenAdvice: a commit record holds the sums of a shard.
const goldenAdvice = "Another commit record raises plan.Prerelease, from 1.0.0 on WriterVersion"

// goldenFiles compares files of a dataset with those of a folder in testdata.
func goldenFiles(t *testing.T, root, folder string, names ...string) {
	t.Helper()
	for _, name := range names {
		text := must.Get(os.ReadFile(filepath.Join(root, name)))(t)
		enginetest.Golden(t, filepath.Join("testdata/golden", folder, filepath.Base(name)), string(text), goldenAdvice)
	}
}

// TestShardBytesAreFrozen compares a commit record, which holds the sums of the data files,
// and the derived files.
func TestShardBytesAreFrozen(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			root := made(t, f.plan(), 10)
			goldenFiles(t, root, f.name, plan.CommitName(0), plan.ManifestName, plan.CardName, plan.CroissantName)
		})
	}
}

// formats are the combinations of format and board type.
var formats = []formatTest{
	{"parquet-list", plan.Parquet, plan.List},
	{"parquet-packed", plan.Parquet, plan.Packed},
	{"arrow-list", plan.Arrow, plan.List},
	{"arrow-packed", plan.Arrow, plan.Packed},
}

type formatTest struct{ name, format, boardType string }

func (f formatTest) plan() plan.Plan {
	p := fakePlan()
	p.Format, p.BoardType = f.format, f.boardType
	return p
}
