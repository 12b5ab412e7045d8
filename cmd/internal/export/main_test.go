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

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// diskTemp is the folder for temporary files on disk, from which programs can be started.
var diskTemp = os.TempDir()

// TestMain keeps the datasets of the tests in memory if that is possible, because the tests
// would spend most of their time in fsync. It collects garbage less often, because each of
// thousands of commands allocates large buffers for a few rows.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	const memory, enough = "/dev/shm", 1 << 30
	if free, _, ok := (disk.OS{}).Space(memory); ok && free > enough && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", memory)
	}
	os.Exit(m.Run())
}

// diskTempDir returns a new folder on disk.
func diskTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(diskTemp, "selfplay-test-")
	if err != nil {
		t.Fatal(err)
	}
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
	return datasetBy(t, game, layout, boardType, [2]datasets.Player{})
}

// datasetBy is datasetOf with the names of players in the plan.
func datasetBy(t *testing.T, game encode.Game, layout *encode.Layout, boardType string, players [2]datasets.Player) string {
	t.Helper()
	player, err := workers.ParsePlayer(&game.Game, "random")
	if err != nil {
		t.Fatal(err)
	}
	pool := workers.Start(workers.Series{Game: game, Players: [2]workers.PlayerSpec{player, player}, Seed: 5, MaxPlies: 60}, 2)
	defer pool.Close()
	dir := filepath.Join(t.TempDir(), "help") // a directory may have the name of a command
	_, err = datasets.Make(t.Context(), dir, datasets.Plan{
		Game: game.Name, Rules: game.Rules, Seed: 5, MaxPlies: 60, Players: players,
		Layout: layout.Name, LayoutVersion: layout.Version, Actions: game.Actions.Version,
		BoardType: boardType, ShardGames: 4, Validation: 334,
	}, 12, datasets.Options{
		Play: pool.Play,
		Rows: func() datasets.RowFunc { return encode.NewReplayer(game, "", encode.View{Layout: layout}).Append },
		Description: datasets.Description{
			Title: game.Title, Sides: game.Sides, Results: []string{"", game.Sides[0], game.Sides[1], "draw"}, Reasons: game.ReasonNames(),
			Actions: game.Actions.Count, Columns: encode.View{Layout: layout}.Columns(), Elements: layout.Elements, Metadata: layout.Metadata,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRefusals(t *testing.T) {
	dir := dataset(t, datasets.List)
	file := filepath.Join(dir, "plan.json")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no command: want one of info, verify, repair, head, import, rows, rescore, dedup, mix, sample, convert, shuffle, actions, stats, report, serve, wdl"},
		{[]string{"dump", dir}, `unknown command "dump"`},
		{[]string{"info"}, "no directory: want export info [flags] DIR"},
		{[]string{"info", ""}, "the name of the directory is empty"},
		{[]string{"info", dir, dir}, "unexpected argument"},

		{[]string{"info", "--rows", "3", dir}, "unknown flag --rows"},
		{[]string{"head", "--rows", "0", dir}, "rows 0: want 1 to"},
		{[]string{"head", "--rows", "x", dir}, `invalid value "x" for flag --rows`},
		{[]string{"verify", "--quick", "--deep", dir}, "exclude each other"},
		{[]string{"info", file}, "not a directory"},
		{[]string{"info", filepath.Join(dir, "none")}, "no such directory"},
		{[]string{"info", filepath.Join(dir, "games")}, "not a dataset"},
		{[]string{"head", filepath.Join(dir, "games")}, "not a dataset"},
		{[]string{"verify", filepath.Join(dir, "games")}, "not a dataset"},
		{[]string{"verify", "--deep", filepath.Join(dir, "games")}, "not a dataset"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			o := export(c.args...)
			mustRefuse(t, o, 2, c.want)
			if o.stdout != "" {
				t.Errorf("stdout is not empty: %s", o.stdout)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	dir := dataset(t, datasets.List)
	o := export("info", "--json", dir)
	var info datasets.Info
	if err := json.Unmarshal([]byte(o.stdout), &info); err != nil || o.code != 0 || o.stderr != "" {
		t.Fatalf("%v: %+v", err, o)
	}
	if info.Game != "cotulenh" || !info.Complete || info.Games != 12 || info.Shards != 3 || info.ShardsDone != 3 || len(info.Splits) != 2 {
		t.Errorf("got %+v", info)
	}
	if strings.Count(o.stdout, "\n") != 1 {
		t.Errorf("want one line: %q", o.stdout)
	}
	o = export("info", dir)
	for _, want := range []string{"cotulenh", "complete, 3 of 3 shards", "seed 5", "train", "validation", info.PlanHash} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("info does not print %q:\n%s", want, o.stdout)
		}
	}
}

// TestInfoOfACopy: without .selfplay/ the manifest tells the totals.
func TestInfoOfACopy(t *testing.T) {
	dir := dataset(t, datasets.List)
	remove(t, dir, ".selfplay")
	if o := export("info", dir); o.code != 0 || !strings.Contains(o.stdout, "complete by manifest.json, without .selfplay/, 3 of 3 shards") ||
		!strings.Contains(o.stdout, "12 of 12") {
		t.Errorf("%+v", o)
	}
}

// damage changes the content of one file of a dataset.
func damage(t *testing.T, dir, name string, change func([]byte) []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func flip(data []byte) []byte { data[len(data)/2] ^= 1; return data }

func shorten(data []byte) []byte { return data[:len(data)-1] }

func TestVerify(t *testing.T) {
	for _, boardType := range []string{datasets.List, datasets.Packed} {
		dir := dataset(t, boardType)
		for _, level := range []string{"--quick", "--quiet", "--deep"} {
			o := export("verify", level, dir)
			if o.code != 0 || !strings.HasPrefix(o.stdout, "ok: 3 shards, 12 games, ") || o.stderr != "" {
				t.Errorf("%s %s: %+v", boardType, level, o)
			}
			o = export("verify", level, "--json", dir)
			if o.code != 0 || !strings.HasPrefix(o.stdout, `{"ok":true,`) || strings.Count(o.stdout, "\n") != 1 {
				t.Errorf("%s %s --json: %+v", boardType, level, o)
			}
		}
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	const first, last = "positions/train-00000.parquet", "games/train-00002.parquet"
	for _, c := range []struct {
		level, name string
		change      func([]byte) []byte
	}{
		{"--quick", first, shorten},
		{"--quick", "manifest.json", shorten},
		{"--quick", "plan.json", flip},
		{"--quiet", first, flip},
		{"--quiet", last, flip},
		{"--quiet", "README.md", flip},
		{"--quiet", "croissant.json", flip},
		{"--deep", last, flip},
		{"--deep", "plan.json", flip},
	} {
		dir := dataset(t, datasets.List)
		damage(t, dir, c.name, c.change)
		o := export("verify", c.level, dir)
		mustRefuse(t, o, 4, "the dataset is damaged: 1 problem")
		if !strings.HasPrefix(o.stdout, c.name+": ") {
			t.Errorf("%s of %s: %s", c.level, c.name, o.stdout)
		}
		o = export("verify", c.level, "--json", dir)
		mustRefuse(t, o, 4, "the dataset is damaged")
		if !strings.HasPrefix(o.stdout, `{"ok":false,`) {
			t.Errorf("%s of %s: %s", c.level, c.name, o.stdout)
		}
	}
}

// TestDamageHasAHint: commands that read a damaged dataset fail, and say how to find and
// repair the damage.
func TestDamageHasAHint(t *testing.T) {
	dir := dataset(t, datasets.List)
	damage(t, dir, "positions/train-00000.parquet", flip)
	hint := fmt.Sprintf(": run export verify %s for details, export repair %s to remove the damage\n", dir, dir)
	for _, args := range [][]string{
		{"head"}, {"convert", "--format", "csv", "--out", "-"}, {"sample", "--rows", "5", "--by", "ply", "--format", "csv", "--out", "-"},
	} {
		mustRefuse(t, export(append(append(args, "--quiet"), dir)...), 1, "positions/train-00000.parquet: corrupt")
		mustRefuse(t, export(append(append(args, "--quiet"), dir)...), 1, hint)
	}
	damage(t, dir, "plan.json", flip)
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{
		{"info"}, {"head"}, {"stats"}, {"wdl"}, {"report", "--json"}, {"rows", "--out", out}, {"dedup", "--out", out},
	} {
		mustRefuse(t, export(append(args, dir)...), 1, "plan.json: corrupt")
		mustRefuse(t, export(append(args, dir)...), 1, hint)
	}
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

func TestHeadJSON(t *testing.T) {
	game := encode.Games()[0]
	for _, boardType := range []string{datasets.List, datasets.Packed} {
		o := export("head", "--rows", "7", "--json", dataset(t, boardType))
		lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
		if o.code != 0 || len(lines) != 7 {
			t.Fatalf("%+v", o)
		}
		for i, line := range lines {
			var row map[string]any
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			board, _ := row["board"].([]any)
			if row["ply"] != float64(i) || row["game"] != 0.0 || row["searched"] != false || len(board) != game.Layouts[0].Len() {
				t.Errorf("row %d: %s", i, line)
			}
			if columns := (encode.View{Layout: &game.Layouts[0]}).Columns(); len(row) != len(columns) {
				t.Errorf("row %d has %d members, want %d", i, len(row), len(columns))
			}
		}
	}
}

func TestHeadTable(t *testing.T) {
	o := export("head", dataset(t, datasets.List))
	lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
	if o.code != 0 || len(lines) != 11 || !strings.HasPrefix(lines[0], "game  ply  side  ") {
		t.Fatalf("%+v", o)
	}
	if start := encode.Games()[0].New("").String(); !strings.HasSuffix(lines[1], "  "+start) {
		t.Errorf("the first row is %q, want it to end with %q", lines[1], start)
	}
}

// TestHeadOfEveryGame: an object has the columns and the members of the position, and the
// table shows the position if the layout can be decoded.
func TestHeadOfEveryGame(t *testing.T) {
	for _, game := range encode.Games() {
		for i := range game.Layouts {
			layout := &game.Layouts[i]
			t.Run(game.Name+" "+layout.Name, func(t *testing.T) {
				dir, start := datasetOf(t, game, layout, datasets.List), game.New("")
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
				if err := json.Unmarshal([]byte(o.stdout), &row); err != nil {
					t.Fatal(err)
				}
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
	mustRefuse(t, export("actions"), 2, "flag --game is missing")
	mustRefuse(t, export("actions", "--game", "go"), 2, `unknown game "go": want one of cotulenh, chess, contrast`)
	mustRefuse(t, export("actions", "--game", "chess", "."), 2, "takes flags only")
}
