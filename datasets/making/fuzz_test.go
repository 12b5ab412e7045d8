package making

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets/checking"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// FuzzManifest verifies a dataset with any bytes in place of its manifest. Only the right
// bytes have no problem.
func FuzzManifest(f *testing.F) {
	fuzzSmallFile(f, plan.ManifestName, func(r *checking.VerifyReport) bool { return r.OK() })
}

// FuzzTarget verifies a dataset with any bytes in place of its target. Only the right bytes
// have no problem and no missing shard.
func FuzzTarget(f *testing.F) {
	fuzzSmallFile(f, plan.TargetName, func(r *checking.VerifyReport) bool { return r.OK() && len(r.Missing) == 0 })
}

func fuzzSmallFile(f *testing.F, name string, right func(*checking.VerifyReport) bool) {
	root := f.TempDir()
	makeIn(f, root, fakePlan(), 8, fakeOptions())
	path := filepath.Join(root, filepath.FromSlash(name))
	whole := must.Get(os.ReadFile(path))(f)
	f.Add(whole)
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"format":1,"games":18446744073709551615}`))
	f.Add(bytes.Replace(whole, []byte("3"), []byte("2"), 1))
	f.Add(bytes.Replace(whole, []byte("8"), []byte("9"), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		must.Do(t, os.WriteFile(path, data, 0o644))
		r := must.Get(checking.Verify(t.Context(), root, checking.VerifyOptions{Level: checking.VerifyQuick}))(t)
		if equal := bytes.Equal(data, whole); equal != right(r) {
			t.Errorf("%q: %+v", data, r)
		}
		must.Get(checking.Repair(t.Context(), root, checking.RepairOptions{DryRun: true}))(t)
	})
}
