package program

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/internal/must"
)

// A flag that no action reads, and a parameter that no player reads, look as if they worked.
// These tests follow the source from the action of each command, and from the constructor of
// each type of player, and look for the names. They know names, no types: a method stands for
// all methods of its package with that name.

// source is parsed packages.
type source struct {
	decls   map[string][]ast.Node // functions, methods and variables, by names such as app.Dirs
	consts  map[string]string     // constant strings, likewise
	entries map[string]entry      // by the name of the command or player
}

// entry is the code that reads the flags of a command or the parameters of a player.
type entry struct {
	pkg  string
	code ast.Node
}

func newSource() *source {
	return &source{map[string][]ast.Node{}, map[string]string{}, map[string]entry{}}
}

// parseFolders parses the packages in some folders without their tests.
func parseFolders(t *testing.T, folders ...string) *source {
	t.Helper()
	s := newSource()
	for _, folder := range folders {
		for _, name := range must.Get(filepath.Glob(filepath.Join(folder, "*.go")))(t) {
			if !strings.HasSuffix(name, "_test.go") {
				f := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
				s.add(f.Name.Name, f)
			}
		}
	}
	return s
}

// add adds the declarations and the entries of a file.
func (s *source) add(pkg string, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.declare(pkg, n.Name, n)
		case *ast.ValueSpec:
			for i, name := range n.Names {
				s.declare(pkg, name, n)
				if i < len(n.Values) {
					s.consts[pkg+"."+name.Name], _ = s.text(pkg, n.Values[i])
				}
			}
		case *ast.CompositeLit:
			s.addEntry(pkg, n)
		}
		return true
	})
}

func (s *source) declare(pkg string, name *ast.Ident, n ast.Node) {
	s.decls[pkg+"."+name.Name] = append(s.decls[pkg+"."+name.Name], n)
}

// addEntry adds a cli.Command or a workers.PlayerType. A command whose name is no constant has
// the name "".
func (s *source) addEntry(pkg string, l *ast.CompositeLit) {
	fields := map[string]ast.Expr{}
	for _, e := range l.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				fields[key.Name] = kv.Value
			}
		}
	}
	for _, key := range []string{"Action", "New"} {
		if code := fields[key]; code != nil && fields["Name"] != nil {
			name, _ := s.text(pkg, fields["Name"])
			s.entries[name] = entry{pkg, code}
		}
	}
}

// text returns the string that an expression is: a literal or a constant.
func (s *source) text(pkg string, e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.Ident:
		text, ok = s.consts[pkg+"."+e.Name]
	case *ast.SelectorExpr:
		text, ok = s.consts[identOf(e.X)+"."+e.Sel.Name]
	}
	return text, ok
}

// identOf returns the name that an expression is, "" if it is none.
func identOf(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// follower follows code from an entry.
type follower struct {
	*source
	names map[string]bool // the strings that it reads values by
	seen  map[string]bool // the names of declarations
}

// follow reads what a name stands for.
func (r *follower) follow(pkg, name string) {
	key := pkg + "." + name
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	for _, d := range r.decls[key] {
		r.read(pkg, d)
	}
}

// read finds the strings that code reads values by: arguments of calls with a context c, elements
// of lists and tables, and indices. Names of flags that are declared are none of these.
func (r *follower) read(pkg string, code ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			of, _ := n.Fun.(*ast.SelectorExpr)
			isContext := func(e ast.Expr) bool { return identOf(e) == "c" }
			if of != nil && isContext(of.X) || slices.ContainsFunc(n.Args, isContext) {
				r.add(pkg, n.Args...)
			}
		case *ast.CompositeLit:
			r.add(pkg, n.Elts...)
		case *ast.IndexExpr:
			r.add(pkg, n.Index)
		case *ast.SelectorExpr:
			r.follow(identOf(n.X), n.Sel.Name)
			r.follow(pkg, n.Sel.Name)
		case *ast.Ident:
			r.follow(pkg, n.Name)
		}
		return true
	})
}

func (r *follower) add(pkg string, list ...ast.Expr) {
	for _, e := range list {
		if text, ok := r.text(pkg, e); ok {
			r.names[text] = true
		}
	}
}

// unread returns the names that neither an entry nor what the frame does for all reads.
func (s *source) unread(name string, declared []string) []string {
	e, ok := s.entries[name]
	if !ok {
		e = s.entries[""]
	}
	r := &follower{s, map[string]bool{}, map[string]bool{}}
	r.follow("app", "Run")
	r.follow("app", "Quiet") // commands without logs have nothing that it silences
	if e.code != nil {
		r.read(e.pkg, e.code)
	}
	return slices.DeleteFunc(declared, func(name string) bool { return r.names[name] })
}

func TestEveryFlagIsRead(t *testing.T) {
	folders := must.Get(filepath.Glob("../internal/*"))(t)
	s := parseFolders(t, append(folders, ".")...)
	program := app.New("selfplay", "", catalog, nil, commands(catalog.Games)...)
	visit(program.Commands, nil, func(line []string, c *cli.Command) {
		var declared []string
		for _, f := range c.Flags {
			declared = append(declared, f.Names()[0])
		}
		if list := s.unread(c.Name, declared); len(list) > 0 {
			t.Errorf("%v: nothing reads the flags %v", line, list)
		}
	})
}

func TestEveryParameterOfAPlayerIsRead(t *testing.T) {
	s := parseFolders(t, "../../workers")
	for _, player := range catalog.Players {
		for _, g := range catalog.Games {
			if player.Params == nil || player.New == nil {
				continue
			}
			var declared []string
			for _, p := range player.Params(&g.Game) {
				declared = append(declared, p.Name)
			}
			if list := s.unread(player.Name, declared); len(list) > 0 {
				t.Errorf("%s in %s: nothing reads the parameters %v", player.Name, g.Name, list)
			}
		}
	}
}

// TestWhatIsNotReadIsFound: the two tests above fail if a name is only declared, or read by
// another command.
func TestWhatIsNotReadIsFound(t *testing.T) {
	const text = `package p
const far = "far"
var command = cli.Command{Name: "fly", Flags: []cli.Flag{&cli.BoolFlag{Name: "high"}}, Action: fly}
var other = cli.Command{Name: "land", Action: func(c *cli.Context) { c.Bool("high") }}
func fly(c *cli.Context) { for _, f := range []string{"list"} { c.Bool(f) }; above(c); print("high") }
func above(c *cli.Context) { app.Required(c, "needed"); p.wing(c.Bool(far)) }
var player = PlayerType{Name: "bird", New: func(v Values) { v["wings"]++ }}`
	f := must.Get(parser.ParseFile(token.NewFileSet(), "", text, 0))(t)
	s := newSource()
	s.add("p", f)
	for name, declared := range map[string][]string{"fly": {"far", "list", "needed", "high"}, "land": {"high", "far"}, "bird": {"wings", "beak"}} {
		want := map[string]string{"fly": "high", "land": "far", "bird": "beak"}[name]
		if got := s.unread(name, declared); !slices.Equal(got, []string{want}) {
			t.Errorf("%s does not read %q, want %s", name, got, want)
		}
	}
}
