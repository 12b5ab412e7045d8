package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the test binary act as the program.
func TestMain(m *testing.M) {
	if os.Getenv("OTHELLO_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// command returns the program as a process that has not started.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), "OTHELLO_MAIN=1")
	return c
}

// run runs the program, which must succeed, and returns what it prints.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := command(t, args...)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%q: %v: %s", args, err, stderr.String())
	}
	return stdout.String()
}

// mustHave checks that a text has parts.
func mustHave(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in %.2000s", part, text)
		}
	}
}

// A searched dataset, and one of the module's own player.
func makeDatasets(t *testing.T) (searched, flipped string) {
	t.Helper()
	dir := t.TempDir()
	searched, flipped = filepath.Join(dir, "searched"), filepath.Join(dir, "flipped")
	run(t, "run", "--quiet", "--game", "othello", "--preset", "bulk", "--games", "60", "--shard-games", "15", "--validation", "0.25",
		"--columns", "+static_score,+legal,+legal_actions,+hash,+repetitions,+move", "--out", searched)
	run(t, "run", "--quiet", "--game", "othello", "--player-first", "flipper", "--player-second", "0.5*flipper:turn=fewest + 0.5*random",
		"--games", "40", "--shard-games", "10", "--validation", "0.25", "--out", flipped)
	return searched, flipped
}

func TestTheProgramKnowsGameAndPlayer(t *testing.T) {
	mustHave(t, run(t, "games"), "chess: Chess", "othello: Othello, 8 x 8 cells, black against white", "reasons     adjudicated, ply_limit, most_discs")
	mustHave(t, run(t, "players", "--game", "othello"), "flipper", "version 1: turns over most discs", "most or fewest")
	mustHave(t, run(t, "presets", "--game", "othello"), "bulk", "balanced", "strong")
	mustHave(t, run(t, "version"), "othello 1")
	mustHave(t, run(t, "moves", "--game", "othello", "--play", "d3"), `"side":"white","moves":["c3","c5","e3"]`)
	mustHave(t, run(t, "perft", "--game", "othello", "--depth", "5"), "1396")
	mustHave(t, run(t, "match", "--game", "othello", "--a", "ab:depth=2", "--b", "flipper", "--games", "20", "--opening-plies", "4", "--json"), `"b":"flipper"`)
	mustHave(t, run(t, "bench", "--game", "othello", "--player", "flipper", "--seconds", "0.5", "--json"), `"fingerprint"`)
	mustHave(t, run(t, "games", "--table", "othello"), `"rank_one_on_top": true`, `"actions": {"version":1,"count":65`)
	mustHave(t, run(t, "actions", "--game", "othello"), "26,,c4,place", "64,,,pass")
}

// TestDatasetsAreFunctionsOfTheirPlans: the plan names the player, and games are played again.
func TestDatasetsAreFunctionsOfTheirPlans(t *testing.T) {
	searched, flipped := makeDatasets(t)
	for _, dir := range []string{searched, flipped} {
		run(t, "verify", "--deep", dir)
		run(t, "verify", "--regenerate", dir)
	}
	plan, err := os.ReadFile(filepath.Join(flipped, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	mustHave(t, string(plan), `"spec": "flipper"`, `"spec": "0.5*flipper:turn=fewest + 0.5*random"`, `"own_reasons": [`, `"name": "most_discs"`)
	mustHave(t, run(t, "replay", "--game-index", "7", flipped), `"players":["flipper",`, `"reason":"most_discs"`)
	tasks := filepath.Join(t.TempDir(), "tasks")
	for _, task := range []string{"0", "1"} {
		run(t, "run", "--quiet", "--game", "othello", "--player-first", "flipper", "--player-second", "0.5*flipper:turn=fewest + 0.5*random",
			"--games", "40", "--shard-games", "10", "--validation", "0.25", "--task-index", task, "--task-count", "2", "--out", tasks)
	}
	run(t, "finalize", "--quiet", tasks)
	if a, b := manifest(t, flipped), manifest(t, tasks); a != b {
		t.Error("two tasks made another dataset")
	}
}

func manifest(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryCommandReadsDatasets of the game.
func TestEveryCommandReadsDatasets(t *testing.T) {
	searched, flipped := makeDatasets(t)
	out := func(name string) string { return filepath.Join(t.TempDir(), name) }
	mustHave(t, run(t, "info", searched), "othello", "60 of 60")
	mustHave(t, run(t, "status", searched), "done")
	mustHave(t, run(t, "head", "--rows", "3", searched), "/..xxxxx./")
	mustHave(t, run(t, "stats", "--exact", searched), "most_discs")
	mustHave(t, run(t, "wdl", searched), "a ")
	page := out("page.html")
	run(t, "report", "--out", page, searched)
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	mustHave(t, string(html), "black wins, most discs", "<svg")

	csv, games := out("csv"), out("games")
	run(t, "convert", "--quiet", "--format", "csv", "--out", csv, searched)
	run(t, "convert", "--quiet", "--format", "moves", "--out", games, flipped)
	lines, err := filepath.Glob(filepath.Join(games, "*.jsonl"))
	if err != nil || len(lines) == 0 {
		t.Fatal(lines, err)
	}
	imported := out("imported")
	run(t, append([]string{"import", "--quiet", "--format", "moves", "--game", "othello", "--out", imported}, lines...)...)
	run(t, "verify", "--deep", imported)
	mustHave(t, run(t, "info", imported), "40 of 40")

	planes, again := out("planes"), out("again")
	run(t, "rows", "--quiet", "--layout", "planes", "--perspective", "mover", "--out", planes, searched)
	run(t, "verify", "--deep", planes)
	run(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", again, searched)
	run(t, "verify", "--deep", again)
	run(t, "dedup", "--quiet", "--out", out("unique"), searched)
	run(t, "sample", "--quiet", "--rows", "100", "--out", filepath.Join(t.TempDir(), "sample.parquet"), searched)
	run(t, "shuffle", "--quiet", "--seed", "1", "--out", out("shuffled"), searched)
	other := out("other")
	run(t, "run", "--quiet", "--game", "othello", "--player", "random", "--games", "20", "--shard-games", "5", "--validation", "0.25", "--seed", "2", "--out", other)
	run(t, "mix", "--quiet", "--rows", "200", "--out", out("mixed"), "--weights", flipped+"=0.5,"+other+"=0.5")
	run(t, "repair", searched)
}

// TestTheServerShowsTheGame on its pages and in its JSON.
func TestTheServerShowsTheGame(t *testing.T) {
	searched, _ := makeDatasets(t)
	c := command(t, "serve", "--listen", "127.0.0.1:0", "--cache", t.TempDir(), searched)
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) string {
		t.Helper()
		r, err := http.Get(strings.TrimSuffix(strings.TrimSpace(address), "/") + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s, %v: %s", path, r.Status, err, body)
		}
		return string(body)
	}
	mustHave(t, get("/"), "Othello")
	mustHave(t, get("/datasets/searched"), "Othello")
	mustHave(t, get("/datasets/searched/games?reason=most_discs"), "most discs")
	mustHave(t, get("/datasets/searched/games/3"), "<svg", "most discs")
	mustHave(t, get("/analysis?game=othello"), "flipper", "<svg")
	mustHave(t, get("/api/games/searched:3@2"), `"game"`)
	var histogram struct{ Bars []struct{ Name string } }
	if err := json.Unmarshal([]byte(get("/api/datasets/searched/histogram?column=reason")), &histogram); err != nil || len(histogram.Bars) != 1 || histogram.Bars[0].Name != "most_discs" {
		t.Errorf("%+v, %v", histogram, err)
	}
	body := strings.NewReader(`{"game":"othello","player":"ab:depth=3,multi=3"}`)
	r, err := http.Post(strings.TrimSuffix(strings.TrimSpace(address), "/")+"/api/analysis", "application/json", body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", r, err)
	}
}
