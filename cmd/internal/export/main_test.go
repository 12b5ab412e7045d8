package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"selfplay/cmd/internal/cmdtest"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// diskTemp is the folder for temporary files on disk, from which programs can be started.
var diskTemp = os.TempDir()

// TestMain collects garbage less often, because each of thousands of commands allocates large buffers for a few
// rows.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	cmdtest.TempInMemory()
	os.Exit(m.Run())
}

// diskTempDir returns a new folder on disk.
func diskTempDir(t *testing.T) string {
	t.Helper()
	dir := must.Get(os.MkdirTemp(diskTemp, "selfplay-test-"))(t)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// outcome is the result of a run of the program.
type outcome struct {
	code           int
	stdout, stderr string
}

// known are the games and players of this module.
var known = workers.Catalog{Games: encode.Games(), Players: workers.PlayerTypes()}

// export runs the program.
func export(args ...string) outcome {
	var stdout, stderr bytes.Buffer
	code := Run(context.Background(), known, append([]string{"export"}, args...), strings.NewReader(""), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// mustRun runs a command, which must exit with 0, and returns its stdout.
func mustRun(t testing.TB, args ...string) string {
	t.Helper()
	o := export(args...)
	if o.code != 0 {
		t.Fatalf("%q: %+v", args, o)
	}
	return o.stdout
}

// objects runs a command that prints objects of JSON, one a line.
func objects[T any](t testing.TB, args ...string) (list []T) {
	t.Helper()
	text := mustRun(t, args...)
	for line := range strings.Lines(text) {
		var object T
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%q: %v: %s", args, err, line)
		}
		list = append(list, object)
	}
	if len(list) == 0 {
		t.Fatalf("%q printed nothing", args)
	}
	return list
}

// object is objects of a command that prints one.
func object[T any](t testing.TB, args ...string) T {
	t.Helper()
	list := objects[T](t, args...)
	if len(list) != 1 {
		t.Fatalf("%q printed %d objects", args, len(list))
	}
	return list[0]
}

// mustRefuse checks the exit code, and that stderr is one line that contains want.
func mustRefuse(t *testing.T, o outcome, code int, want string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code %d, want %d; stdout %s", o.code, code, o.stdout)
	}
	if strings.Count(o.stderr, "\n") != 1 || !strings.HasPrefix(o.stderr, "export: ") {
		t.Errorf("stderr is not one line that begins with export: %q", o.stderr)
	}
	if !strings.Contains(o.stderr, want) {
		t.Errorf("stderr is %q, want it to contain %q", o.stderr, want)
	}
}

// dataset makes a dataset of 12 games of the first game in 3 shards, one of them for
// validation.
func dataset(t *testing.T, boardType string) string {
	t.Helper()
	game := encode.Games()[0]
	return datasetOf(t, game, &game.Layouts[0], boardType)
}

// datasetOf is dataset for a given game and layout.
func datasetOf(t *testing.T, game encode.Game, layout *encode.Layout, boardType string) string {
	t.Helper()
	return datasetBy(t, game, layout, boardType, [2]plan.Player{})
}

// datasetBy is datasetOf with the names of players in the plan.
func datasetBy(t *testing.T, game encode.Game, layout *encode.Layout, boardType string, players [2]plan.Player) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "help") // a directory may have the name of a command
	makeRandom(t, dir, game, layout, 12, plan.Plan{Seed: 5, MaxPlies: 60, Players: players, BoardType: boardType, ShardGames: 4, Validation: 334}, nil)
	return dir
}

// makeRandom makes a dataset of random games. p has what does not follow from game and layout, and
// change may modify the options.
func makeRandom(t testing.TB, dir string, game encode.Game, layout *encode.Layout, games uint64, p plan.Plan, change func(*making.Options)) {
	t.Helper()
	player := must.Get(workers.ParsePlayer(&game.Game, "random"))(t)
	pool := workers.Start(workers.Series{Game: game, Players: [2]workers.PlayerSpec{player, player}, Seed: p.Seed, MaxPlies: p.MaxPlies}, 2)
	defer pool.Close()
	view := encode.View{Layout: layout}
	p.Game, p.Rules, p.Actions = game.Name, game.Rules, game.Actions.Version
	p.Layout, p.LayoutVersion = layout.Name, layout.Version
	o := making.Options{
		Play: pool.Play,
		Rows: func() datasets.RowFunc { return encode.NewReplayer(game, "", view).Append },
		Description: plan.Description{
			Title: game.Title, Sides: game.Sides, Results: game.Results(), Reasons: game.ReasonNames(),
			Actions: game.Actions.Count, Columns: view.Columns(), Elements: layout.Elements, Metadata: layout.Metadata,
		},
	}
	if change != nil {
		change(&o)
	}
	must.Get(making.Make(t.Context(), dir, p, games, o))(t)
}

// TestHelp: the usage of each command fits on a line of 100 columns, and its description
// ends with examples.
func TestHelp(t *testing.T) {
	const columns = 100
	for _, c := range Commands(known.Games) {
		lines := strings.Split(c.Description, "\n")
		for i, line := range lines {
			if lines[i] = "   " + line; len([]rune(lines[i])) > columns {
				t.Errorf("%s: line of %d columns: %s", c.Name, len([]rune(lines[i])), line)
			}
		}
		if line := "selfplay export " + c.Name + " - " + c.Usage; len(line) > columns {
			t.Errorf("%s: usage of %d columns: %s", c.Name, len(line), c.Usage)
		}
		_, examples, found := strings.Cut(c.Description, "Examples:\n")
		for example := range strings.SplitSeq(examples, "\n") {
			if !found || !strings.HasPrefix(example, "  export "+c.Name+" ") {
				t.Errorf("%s: example %q", c.Name, example)
			}
		}
	}
}

// TestHeadOfEveryGame: an object has the columns and the members of the position, and the
// table shows the position if the layout can be decoded.
func TestHeadOfEveryGame(t *testing.T) {
	for _, game := range encode.Games() {
		for i := range game.Layouts {
			layout := &game.Layouts[i]
			t.Run(game.Name+" "+layout.Name, func(t *testing.T) {
				dir, start := datasetOf(t, game, layout, plan.List), game.New("")
				var members []encode.Member
				position := "not in layout " + layout.Name
				if layout.Members != nil {
					members = layout.Members(layout.Encode(nil, start), engine.First)
				}
				if layout.Decode != nil {
					position = start.String()
				}
				o := export("head", "--rows", "1", "--json", dir)
				var row map[string]any
				must.Do(t, json.Unmarshal([]byte(o.stdout), &row))
				if want := len(encode.View{Layout: layout}.Columns()) + len(members); len(row) != want {
					t.Errorf("a row has %d members, want %d: %s", len(row), want, o.stdout)
				}
				for _, m := range members {
					if _, ok := row[m.Name]; !ok {
						t.Errorf("a row has no member %s: %s", m.Name, o.stdout)
					}
				}
				if o := export("head", "--rows", "1", dir); !strings.HasSuffix(o.stdout, "  "+position+"\n") {
					t.Errorf("the table does not end with %q:\n%s", position, o.stdout)
				}
			})
		}
	}
}

func TestActions(t *testing.T) {
	for _, game := range encode.Games() {
		o := export("actions", "--game", game.Name)
		lines := strings.Split(o.stdout, "\n")
		if o.code != 0 || o.stderr != "" || lines[0] != "number,from,to,kind" || len(lines) != game.Actions.Count+2 {
			t.Errorf("%s: code %d, stderr %s, %d lines that begin with %q", game.Name, o.code, o.stderr, len(lines), lines[0])
		}
		pos := game.New("")
		m := pos.Moves(nil)[0]
		n := game.Actions.Number(m)
		if a := game.Actions.Describe(n); lines[n+1] != fmt.Sprintf("%d,%s,%s,%s", n, a.From, a.To, a.Kind) {
			t.Errorf("%s: %s has number %d, whose line is %q", game.Name, pos.FormatMove(m), n, lines[n+1])
		}
	}
}
