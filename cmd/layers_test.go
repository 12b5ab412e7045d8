// Package cmd_test holds the test of what may import what. It stands here
// because the programs are at the top.
package cmd_test

import (
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "selfplay/"

// allowed lists, for each folder, what of this module its packages may import.
// What is outside a folder of the list may import nothing.
var allowed = map[string][]string{
	"engine":   {"engine"},
	"encode":   {"engine"},
	"workers":  {"engine", "encode"},
	"datasets": {"engine", "encode"},
	"cmd":      {"engine", "encode", "workers", "datasets", "cmd"},
}

func TestImportsPointOneWay(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || strings.HasPrefix(name, ".") && name != ".." {
			return fs.SkipDir
		}
		if pkg, err := build.ImportDir(path, 0); err == nil {
			check(t, filepath.ToSlash(path), pkg)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, path string, pkg *build.Package) {
	top, _, _ := strings.Cut(strings.TrimPrefix(path, "../"), "/")
	for _, imp := range pkg.Imports {
		inside, ours := strings.CutPrefix(imp, module)
		target, _, _ := strings.Cut(inside, "/")
		switch {
		case ours && !slices.Contains(allowed[top], target):
			t.Errorf("%s imports %s: %s may import only %q", path, imp, top, allowed[top])
		case !ours && top == "engine" && strings.Contains(imp, "."):
			t.Errorf("%s imports %s: the rules use only the standard library", path, imp)
		}
	}
}
