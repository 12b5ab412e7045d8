package program

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/internal/must"
)

// A flag that no action reads, and a parameter that no player reads, look as if they worked.
// These tests follow the source from the action of each command, and from the constructor of
// each type of player, and look for the names. They know the types of one package only: a method
// of an interface, or of a value of unknown type, stands for all methods with that name.

// sourceOfFlags is a parsed package.
type sourceOfFlags struct {
	types.Info
	scope   *types.Scope
	decls   map[types.Object]ast.Node
	methods map[string][]types.Object
	entries map[string]ast.Node // the code that reads flags or parameters, by the name of the command or player
}

// noPackages imports nothing: the types of other packages stay unknown.
type noPackages struct{}

func (noPackages) Import(path string) (*types.Package, error) { return nil, errors.New(path) }

// parseSource reads the files of a package. What is wrong with unknown types does not matter.
func parseSource(set *token.FileSet, files ...*ast.File) *sourceOfFlags {
	s := &sourceOfFlags{
		Info:  types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}},
		decls: map[types.Object]ast.Node{}, methods: map[string][]types.Object{}, entries: map[string]ast.Node{},
	}
	config := types.Config{Importer: noPackages{}, Error: func(error) {}}
	pkg, _ := config.Check("p", set, files, &s.Info)
	s.scope = pkg.Scope()
	for _, f := range files {
		s.add(f)
	}
	return s
}

// parseFolder parses the package in a folder without its tests.
func parseFolder(t *testing.T, folder string) *sourceOfFlags {
	t.Helper()
	set, files := token.NewFileSet(), []*ast.File{}
	for _, name := range must.Get(filepath.Glob(filepath.Join(folder, "*.go")))(t) {
		if !strings.HasSuffix(name, "_test.go") {
			files = append(files, must.Get(parser.ParseFile(set, name, nil, 0))(t))
		}
	}
	return parseSource(set, files...)
}

// add adds the declarations and the entries of a file.
func (s *sourceOfFlags) add(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.decls[s.Defs[n.Name]] = n
			if n.Recv != nil {
				s.methods[n.Name.Name] = append(s.methods[n.Name.Name], s.Defs[n.Name])
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				s.decls[s.Defs[name]] = n
			}
		case *ast.CompositeLit:
			s.addEntry(n)
		}
		return true
	})
}

// addEntry adds a cli.Command or a workers.PlayerType. A command whose name is no constant has
// the name "".
func (s *sourceOfFlags) addEntry(l *ast.CompositeLit) {
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
			name, _ := s.text(fields["Name"])
			s.entries[name] = code
		}
	}
}

// text returns the string that an expression is: a literal or a constant.
func (s *sourceOfFlags) text(e ast.Expr) (text string, ok bool) {
	v := s.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// follower follows code from an entry.
type follower struct {
	*sourceOfFlags
	names map[string]bool // the strings that it reads values by
	seen  map[types.Object]bool
}

// follow reads what an object is declared as.
func (r *follower) follow(o types.Object) {
	if d := r.decls[o]; d != nil && !r.seen[o] {
		r.seen[o] = true
		r.read(d)
	}
}

// followName follows what a name stands for, or, if that is not known, all methods of this name.
func (r *follower) followName(name *ast.Ident) {
	o := r.Uses[name]
	if _, isCode := o.(*types.Func); o != nil && (!isCode || r.decls[o] != nil) {
		r.follow(o)
		return
	}
	for _, method := range r.methods[name.Name] {
		r.follow(method)
	}
}

// read finds the strings that code reads values by: arguments of calls with a context c, elements
// of lists and tables, and indices. Names of flags that are declared are none of these.
func (r *follower) read(code ast.Node) {
	isContext := func(e ast.Expr) bool {
		id := identIn(e)
		return id != nil && id.Name == "c"
	}
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			of, _ := n.Fun.(*ast.SelectorExpr)
			if of != nil && isContext(of.X) || slices.ContainsFunc(n.Args, isContext) {
				r.add(n.Args...)
			}
		case *ast.CompositeLit:
			r.add(n.Elts...)
		case *ast.IndexExpr:
			r.add(n.Index)
		case *ast.SelectorExpr:
			_, isPackage := r.Uses[identIn(n.X)].(*types.PkgName)
			if isPackage || isContext(n.X) {
				return false
			}
		case *ast.Ident:
			r.followName(n)
		}
		return true
	})
}

// identIn returns the identifier that an expression is, nil if it is none.
func identIn(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}

func (r *follower) add(list ...ast.Expr) {
	for _, e := range list {
		if text, ok := r.text(e); ok {
			r.names[text] = true
		}
	}
}

// unread returns the names that neither an entry nor what the frame does for all reads.
func (s *sourceOfFlags) unread(name string, declared []string) []string {
	code, ok := s.entries[name]
	if !ok {
		code = s.entries[""]
	}
	r := &follower{s, map[string]bool{}, map[types.Object]bool{}}
	r.follow(s.scope.Lookup("runApp"))
	r.follow(s.scope.Lookup("isQuiet")) // commands without logs have nothing that it silences
	if code != nil {
		r.read(code)
	}
	return slices.DeleteFunc(declared, func(name string) bool { return r.names[name] })
}

func TestEveryFlagIsRead(t *testing.T) {
	s := parseFolder(t, ".")
	program := newApp("selfplay", "", catalog, nil, selfplayCommands(catalog.Games)...)
	visitCommands(program.Commands, nil, func(line []string, c *cli.Command) {
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
	s := parseFolder(t, "../../workers")
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
func above(c *cli.Context) { required(c, "needed"); p.wing(c.Bool(far)) }
var player = PlayerType{Name: "bird", New: func(v Values) { v["wings"]++ }}`
	set := token.NewFileSet()
	s := parseSource(set, must.Get(parser.ParseFile(set, "", text, 0))(t))
	for name, declared := range map[string][]string{"fly": {"far", "list", "needed", "high"}, "land": {"high", "far"}, "bird": {"wings", "beak"}} {
		want := map[string]string{"fly": "high", "land": "far", "bird": "beak"}[name]
		if got := s.unread(name, declared); !slices.Equal(got, []string{want}) {
			t.Errorf("%s does not read %q, want %s", name, got, want)
		}
	}
}
