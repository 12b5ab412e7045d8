package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// listedFile is a file name in a package comment. In it, <game> stands for the name of any
// game, and * for anything.
var listedFile = regexp.MustCompile(`[\w*<>]+\.go\b`)

// listLine is a line of a package comment that lists files: in a block, or as an item of a list.
var listLine = regexp.MustCompile(`(?m)^(\t|  - \w.*: )\w+\.go\b`)

// TestPackageCommentsListTheFiles: if a package comment lists files, each of them exists,
// and no file is missing except tests and the file that holds the comment.
func TestPackageCommentsListTheFiles(t *testing.T) {
	lists := 0
	for _, p := range packages(t) {
		files := goFiles(t, p.Dir)
		comment, holders := packageComment(t, p.Dir, files)
		if !listLine.MatchString(comment) {
			continue
		}
		lists++
		listed := listedFile.FindAllString(comment, -1)
		for _, name := range listed {
			if !slices.ContainsFunc(files, func(file string) bool { return names(name, file) }) {
				t.Errorf("the comment of %s lists %s, which does not exist", p.ImportPath, name)
			}
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || slices.Contains(holders, file) {
				continue
			}
			if !slices.ContainsFunc(listed, func(name string) bool { return names(name, file) }) {
				t.Errorf("the comment of %s does not list %s", p.ImportPath, file)
			}
		}
	}
	if lists < 5 {
		t.Errorf("only %d packages list their files", lists)
	}
}

// names reports whether a name in a package comment means a file.
func names(name, file string) bool {
	matched, err := path.Match(strings.ReplaceAll(name, "<game>", "*"), file)
	return matched && err == nil
}

// packageComment returns the comment of a package and the files that hold it.
func packageComment(t *testing.T, dir string, files []string) (comment string, holders []string) {
	t.Helper()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree := must.Get(parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file), nil, parser.PackageClauseOnly|parser.ParseComments))(t)
		if tree.Doc != nil {
			comment, holders = comment+tree.Doc.Text(), append(holders, file)
		}
	}
	return comment, holders
}

// goFiles lists the Go files of a folder, for all systems and tags.
func goFiles(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") {
			list = append(list, e.Name())
		}
	}
	return list
}

// ordered in a package comment promises that the list of files is in order.
const ordered = "Each file uses only files above it in this list."

// TestFilesUseOnlyFilesAbove checks that promise.
func TestFilesUseOnlyFilesAbove(t *testing.T) {
	promises := 0
	for _, p := range packages(t) {
		comment, _ := packageComment(t, p.Dir, p.GoFiles)
		if !strings.Contains(comment, ordered) {
			continue
		}
		promises++
		order := listedFile.FindAllString(comment[strings.Index(comment, ordered):], -1)
		for _, use := range uses(t, p.Dir, p.GoFiles) {
			if slices.Index(order, use.of) > slices.Index(order, use.by) {
				t.Errorf("%s: %s uses %s of %s, which is below it", p.ImportPath, use.by, use.name, use.of)
			}
		}
	}
	if promises == 0 {
		t.Error("no package orders its files")
	}
}

// use is a name that one file of a package uses of another one.
type use struct{ by, of, name string }

// uses lists the uses of names that files of a package declare. It resolves no imports: what
// is missing without them are no names of this package.
func uses(t *testing.T, dir string, files []string) (list []use) {
	t.Helper()
	fset := token.NewFileSet()
	var trees []*ast.File
	for _, file := range files {
		tree := must.Get(parser.ParseFile(fset, filepath.Join(dir, file), nil, parser.SkipObjectResolution))(t)
		trees = append(trees, tree)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}}
	pkg, _ := config.Check("", fset, trees, &info)
	file := func(pos token.Pos) string { return filepath.Base(fset.Position(pos).Filename) }
	for id, object := range info.Uses {
		if object.Pkg() == pkg && file(object.Pos()) != file(id.Pos()) {
			list = append(list, use{file(id.Pos()), file(object.Pos()), id.Name})
		}
	}
	return list
}
