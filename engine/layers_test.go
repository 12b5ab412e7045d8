package engine_test

import (
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// module is the path of the module: other repositories may give it another one.
var module = modulePath()

func modulePath() string {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		panic(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(first, "module ")
}

// mayImport lists, for each top folder of the module, the other folders that its
// packages may import. Rules do not know encodings; encodings do not know play or
// files; play and files do not know each other. The packages of internal know none of them.
var mayImport = map[string][]string{
	"internal": {},
	"docs":     {},
	"engine":   {},
	"encode":   {"engine"},
	"workers":  {"internal", "engine", "encode"},
	"datasets": {"internal", "engine", "encode"},
	"cmd":      {"internal", "docs", "engine", "encode", "workers", "datasets"},
	"deploy":   {"internal"},
	"compare":  {"engine"},
}

// layerAllows reports whether package from of the module may import package to.
func layerAllows(from, to string) bool {
	return top(from) == top(to) || slices.Contains(mayImport[top(from)], top(to))
}

// floors lists the packages, lowest first. A package imports only packages of lower floors of
// its folder, and of the folders that mayImport names.
var floors = [][]string{
	{"docs/games", "internal/count", "internal/goroutine", "internal/must", "internal/release", "internal/typo"},
	{"engine"},
	{"engine/chess", "engine/contrast", "engine/cotulenh", "engine/nnue", "engine/nnue/nets", "engine/nnue/nnuetest", "engine/search"},
	{"engine/cotulenh/bitboard", "engine/enginetest"},
	{"encode"},
	{"encode/chessdata", "encode/encodetest"},
	{"workers/batching"},
	{"workers"},
	{"datasets/internal/fault"},
	{"datasets/colfile", "datasets/disk", "datasets/gamerow", "datasets/internal/canonical", "datasets/spill", "datasets/wdl"},
	{"datasets/journal", "datasets/plan", "datasets/stats"},
	{"datasets/record"},
	{"datasets"},
	{"datasets/status"},
	{"datasets/checking", "datasets/making"},
	{"datasets/movetext", "datasets/rows", "datasets/rowstream", "datasets/scan"},
	{"datasets/query"},
	{"datasets/dedup", "datasets/gameindex", "datasets/ingest", "datasets/shuffle", "datasets/tablefile"},
	{"datasets/output"},
	{"datasets/convert"},
	{"cmd/internal/cmdtest", "cmd/internal/evaluator/evaluatortest", "cmd/internal/s3store/s3test", "cmd/internal/uci/ucitest"},
	{"cmd/internal/address", "cmd/internal/byteorder", "cmd/internal/evaluator", "cmd/internal/human", "cmd/internal/s3store"},
	{"cmd/internal/ask", "cmd/internal/board", "cmd/internal/networks", "cmd/internal/uci"},
	{"cmd/internal/replay"},
	{"cmd/internal/positions", "cmd/internal/report"},
	{"cmd/internal/serve/catalog", "cmd/internal/serve/servetest"},
	{"cmd/internal/serve/pages"},
	{"cmd/internal/serve"},
	{"cmd/program"},
	{"cmd/export", "cmd/selfplay"},
	{"compare/bitboards", "deploy/dist", "deploy/rename", "deploy/scale", "deploy/speed"},
}

// floor returns the floor of a package, -1 if floors does not list it.
func floor(importPath string) int {
	return slices.IndexFunc(floors, func(list []string) bool {
		return slices.Contains(list, strings.TrimPrefix(importPath, module+"/"))
	})
}

// floorAllows reports whether package from may import package to of the same folder.
func floorAllows(from, to string) bool { return floor(to) < floor(from) }

// TestImportsPointDownwards: inside a folder, imports go to lower floors. Tests may import
// what they like of their folder.
func TestImportsPointDownwards(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) == 0 {
			continue // only tests
		}
		if floor(p.ImportPath) < 0 {
			t.Errorf("%s has no floor: add it to floors", p.ImportPath)
		}
		for _, imp := range slices.DeleteFunc(slices.Clone(p.Imports), isForeign) {
			if top(imp) == top(p.ImportPath) && !floorAllows(p.ImportPath, imp) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
	}
}

// detail begins what the map of packages leaves to the comment of the package.
var detail = regexp.MustCompile(`: |; |, (such as|so that|whose|which) `)

// TestDocsHaveTheMap: the map of packages in docs/architecture.md is floors, with what
// each package says of itself first.
func TestDocsHaveTheMap(t *testing.T) {
	says := map[string]string{}
	for _, p := range packages(t) {
		says[strings.TrimPrefix(p.ImportPath, module+"/")] = p.Doc
	}
	var b strings.Builder
	b.WriteString("| floor | package | what |\n|---|---|---|\n")
	for i, floor := range slices.Backward(floors) {
		for _, name := range floor {
			if says[name] == "" {
				t.Errorf("%s is no package, or has no comment", name)
			}
			if strings.HasSuffix(name, "test") { // for tests alone
				continue
			}
			_, what, _ := strings.Cut(says[name], " "+path.Base(name)+" ")
			fmt.Fprintf(&b, "| %d | `%s` | %s |\n", i+1, name, strings.TrimRight(detail.Split(what, 2)[0], ".:"))
		}
	}
	enginetest.Tables(t, "../docs/architecture.md", map[string]string{"packages": b.String()})
}

// TestOnlyCommandsImportACommandLine: libraries do not parse flags or draw progress.
func TestOnlyCommandsImportACommandLine(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			if top(p.ImportPath) != "cmd" && (strings.Contains(imp, "urfave/cli") || strings.Contains(imp, "progressbar")) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
	}
}

// ofTests is the package that ends tests at unexpected errors. All tests may import it.
var ofTests = module + "/internal/must"

// testsPlay reports whether the tests of package from may import package to to play the
// games that they read: packages that read datasets are tested on searched games. Package
// datasets itself is tested without any game.
func testsPlay(from, to string) bool {
	return to == module+"/workers" && floor(from) > floor(module+"/datasets") && top(from) == "datasets"
}

// rulesAllow reports whether a package below engine may import a path: only the
// standard library, package engine, and the game that it is another engine of. Games do not
// import each other. The laws search games.
func rulesAllow(from, to string) bool {
	contract := module + "/engine"
	if from == contract+"/enginetest" && to == contract+"/search" {
		return true
	}
	return isStandard(to) || from != contract && (to == contract || to == path.Dir(from)) || slices.Contains(vectors, from) && to == processor
}

// processor says which instructions there are. The packages of vectors take faster ones with equal results.
const processor = "golang.org/x/sys/cpu"

var vectors = []string{module + "/engine/nnue", module + "/engine/search"}

// TestImportsFollowTheLayers: engine <- encode <- workers, datasets <- cmd.
func TestImportsFollowTheLayers(t *testing.T) {
	for _, p := range packages(t) {
		if _, found := mayImport[top(p.ImportPath)]; !found {
			t.Errorf("%s is in a folder that mayImport does not list", p.ImportPath)
		}
		for _, imp := range slices.DeleteFunc(slices.Clone(p.Imports), isForeign) {
			if !layerAllows(p.ImportPath, imp) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
		for _, imp := range slices.DeleteFunc(slices.Concat(p.TestImports, p.XTestImports), isForeign) {
			if !layerAllows(p.ImportPath, imp) && !testsPlay(p.ImportPath, imp) && imp != ofTests {
				t.Errorf("a test of %s imports %s", p.ImportPath, imp)
			}
		}
	}
}

// TestRulesImportOnlyTheContract: packages below engine import the contract, the
// standard library, the game that they are another engine of, and what the processor has. Their tests may import more of engine.
func TestRulesImportOnlyTheContract(t *testing.T) {
	for _, p := range packages(t) {
		if top(p.ImportPath) != "engine" {
			continue
		}
		for _, imp := range p.Imports {
			if !rulesAllow(p.ImportPath, imp) {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if !isStandard(imp) && top(imp) != "engine" && imp != ofTests {
				t.Errorf("a test of %s imports %s", p.ImportPath, imp)
			}
		}
	}
}

// timeImporters are the files that may import time. They keep it out of the bytes of
// a dataset.
var timeImporters = []string{
	"engine/enginetest/bench.go", // measures speed
	"datasets/journal/writer.go", // syncs every few seconds
	"workers/timing.go",          // measures how long games take
	"workers/pool.go",            // how long its games took
	"workers/batching/counts.go", // measures how long evaluators compute

	"internal/goroutine/goroutine.go", // calls a function every few seconds

	"datasets/record/follower.go", // when a shard was committed
	"datasets/status/status.go",   // how long ago that was
	"datasets/status/task.go",
	"datasets/status/heartbeat.go", // when a process was alive, in .selfplay/
	"datasets/status/run.go",       // how long a run takes
}

// TestBytesDoNotDependOnTheClock: code that makes games, numbers and files does not
// import time.
func TestBytesDoNotDependOnTheClock(t *testing.T) {
	for _, p := range packages(t) {
		if folder := top(p.ImportPath); folder == "cmd" || folder == "deploy" || folder == "compare" { // progress output, archives, measurements
			continue
		}
		for _, pos := range p.ImportPos["time"] {
			file := path.Join(strings.TrimPrefix(p.ImportPath, module+"/"), filepath.Base(pos.Filename))
			if !slices.Contains(timeImporters, file) {
				t.Errorf("%s imports time", file)
			}
		}
	}
}

// TestImportRules: the rules above reject what they should.
func TestImportRules(t *testing.T) {
	for _, c := range []struct {
		rule     func(from, to string) bool
		from, to string
		want     bool
	}{
		{layerAllows, "cmd/selfplay", "workers", true},
		{layerAllows, "cmd/selfplay", "cmd/program", true},
		{layerAllows, "datasets", "encode", true},
		{layerAllows, "workers", "datasets", false},
		{layerAllows, "datasets", "workers", false},
		{layerAllows, "encode", "workers", false},
		{layerAllows, "engine/cotulenh", "encode", false},
		{floorAllows, "datasets", "datasets/colfile", true},
		{floorAllows, "datasets/colfile", "datasets", false},
		{floorAllows, "datasets/colfile", "datasets/disk", false},
		{rulesAllow, "engine/cotulenh", "math/rand/v2", true},
		{rulesAllow, "engine/cotulenh", "engine", true},
		{rulesAllow, "engine/cotulenh", "engine/chess", false},
		{rulesAllow, "engine/cotulenh/bitboard", "engine/cotulenh", true},
		{rulesAllow, "engine/cotulenh/bitboard", "engine/chess", false},
		{rulesAllow, "engine/cotulenh", "engine/cotulenh/bitboard", false},
		{rulesAllow, "engine/cotulenh", "golang.org/x/sync/errgroup", false},
		{rulesAllow, "engine", "engine/cotulenh", false},
	} {
		to := c.to
		if mayImport[top(to)] != nil {
			to = module + "/" + to
		}
		if got := c.rule(module+"/"+c.from, to); got != c.want {
			t.Errorf("%s imports %s: allowed %t, want %t", c.from, c.to, got, c.want)
		}
	}
}

// packages returns every package of the module.
func packages(t *testing.T) (list []*build.Package) {
	t.Helper()
	root := must.Get(filepath.Abs(".."))(t)
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); dir != root && (strings.HasPrefix(name, ".") || name == "testdata" || isModule(dir)) {
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
	must.Do(t, err)
	if len(list) < 5 {
		t.Fatalf("only %d packages found below %s", len(list), root)
	}
	return list
}

// isModule reports whether a folder is the root of a module.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// isForeign reports whether a path lies outside this module.
func isForeign(path string) bool { return !strings.HasPrefix(path, module+"/") }

// isStandard reports whether a path belongs to the standard library: its first element
// has no dot.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return isForeign(path) && !strings.Contains(first, ".")
}

// top returns the top folder of a package's path.
func top(path string) string {
	folder, _, _ := strings.Cut(strings.TrimPrefix(path, module+"/"), "/")
	return folder
}
