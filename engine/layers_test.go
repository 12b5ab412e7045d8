package engine_test

import (
	"go/build"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "selfplay"

// mayImport is the order of the packages: what stands under a folder may import
// its own folder and the folders named here. Rules know nothing of numbers,
// numbers nothing of play or files, and play and files nothing of each other.
var mayImport = map[string][]string{
	"engine":   {},
	"encode":   {"engine"},
	"workers":  {"engine", "encode"},
	"datasets": {"engine", "encode"},
	"cmd":      {"engine", "encode", "workers", "datasets"},
}

// inOrder reports whether one package of the module may import another.
func inOrder(from, to string) bool {
	return top(from) == top(to) || slices.Contains(mayImport[top(from)], top(to))
}

// standsAlone reports whether a package of rules may import a path: the standard
// library and the contract, so no game imports another and the contract none.
func standsAlone(from, to string) bool {
	const contract = module + "/engine"
	return isStandard(to) || to == contract && from != contract
}

// TestImportsPointOneWay: engine <- encode <- workers, datasets <- cmd.
func TestImportsPointOneWay(t *testing.T) {
	for _, p := range packages(t) {
		if _, known := mayImport[top(p.ImportPath)]; !known {
			t.Errorf("%s has no place in the order of packages", p.ImportPath)
		}
		for _, imp := range ownImports(p) {
			if !inOrder(p.ImportPath, imp) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
	}
}

// TestEngineStandsAlone: everything below engine is rules, and only its tests may
// use more of engine than the contract.
func TestEngineStandsAlone(t *testing.T) {
	for _, p := range packages(t) {
		if top(p.ImportPath) != "engine" {
			continue
		}
		for _, imp := range p.Imports {
			if !standsAlone(p.ImportPath, imp) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if !isStandard(imp) && top(imp) != "engine" {
				t.Errorf("a test of %s imports %s", p.ImportPath, imp)
			}
		}
	}
}

// knowsTheTime names the files that may import time: what they do with it stays out of
// the bytes of a dataset.
var knowsTheTime = []string{
	"engine/enginetest/bench.go",  // measures
	"datasets/journal/journal.go", // syncs every few seconds
	"datasets/estimate.go",        // estimates how long a run takes
}

// TestBytesDoNotDependOnTheClock: what makes games, numbers and files does not even know
// a clock.
func TestBytesDoNotDependOnTheClock(t *testing.T) {
	for _, p := range packages(t) {
		if top(p.ImportPath) == "cmd" { // progress is told by the second
			continue
		}
		for _, pos := range p.ImportPos["time"] {
			file := path.Join(strings.TrimPrefix(p.ImportPath, module+"/"), filepath.Base(pos.Filename))
			if !slices.Contains(knowsTheTime, file) {
				t.Errorf("%s imports time", file)
			}
		}
	}
}

// TestOrder shows what the tests of packages turn away.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		rule     func(from, to string) bool
		from, to string
		want     bool
	}{
		{inOrder, "selfplay/cmd/selfplay", "selfplay/workers", true},
		{inOrder, "selfplay/cmd/selfplay", "selfplay/cmd/internal/app", true},
		{inOrder, "selfplay/datasets", "selfplay/encode", true},
		{inOrder, "selfplay/workers", "selfplay/datasets", false},
		{inOrder, "selfplay/datasets", "selfplay/workers", false},
		{inOrder, "selfplay/encode", "selfplay/workers", false},
		{inOrder, "selfplay/engine/cotulenh", "selfplay/encode", false},
		{standsAlone, "selfplay/engine/cotulenh", "math/rand/v2", true},
		{standsAlone, "selfplay/engine/cotulenh", "selfplay/engine", true},
		{standsAlone, "selfplay/engine/cotulenh", "selfplay/engine/chess", false},
		{standsAlone, "selfplay/engine/cotulenh", "golang.org/x/sync/errgroup", false},
		{standsAlone, "selfplay/engine", "selfplay/engine/cotulenh", false},
	} {
		if got := c.rule(c.from, c.to); got != c.want {
			t.Errorf("%s imports %s: allowed %t, want %t", c.from, c.to, got, c.want)
		}
	}
}

// packages returns every package of the module.
func packages(t *testing.T) (list []*build.Package) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); dir != root && (strings.HasPrefix(name, ".") || name == "testdata") {
			return fs.SkipDir
		}
		p, err := build.ImportDir(dir, 0)
		if _, empty := err.(*build.NoGoError); empty {
			return nil
		}
		rel, _ := filepath.Rel(root, dir)
		p.ImportPath = module + "/" + filepath.ToSlash(rel)
		list = append(list, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 5 {
		t.Fatalf("only %d packages found below %s", len(list), root)
	}
	return list
}

// ownImports returns the imports of p and its tests that lie in this module.
func ownImports(p *build.Package) []string {
	all := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
	return slices.DeleteFunc(all, isForeign)
}

func isForeign(path string) bool { return !strings.HasPrefix(path, module+"/") }

// isStandard tells the standard library by the missing dot in its first element.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return isForeign(path) && !strings.Contains(first, ".")
}

// top returns the folder of the module that a package lies in.
func top(path string) string {
	folder, _, _ := strings.Cut(strings.TrimPrefix(path, module+"/"), "/")
	return folder
}
