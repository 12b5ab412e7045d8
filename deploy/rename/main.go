// Command rename gives the module of this repository another path, so that other modules can
// fetch it from where it is hosted:
//
//	go run ./deploy/rename github.com/owner/selfplay
//
// It runs in the root of the repository and rewrites the imports of all Go files, the go.mod of
// this module and of those nested in it, the imports in code of the docs, and the names of
// functions in the profile that the compiler reads (profile.go).
package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("want the new path of the module, such as github.com/owner/selfplay"))
	}
	if err := rename(".", os.Args[1]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "rename:", err)
	os.Exit(2)
}

// renaming is a change of the path of a module.
type renaming struct{ from, to string }

// rename renames the module in a folder and the modules nested in it.
func rename(root, to string) error {
	if err := module.CheckPath(to); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	r := renaming{from: modfile.ModulePath(text), to: to}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") && name != ".ci" || name == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		return r.rewriteFile(path)
	})
}

// rewriteFile rewrites a file if its kind has paths of the module.
func (r renaming) rewriteFile(path string) error {
	var rewrite func([]byte) ([]byte, error)
	switch {
	case filepath.Base(path) == "go.mod":
		rewrite = r.goMod
	case filepath.Ext(path) == ".go":
		rewrite = r.goFile
	case filepath.Ext(path) == ".md":
		rewrite = r.page
	case filepath.Ext(path) == ".pgo":
		rewrite = r.profile
	default:
		return nil
	}
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	after, err := rewrite(before)
	if err != nil {
		return fmt.Errorf("rewrite %s: %w", path, err)
	}
	if slices.Equal(before, after) {
		return nil
	}
	return os.WriteFile(path, after, 0o644)
}

// path returns the new form of a path of the module or below it, and other paths unchanged.
func (r renaming) path(path string) string {
	if rest, ok := strings.CutPrefix(path, r.from); ok && (rest == "" || rest[0] == '/') {
		return r.to + rest
	}
	return path
}

// goMod renames a module, and what it requires and replaces.
func (r renaming) goMod(text []byte) ([]byte, error) {
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, line := range f.Syntax.Stmt {
		r.tokens(line)
	}
	return modfile.Format(f.Syntax), nil
}

// tokens renames paths in a line or in the lines of a block.
func (r renaming) tokens(stmt modfile.Expr) {
	switch stmt := stmt.(type) {
	case *modfile.Line:
		for i, word := range stmt.Token {
			stmt.Token[i] = r.path(word)
		}
	case *modfile.LineBlock:
		for _, line := range stmt.Line {
			r.tokens(line)
		}
	}
}

// goFile renames the imports of a Go file.
func (r renaming) goFile(text []byte) ([]byte, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, spec := range slices.Backward(f.Imports) { // so that earlier places stay where they are
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if renamed := r.path(path); renamed != path {
			at := int(spec.Path.Pos()) - int(f.FileStart)
			text = slices.Concat(text[:at], []byte(strconv.Quote(renamed)), text[at+len(spec.Path.Value):])
		}
	}
	return text, nil
}

// quoted matches an import in code of a page.
var quoted = regexp.MustCompile(`"[^"\s]+"`)

// page renames quoted paths below the module in a page of the docs.
func (r renaming) page(text []byte) ([]byte, error) {
	return quoted.ReplaceAllFunc(text, func(q []byte) []byte {
		path := string(q[1 : len(q)-1])
		if !strings.HasPrefix(path, r.from+"/") {
			return q
		}
		return []byte(strconv.Quote(r.path(path)))
	}), nil
}
