package making

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestDatasetInsideAnotherIsRefused(t *testing.T) {
	root, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	makeIn(t, root, fakePlan(), 9, fakeOptions())
	if err := os.Symlink(filepath.Join(root, "positions"), link); err != nil {
		t.Skip(err)
	}
	want := tree(t, root)
	for _, dir := range []string{root + "/positions/sub", root + "/positions", root + "/a/b/c", root + "/.selfplay", link, link + "/a/b"} {
		_, err := Make(t.Context(), dir, fakePlan(), 9, fakeOptions())
		if !errors.Is(err, ErrNested) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	sameTree(t, tree(t, root), want)
	makeIn(t, root+"-2", fakePlan(), 9, fakeOptions())
}
