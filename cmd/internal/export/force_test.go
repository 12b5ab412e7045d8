package export

import (
	"os"
	"testing"

	"selfplay/datasets/plan"
)

// TestForceReplacesAnOutput: with --force a second run replaces the output of the first,
// without --force it is refused.
func TestForceReplacesAnOutput(t *testing.T) {
	dir, tmp := dataset(t, plan.List), t.TempDir()
	for _, args := range [][]string{
		{"convert", "--format", "csv", "--out", tmp + "/csv"}, {"shuffle", "--format", "csv", "--out", tmp + "/shuffled"},
		{"sample", "--rows", "5", "--out", tmp + "/a.csv"}, {"report", "--out", tmp + "/a.html"},
	} {
		again := func(flags ...string) outcome {
			return export(append(append(append([]string{}, args...), flags...), "--quiet", dir)...)
		}
		if o := again(); o.code != 0 {
			t.Fatalf("%v: %+v", args, o)
		}
		out := args[len(args)-1]
		mustRefuse(t, again(), 2, out+" already exists (use --force to replace it)")
		before, _ := os.Stat(out)
		if o := again("--force"); o.code != 0 {
			t.Errorf("%v --force: %+v", args, o)
		}
		if after, err := os.Stat(out); err != nil || os.SameFile(before, after) {
			t.Errorf("%v --force did not replace the output: %v", args, err)
		}
	}
	if list, _ := os.ReadDir(tmp); len(list) != 4 {
		t.Errorf("beside the outputs is %v", list)
	}
}
