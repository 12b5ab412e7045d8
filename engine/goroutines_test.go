package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// goroutineFiles are the files that may start goroutines without package goroutine.
var goroutineFiles = []string{
	"internal/goroutine/goroutine.go",
	"cmd/program/app.go",  // ends the process at the second signal
	"cmd/program/make.go", // context.AfterFunc, which catches its panics
}

// TestGoroutinesCatchTheirPanics: code starts goroutines through package goroutine only. A
// panic in any other goroutine ends the process at once: without a line for the user, with
// temporary files left behind, and with the exit code of a usage error.
func TestGoroutinesCatchTheirPanics(t *testing.T) {
	for _, p := range packages(t) {
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) { // of all systems
			file := path.Join(strings.TrimPrefix(p.ImportPath, module+"/"), name)
			if slices.Contains(goroutineFiles, file) || strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			tree := must.Get(parser.ParseFile(set, filepath.Join(p.Dir, name), nil, 0))(t)
			for _, at := range goroutinesIn(tree) {
				t.Errorf("%s:%d starts a goroutine without package goroutine", file, set.Position(at).Line)
			}
		}
	}
}

// goroutinesIn returns where a file starts goroutines, or names what starts them.
func goroutinesIn(file *ast.File) (at []token.Pos) {
	for _, spec := range file.Imports {
		if imported, _ := strconv.Unquote(spec.Path.Value); imported == "golang.org/x/sync/errgroup" {
			at = append(at, spec.Pos())
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			at = append(at, n.Pos())
		case *ast.SelectorExpr:
			name := n.Sel.Name
			if of, ok := n.X.(*ast.Ident); ok && (name == "AfterFunc" || of.Name == "sync" && name == "WaitGroup") {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

func TestGoroutineRuleFindsEveryWay(t *testing.T) {
	const source = `package p
import "golang.org/x/sync/errgroup"
func f() {
	go f()
	var g sync.WaitGroup
	context.AfterFunc(ctx, f)
	time.AfterFunc(d, f)
	g.Go(f)
}`
	tree := must.Get(parser.ParseFile(token.NewFileSet(), "p.go", source, 0))(t)
	if got := len(goroutinesIn(tree)); got != 5 {
		t.Errorf("%d goroutines found, want 5", got)
	}
}
