package making

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

var update = flag.Bool("update", false, "write golden files")

// golden compares got with a file in testdata. Do not update a commit record to make a test
// pass: it holds the sums of a shard, so a difference needs a new WriterVersion, and
// existing datasets cannot be extended.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", "golden", name)
	if *update {
		must.Do(t, writeGolden(name, got))
	}
	want := must.Get(os.ReadFile(name))(t)
	if !bytes.Equal(got, want) {
		t.Errorf("%s changed:\n%s\nwant\n%s", name, got, want)
	}
}

func writeGolden(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// TestShardBytesAreFrozen compares a commit record, which holds the sums of the data files,
// and the derived files.
func TestShardBytesAreFrozen(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			root := t.TempDir()
			must.Get(Make(context.Background(), root, f.plan(), 10, fakeOptions()))(t)
			for _, name := range []string{plan.CommitName(0), plan.ManifestName, plan.CardName, plan.CroissantName} {
				data := must.Get(os.ReadFile(filepath.Join(root, name)))(t)
				golden(t, filepath.Join(f.name, filepath.Base(name)), data)
			}
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
