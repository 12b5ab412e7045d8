package program

import (
	"path/filepath"
	"testing"
)

// TestRescoreDeblundersByItsOwnModel: the files have a model, but of the old scores. --where may
// use that one, --deblunder may not.
func TestRescoreDeblundersByItsOwnModel(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must(t, "run", "--quiet", "--game", "contrast", "--player", "ab:depth=1", "--games", "20", "--out", in("old"))
	rescore := []string{"export", "rescore", "--quiet", "--player", "ab:depth=1"}
	mustRefuse(t, selfplay("", append(rescore, "--deblunder", "20", "--out", in("no"), in("old"))...), 2, "pass --new-model A,B")
	must(t, append(rescore, "--where", "surprise>10", "--deblunder", "20", "--new-model", "90,200", "--out", in("new"), in("old"))...)
	must(t, "export", "rows", "--quiet", "--deblunder", "20", "--out", in("rows"), in("old"))
}
