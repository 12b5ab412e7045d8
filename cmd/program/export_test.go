package program

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path"
	"path/filepath"
	"regexp"
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

// diskTempDir returns a new folder on disk.
func diskTempDir(t *testing.T) string {
	t.Helper()
	dir := must.Get(os.MkdirTemp(diskTemp, "selfplay-test-"))(t)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// export runs the program.
func export(args ...string) outcome {
	var stdout, stderr bytes.Buffer
	code := runExport(context.Background(), catalog, append([]string{"export"}, args...), strings.NewReader(""), &stdout, &stderr)
	return outcome{"export", code, stdout.String(), stderr.String()}
}

// mustExport runs a command, which must exit with 0, and returns its stdout.
func mustExport(t testing.TB, args ...string) string {
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
	text := mustExport(t, args...)
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

// randomDataset makes a dataset of 12 games of the first game in 3 shards, one of them for
// validation.
func randomDataset(t *testing.T, boardType string) string {
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
	for _, c := range exportCommands(catalog.Games) {
		lines := strings.Split(c.Description, "\n")
		for i, line := range lines {
			if lines[i] = "   " + line; len([]rune(lines[i])) > columns {
				t.Errorf("%s: line of %d columns: %s", c.Name, len([]rune(lines[i])), line)
			}
		}
		if line := "selfplay " + c.Name + " - " + c.Usage; len(line) > columns {
			t.Errorf("%s: usage of %d columns: %s", c.Name, len(line), c.Usage)
		}
		_, examples, found := strings.Cut(c.Description, "Examples:\n")
		for example := range strings.SplitSeq(examples, "\n") {
			if !found || !strings.HasPrefix(example, "  selfplay "+c.Name+" ") {
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

// TestExportTranscripts runs commands on datasets of random games.
func TestExportTranscripts(t *testing.T) {
	busy := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer busy.Close()
	game, sets := encode.Games()[0], t.TempDir()
	for name, made := range map[string]string{
		"set":    randomDataset(t, plan.List),
		"packed": randomDataset(t, plan.Packed),
		"planes": datasetOf(t, game, &game.Layouts[1], plan.List),
		"a":      playedWith(t, game, 1, 334),
		"b":      playedWith(t, game, 2, 334),
		"same":   playedWith(t, game, 1, 500), // the games of a
		"train":  playedWith(t, game, 3, 0),
		"other":  playedWith(t, encode.Games()[1], 4, 334),
		"scored": searchedDataset(t, "chess", "greedy", 20, nil),
	} {
		os.Rename(made, filepath.Join(sets, name))
	}
	contrastGames(t, filepath.Join(sets, "small"), plan.Parquet, plan.List, 6, 30)
	contrastGames(t, filepath.Join(sets, "one"), plan.Parquet, plan.List, 2, 6) // shard
	cmdtest.Transcripts(t, "testdata/transcripts/export/*.txt", programs, func(t *testing.T, dir string) map[string]string {
		text := readText(filepath.Join("testdata", "transcripts", "export", path.Base(t.Name())+".txt"))
		for _, set := range must.Get(os.ReadDir(sets))(t) {
			if regexp.MustCompile(`\b` + set.Name() + `\b`).MatchString(text) { // each command reads all files of the folder
				must.Do(t, os.CopyFS(filepath.Join(dir, set.Name()), os.DirFS(filepath.Join(sets, set.Name()))))
			}
		}
		return map[string]string{"BUSY": busy.Addr().String()}
	})
}

// TestTextOfAPlanCannotControlTheTerminal: the plan, the file names and so the messages of a
// dataset may come from a stranger.
func TestTextOfAPlanCannotControlTheTerminal(t *testing.T) {
	game := encode.Games()[0]
	evil := plan.Player{Spec: "\x1b[2J\x1b]0;title\x07\r\nstate  complete\u009b31m", Version: 1}
	dir := datasetBy(t, game, &game.Layouts[0], plan.List, [2]plan.Player{evil, evil})
	if err := os.WriteFile(filepath.Join(dir, "positions", "x\x1b[2J\nok: y"), nil, 0o644); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{
		{"info", dir}, {"stats", dir}, {"wdl", dir}, {"head", dir}, {"verify", dir}, {"repair", "--dry-run", dir},
		{"rows", "--out", out + "1", dir}, {"dedup", "--out", out + "2", dir}, {"report", "--out", out + "3", dir},
		{"info", "--json", dir}, {"stats", "--json", dir}, {"verify", "--json", dir}, {"report", "--json", dir},
	} {
		o := export(args...)
		text := o.stdout + o.stderr
		if i := strings.IndexAny(text, "\x1b\x07\r\u009b"); i >= 0 {
			t.Errorf("%s prints %q", args[0], text[i:])
		}
		if strings.Contains(text, "\nstate  complete\u009b") || strings.Contains(text, "\nok: y") {
			t.Errorf("%s prints a forged line: %s", args[0], text)
		}
	}
	if o := export("info", dir); !strings.Contains(o.stdout, `"\x1b[2J\x1b]0;title\a\r\nstate  complete\u009b31m"`) {
		t.Errorf("info does not quote the player: %s", o.stdout)
	}
}

// TestJSONOfStatisticsHasFewDigits: processors compute other last digits.
func TestJSONOfStatisticsHasFewDigits(t *testing.T) {
	dir := searchedDataset(t, "contrast", "greedy", 60, nil)
	float := regexp.MustCompile(`[:,\[]-?([0-9]*\.[0-9]+)`)
	for command, most := range map[string]int{"stats": 12, "report": 12, "wdl": 6} {
		o := export(command, "--json", dir)
		numbers := float.FindAllStringSubmatch(o.stdout, -1)
		if o.code != 0 || len(numbers) == 0 {
			t.Fatalf("%s: %+v", command, o)
		}
		for _, n := range numbers {
			if digits := strings.TrimLeft(strings.Replace(n[1], ".", "", 1), "0"); len(digits) > most {
				t.Errorf("%s prints %s", command, n[1])
			}
		}
	}
}

// wrongGames makes a dataset whose files are as committed, but whose games break the rules,
// as a faulty program might make it.
func wrongGames(t *testing.T, game encode.Game, seed uint64) string {
	t.Helper()
	dir, src := filepath.Join(t.TempDir(), "set"), rand.New(rand.NewPCG(seed, 1))
	makeRandom(t, dir, game, &game.Layouts[0], 8, plan.Plan{Seed: seed, MaxPlies: 60, ShardGames: 4, Validation: 334}, func(o *making.Options) {
		play := o.Play
		o.Play = func(ctx context.Context, games []uint64, _ engine.Journal, sink func(*engine.Record) error) error {
			return play(ctx, games, nil, func(r *engine.Record) error {
				breakRecord(r, game.Actions.Count, src)
				return sink(r)
			})
		}
		o.Rows = func() datasets.RowFunc {
			return func(*engine.Record, *encode.Table, []uint64) error { return nil }
		}
		o.OpenShards = 1
	})
	return dir
}

// breakRecord changes a record so that it is no longer a game.
func breakRecord(r *engine.Record, actions int, src *rand.Rand) {
	switch at := src.IntN(len(r.Actions)); src.IntN(8) {
	case 0:
		r.Actions[at] = uint16(src.IntN(actions))
	case 1:
		r.Actions[at] = uint16(src.Uint32())
	case 2:
		r.Actions = append(r.Actions, r.Actions...)
		r.MoveRanks = append(r.MoveRanks, r.MoveRanks...)
	case 3:
		src.Shuffle(len(r.Actions), func(i, j int) { r.Actions[i], r.Actions[j] = r.Actions[j], r.Actions[i] })
	case 4:
		r.MoveRanks = r.MoveRanks[:at]
	case 5:
		r.Start = "8/8/8/8/8/8/8/8 w - - 0 1"
	case 6:
		r.Outcome = engine.Outcome{Result: engine.Result(src.IntN(256)), Reason: engine.Reason(src.IntN(256))}
	case 7:
		r.Nodes, r.Scores, r.PolicySize = []uint32{1, 2}, []int16{3}, []uint16{60000}
	}
}

// TestWrongGames: verify --deep finds games that break the rules, and no command that
// replays them crashes.
func TestWrongGames(t *testing.T) {
	rounds := uint64(3)
	if *damageCount >= 1000 {
		rounds = 100
	}
	for _, game := range encode.Games() {
		for seed := range rounds {
			t.Run(fmt.Sprint(game.Name, seed), func(t *testing.T) {
				dir := wrongGames(t, game, seed)
				out := filepath.Join(t.TempDir(), "out")
				mustExport(t, "verify", dir)
				if o := export("verify", "--deep", dir); o.code != 4 {
					t.Errorf("verify --deep: %+v", o)
				}
				for _, args := range [][]string{
					{"info"}, {"head"}, {"stats"}, {"stats", "--exact"}, {"wdl"}, {"rows", "--out", out}, {"dedup", "--out", out + "2"},
					{"convert", "--format", "moves", "--out", "-"}, {"sample", "--rows", "5", "--boards", "text", "--format", "csv", "--out", "-"}, {"report", "--json"},
				} {
					if o := export(append(args, dir)...); o.code > 2 || o.code != 0 && !strings.HasSuffix(o.stderr, "\n") {
						t.Errorf("%v: %+v", args, o)
					}
				}
			})
		}
	}
}
