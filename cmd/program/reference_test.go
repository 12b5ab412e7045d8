package program

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/uci"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/query"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
	"selfplay/workers"
)

// The reference names everything that a command line, a file or an answer can have. These tests find what is missing; those
// of docs_test.go find what pages name and nothing has.

// guide are the pages that a new reader reads, in which no fact may stand alone.
var guide = []string{"getting-started", "tutorial", "planning", "cookbook", "own-models", "adding-a-game", "faq"}

// reference returns the text of the pages docs/NAME.md, without names of all of them but those of the guide.
func reference(t *testing.T, names ...string) string {
	t.Helper()
	if len(names) == 0 {
		for _, path := range must.Get(filepath.Glob(filepath.Join(repository, "docs", "*.md")))(t) {
			names = append(names, strings.TrimSuffix(filepath.Base(path), ".md"))
		}
		names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(guide, name) })
	}
	var text strings.Builder
	for _, name := range names {
		text.Write(must.Get(os.ReadFile(filepath.Join(repository, "docs", name+".md")))(t))
	}
	return text.String()
}

func TestReferenceHasAllCommandsAndFlags(t *testing.T) {
	text, commands := reference(t), reference(t, "commands")
	said := map[string]bool{}
	for _, m := range flagName.FindAllStringSubmatch(text, -1) {
		said[m[1]] = true
	}
	visitCommands(selfplayCommands(catalog.Games), nil, func(words []string, c *cli.Command) {
		if len(words) == 1 && !strings.Contains(commands, "`"+c.Name+"`") {
			t.Errorf("docs/commands.md has no command %s", c.Name)
		}
		for _, f := range c.Flags {
			if name := f.Names()[0]; !said[name] && name != "help" {
				t.Errorf("%s: no page of the reference has --%s", strings.Join(words, " "), name)
			}
		}
	})
}

// TestReferenceHasAllPlayersAndParameters: those of mcts are on a page of their own.
func TestReferenceHasAllPlayersAndParameters(t *testing.T) {
	pages := map[string]string{"mcts": reference(t, "tree-search"), "": reference(t, "players", "networks", "evaluators")}
	for _, g := range catalog.Games {
		for _, p := range append(catalog.Players.Facts(&g.Game), uci.Facts()) {
			mustSay(t, pages, p)
		}
	}
}

func mustSay(t *testing.T, pages map[string]string, p workers.PlayerTypeFacts) {
	t.Helper()
	text, ok := pages[p.Name]
	if !ok {
		text = pages[""]
	}
	if !strings.Contains(pages[""], "`"+p.Name) {
		t.Errorf("docs/players.md has no player %s", p.Name)
	}
	for _, param := range p.Params {
		if found := must.Get(regexp.MatchString("[`:,]"+regexp.QuoteMeta(param.Name)+"[`=,]", text))(t); !found {
			t.Errorf("no page has the parameter %s of %s", param.Name, p.Name)
		}
	}
}

func TestReferenceHasAllColumns(t *testing.T) {
	all := encode.AllColumns()
	own := slices.DeleteFunc(slices.Clone(all), func(c encode.Column) bool {
		return encode.ColumnNamed(encode.View{Layout: new(encode.Layout)}.Columns(), c.Name) >= 0 || slices.Contains(encode.ExtraNames(), c.Name)
	})
	enginetest.Tables(t, filepath.Join(repository, "docs/datasets.md"), map[string]string{
		"columns of players and commands": encode.ColumnTable(own),
		"columns of games":                encode.ColumnTable(gamerow.Columns()),
		"other columns of games":          encode.ColumnTable(append(gamerow.OldColumns(), gamerow.TagColumns()...)),
	})
	datasets, conditions := reference(t, "datasets"), reference(t, "conditions")
	for _, c := range all {
		if !strings.Contains(datasets, "| "+c.Name+" |") {
			t.Errorf("docs/datasets.md has no column %s", c.Name)
		}
	}
	for _, name := range append(query.TextNames(), tablefile.PositionColumn) {
		if !strings.Contains(conditions, "`"+name+"`") {
			t.Errorf("docs/conditions.md has no column %s", name)
		}
	}
}

// TestReferenceHasAllExitCodes: those of exit.go, which are its only constants of that name.
func TestReferenceHasAllExitCodes(t *testing.T) {
	text, codes := reference(t, "operations"), 0
	for _, m := range regexp.MustCompile(`(?m)^\texit[A-Z]\w+ += (\d+)`).FindAllStringSubmatch(string(must.Get(os.ReadFile("exit.go"))(t)), -1) {
		codes++
		if !strings.Contains(text, "\n| "+m[1]+" | ") {
			t.Errorf("docs/operations.md has no exit code %s", m[1])
		}
	}
	if codes < 5 {
		t.Errorf("%d exit codes", codes)
	}
}

// jsonObjects are the objects of JSON that files and commands have: the heading of docs/json.md, the folder and the name of the
// type.
var jsonObjects = []struct{ heading, folder, name string }{
	{"plan.json", "datasets/plan", "fileJSON"},
	{"manifest.json", "datasets/record", "Manifest"},
	{"Commit records", "datasets/record", "Commit"},
	{"Target", "datasets/record", "target"},
	{"Answers", "datasets/record", "Answers"},
	{"A run", "datasets/status", "Run"},
	{"Heartbeats", "datasets/status", "Beat"},
	{"An estimate", "cmd/program", "estimateSummary"},
	{"status", "datasets/status", "Status"},
	{"rescore", "cmd/program", "comparison"},
	{"info", "datasets", "Info"},
	{"verify", "cmd/program", "verifyVerdict"},
	{"repair", "datasets/checking", "RepairReport"},
	{"stats", "cmd/program", "gameStats"},
	{"report", "cmd/internal/report", "Report"},
	{"wdl", "cmd/program", "wdlFit"},
	{"replay", "cmd/program", "replayed"},
	{"Failures of games", "cmd/program", "gameFailure"},
	{"convert, shuffle, mix", "cmd/program", "written"},
	{"sample", "cmd/program", "sampled"},
	{"games of convert --format moves", "datasets/movetext", "line"},
	{"Bad games", "datasets/ingest", "Bad"},
	{"dtype.json of records", "datasets/tablefile", "recordType"},
	{"index of webdataset", "datasets/tablefile", "Shard"},
	{"moves", "cmd/internal/ask", "Question"},
	{"Refusals", "cmd/internal/ask", "Refusal"},
	{"games", "encode", "Facts"},
	{"games --table", "encode", "gameTable"},
	{"players", "workers", "PlayerTypeFacts"},
	{"presets", "encode", "Preset"},
	{"match", "cmd/program", "matchResult"},
	{"net", "cmd/program", "netFacts"},
	{"Lines of net --check", "cmd/program", "netLine"},
	{"bench", "cmd/program", "figures"},
	{"version", "cmd/program", "programBuild"},
}

// elsewhere are folders and files whose types no section of docs/json.md lists, with the file that names their members; none
// for what only parts of this program read.
var elsewhere = []struct{ prefix, file string }{
	{"cmd/internal/serve/pages/", ""},
	{"cmd/internal/report/charts.go", ""},
	{"cmd/internal/report/replay.go", ""},
	{"cmd/internal/replay/step.go", ""},
	{"cmd/internal/evaluator/evaluatortest/", ""},
	{"datasets/disk/lock.go", ""},
	{"cmd/internal/serve/", "cmd/internal/serve/openapi.json"},
	{"cmd/internal/replay/", "cmd/internal/serve/openapi.json"},
	{"cmd/internal/evaluator/", "docs/evaluators.md"},
	{"cmd/internal/positions/", "docs/json.md"},
	{"datasets/record/croissant.go", "datasets/record/croissant.go"}, // a format of others
	{"encode/gametable.go", "docs/json.md"},                          // two forms of one member
}

// TestReferenceHasAllJSON compares the lists of docs/json.md with the types that commands write; -update rewrites them. A
// member that neither the page nor elsewhere has is an error.
func TestReferenceHasAllJSON(t *testing.T) {
	s := parseTypes(t)
	lists := map[string]string{}
	for _, o := range jsonObjects {
		lists["JSON of "+o.heading] = s.describe(t, o.heading, o.folder, o.name)
	}
	enginetest.Tables(t, filepath.Join(repository, "docs/json.md"), lists)
	for key, typ := range s.types {
		place := slices.IndexFunc(elsewhere, func(e struct{ prefix, file string }) bool { return strings.HasPrefix(typ.file, e.prefix) })
		for _, f := range typ.Fields.List {
			name, _ := jsonName(f)
			switch {
			case name == "" || name == "-" || s.listed[typ.StructType] != "":
			case place < 0:
				t.Errorf("%s: no list of docs/json.md has member %s of %s", typ.file, name, key)
			case elsewhere[place].file != "" && !names(t, elsewhere[place].file, name):
				t.Errorf("%s: %s has no member %s of %s", typ.file, elsewhere[place].file, name, key)
			}
		}
	}
}

// names reports whether a file has a name in quotes.
func names(t *testing.T, file, name string) bool {
	text := string(must.Get(os.ReadFile(filepath.Join(repository, file)))(t))
	return strings.Contains(text, `"`+name+`"`) || strings.Contains(text, "`"+name+"`") || strings.Contains(text, `"`+name+`,`)
}

// goType is a struct of the source.
type goType struct {
	*ast.StructType
	folder, file string
	imports      map[string]string // folders by the names of packages
}

// jsonTypes are the structs of the source by folder and name.
type jsonTypes struct {
	types  map[string]goType
	listed map[*ast.StructType]string // headings
	roots  map[*ast.StructType]bool
}

// parseTypes reads the declarations of all packages that write JSON.
func parseTypes(t *testing.T) *jsonTypes {
	t.Helper()
	s := &jsonTypes{map[string]goType{}, map[*ast.StructType]string{}, map[*ast.StructType]bool{}}
	first, _, _ := strings.Cut(string(must.Get(os.ReadFile(filepath.Join(repository, "go.mod")))(t)), "\n")
	module := strings.TrimPrefix(first, "module ") + "/"
	for _, top := range []string{"cmd", "datasets", "encode", "workers"} {
		must.Do(t, filepath.WalkDir(filepath.Join(repository, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			s.add(file, filepath.ToSlash(must.Get(filepath.Rel(repository, path))(t)), module)
			return nil
		}))
	}
	return s
}

// add adds the structs that a file declares.
func (s *jsonTypes) add(file *ast.File, path, module string) {
	folder, imports := filepath.ToSlash(filepath.Dir(path)), map[string]string{}
	for _, i := range file.Imports {
		target, own := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module)
		if own {
			imports[filepath.Base(target)] = target
		}
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			if typ, ok := spec.(*ast.TypeSpec); ok {
				if structure, ok := typ.Type.(*ast.StructType); ok {
					s.types[folder+"."+typ.Name.Name] = goType{structure, folder, path, imports}
				}
			}
		}
	}
}

// describe returns the list of the members of a type.
func (s *jsonTypes) describe(t *testing.T, heading, folder, name string) string {
	t.Helper()
	typ, ok := s.types[folder+"."+name]
	if !ok {
		t.Fatalf("no type %s.%s", folder, name)
	}
	var b strings.Builder
	s.roots[typ.StructType] = true
	s.list(&b, heading, "", typ)
	return b.String()
}

// list writes the members of a type. Members that need no words share a line.
func (s *jsonTypes) list(b *strings.Builder, heading, indent string, typ goType) {
	s.listed[typ.StructType] = heading
	var plain []string
	flush := func() {
		if len(plain) > 0 {
			fmt.Fprintf(b, "%s- %s\n", indent, strings.Join(plain, ", "))
		}
		plain = nil
	}
	for _, f := range typ.Fields.List {
		name, text := jsonName(f)
		inner, array := s.resolve(typ, f.Type)
		if len(f.Names) == 0 && name == "" && inner.StructType != nil {
			flush()
			if at := s.listed[inner.StructType]; s.roots[inner.StructType] {
				fmt.Fprintf(b, "%s- the members of [%s](#%s)\n", indent, at, anchorOf(at))
			} else {
				s.list(b, heading, indent, inner)
			}
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		label := "`" + name + array + "`"
		if text {
			label += " (text)"
		}
		says := meaning(typ, f)
		at, known := "", false
		if inner.StructType != nil {
			at, known = s.listed[inner.StructType]
		}
		switch {
		case known && at == heading && says == "", inner.StructType == nil && says == "":
			plain = append(plain, label)
			continue
		case known && at != heading:
			says = strings.TrimPrefix(says+", as in ["+at+"](#"+anchorOf(at)+")", ", ")
		}
		flush()
		fmt.Fprintf(b, "%s- %s%s\n", indent, label, strings.TrimSuffix(": "+says, ": "))
		if inner.StructType != nil && !known {
			s.list(b, heading, indent+"  ", inner)
		}
	}
	flush()
}

// resolve returns the struct that a member holds, if it is one of the source, and [] if it holds several.
func (s *jsonTypes) resolve(in goType, e ast.Expr) (typ goType, array string) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return s.resolve(in, e.X)
	case *ast.ArrayType:
		typ, _ = s.resolve(in, e.Elt)
		return typ, "[]"
	case *ast.StructType:
		in.StructType = e
		return in, ""
	case *ast.Ident:
		return s.types[in.folder+"."+e.Name], ""
	case *ast.SelectorExpr:
		return s.types[in.imports[e.X.(*ast.Ident).Name]+"."+e.Sel.Name], ""
	}
	return goType{}, ""
}

// jsonName returns the name of a member, "" without one, and whether it is a number that is written as text.
func jsonName(f *ast.Field) (name string, text bool) {
	if f.Tag == nil {
		return "", false
	}
	name, options, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
	return name, options == "string"
}

// source begins what a comment says to readers of the source only.
var source = regexp.MustCompile(`[;:,.]? ?\b[sS]ee (also )?\S+$|; Make fills it in$`)

// meaning returns what the comment of a field says, with names of members in place of names of fields.
func meaning(typ goType, f *ast.Field) string {
	comment := f.Comment
	if comment == nil {
		comment = f.Doc
	}
	text := strings.Join(strings.Fields(comment.Text()), " ")
	if len(f.Names) > 0 {
		for _, verb := range []string{" is ", ": ", " says that ", " are "} {
			text = strings.TrimPrefix(text, f.Names[0].Name+verb)
		}
	}
	text = strings.TrimSuffix(source.ReplaceAllString(strings.TrimSuffix(text, "."), ""), ".")
	fields := map[string]string{}
	for _, other := range typ.Fields.List {
		for _, id := range other.Names {
			if name, _ := jsonName(other); name != "" && name != "-" {
				fields[id.Name] = "`" + name + "`"
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text = regexp.MustCompile(`(^|[ (])`+name+`\b`).ReplaceAllString(text, "${1}"+fields[name])
	}
	return strings.ReplaceAll(text, "nil ", "missing ")
}

// anchorOf returns the anchor of a heading.
func anchorOf(text string) string {
	return strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(text), ""), " ", "-")
}
