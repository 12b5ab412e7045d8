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
const goldenAdvice = "Another commit record needs a new WriterVersion, and existing datasets cannot be extended"

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

// formats are the combinations of format and board type, in the newest format of the directory and in
// format 1.
var formats = []formatTest{
	{"2-parquet-list", plan.Parquet, plan.List, fakePlan},
	{"2-parquet-packed", plan.Parquet, plan.Packed, fakePlan},
	{"2-arrow-list", plan.Arrow, plan.List, fakePlan},
	{"2-arrow-packed", plan.Arrow, plan.Packed, fakePlan},
	{"parquet-list", plan.Parquet, plan.List, oldPlan},
	{"parquet-packed", plan.Parquet, plan.Packed, oldPlan},
	{"arrow-list", plan.Arrow, plan.List, oldPlan},
	{"arrow-packed", plan.Arrow, plan.Packed, oldPlan},
}

type formatTest struct {
	name, format, boardType string
	of                      func() plan.Plan
}

func (f formatTest) plan() plan.Plan {
	p := f.of()
	p.Format, p.BoardType = f.format, f.boardType
	return p
}
