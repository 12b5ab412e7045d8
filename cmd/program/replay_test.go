package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// TestReplay: the plan alone is enough to replay every game, for every kind of player.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	book := filepath.Join(dir, "book.txt")
	os.WriteFile(book, []byte("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nrnbqkbnr/pppppppp/8/8/3P4/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"), 0o644)
	other := filepath.Join(dir, "other.txt")
	os.WriteFile(other, []byte("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"), 0o644)
	for i, flags := range []string{
		"--game cotulenh --player random", "--game contrast --variant before --player random:tile=0.5",
		"--game chess --max-plies 40 --player-first 0.5*random+0.5*ab:depth=1,multi=3 --player-second mcts:sims=8,temp=1,noise=0.25" +
			" --opening-plies 2-6 --opening-max-score 300 --explore-moves 3 --explore-plies 0-9 --explore-among 3 --explore-window 200" +
			" --adjudicate-win 400,3 --adjudicate-draw 20,6,20 --play-out 0.3 --book " + book,
	} {
		out := filepath.Join(dir, string(rune('a'+i)))
		mustRun(t, append([]string{"run", "--quiet", "--games", "6", "--out", out}, strings.Fields(flags)...)...)
		args := []string{"replay"}
		if strings.Contains(flags, "--book") {
			mustRefuse(t, selfplay("", "replay", "--game-index", "3", out), 2, "the book is missing")
			mustRefuse(t, selfplay("", "replay", "--game-index", "3", "--book", other, out), 2, "the book is a different one")
			args = append(args, "--book", book)
		}
		ds := must.Get(datasets.Open(out))(t)
		commits := must.Get(ds.Commits())(t)
		for r, err := range ds.Games(commits[0].Parts()...) {
			must.Do(t, err)
			var got replayed
			text := mustRun(t, append(args, "--game-index", strconv.FormatUint(r.Game, 10), out)...)
			must.Do(t, json.Unmarshal([]byte(text), &got))
			want := asJSON(t, []any{r.Actions, numbersOf(r.MoveRanks), nonEmpty(r.Scores), nonEmpty(r.Nodes), nonEmpty(r.PolicyWeight)})
			if got.Game != r.Game || got.Start != r.Start || got.Players != r.Players || len(got.Moves) != len(r.Actions) || got.Reason != r.Outcome.Reason.String() {
				t.Errorf("%s, game %d: %+v", flags, r.Game, got)
			}
			if a, b := asJSON(t, []any{got.Actions, got.Ranks, got.Scores, got.Nodes, got.PolicyWeight}), want; a != b {
				t.Errorf("%s, game %d:\n%s, want\n%s", flags, r.Game, a, b)
			}
		}
	}
}

func nonEmpty[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text := must.Get(json.Marshal(v))(t)
	return string(text)
}

// trap is a position that panics at its ply at.
type trap struct {
	engine.Position
	plies, at int
}

func (p *trap) Reset() { p.plies = 0; p.Position.Reset() }

func (p *trap) Do(m engine.Move) { p.step(); p.Position.Do(m) }

func (p *trap) DoRandom(src *rand.PCG) (engine.Move, bool) { p.step(); return p.Position.DoRandom(src) }

func (p *trap) step() {
	if p.plies++; p.plies == p.at {
		panic("no such cell")
	}
}

// jobOf returns the job of a command line.
func jobOf(t *testing.T, flags string) (j *runJob) {
	t.Helper()
	command := runCommand(catalog.Games)
	command.Action = func(c *cli.Context) (err error) { j, err = jobFrom(c); return err }
	program := newApp("selfplay", "", catalog, nil, command)
	args := append([]string{"selfplay", "run", "--out", filepath.Join(t.TempDir(), "out")}, strings.Fields(flags)...)
	if code := runApp(context.Background(), program, args, nil, io.Discard, os.Stderr); code != 0 {
		t.Fatal(code)
	}
	return j
}

// trapped returns a job whose games panic at the given ply.
func trapped(t *testing.T, out string, at int) *runJob {
	t.Helper()
	j := jobOf(t, "--game chess --player random --games 1 --workers 1 --out "+out)
	fresh, calls := j.series.Game.New, 0
	j.series.Game.New = func(variant string) engine.Position {
		if calls++; calls%2 == 0 { // the second position is that of movesOf, after the worker's
			return fresh(variant)
		}
		return &trap{Position: fresh(variant), at: at}
	}
	return j
}

// TestPanicIsKept: a game that panics ends the run. The run stores a record of the game, and
// replay plays it up to the panic.
func TestPanicIsKept(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	j := trapped(t, out, 7)
	must.Do(t, os.MkdirAll(out, 0o755))
	for range 2 {
		made, err := j.make(context.Background(), silentMeter())
		err = j.keepPanic(slog.New(slog.DiscardHandler), explainStop(err, made), "selfplay")
		var fault *workers.PanicError
		if !errors.As(err, &fault) || !strings.HasSuffix(err.Error(), "; see "+filepath.Join(out, ".selfplay", "failures.jsonl")+"; to replay the game run selfplay replay --game-index 0 "+out) {
			t.Fatalf("%v", err)
		}
	}
	data, err := os.ReadFile(filepath.Join(out, ".selfplay", "failures.jsonl"))
	if err != nil || bytes.Count(data, []byte("\n")) != 2 {
		t.Fatalf("%v: %s", err, data)
	}
	var f gameFailure
	must.Do(t, json.Unmarshal(data[:bytes.IndexByte(data, '\n')], &f))
	if f.Game != 0 || f.Seed != 1 || f.Players != [2]string{"random", "random"} || len(f.Actions) != 6 || len(f.Moves) != 6 ||
		f.Panic != "no such cell" || !strings.Contains(f.Stack, "replay_test.go") || len(f.PlanHash) != 64 {
		t.Errorf("%s", data)
	}
	var stdout bytes.Buffer
	err = replay(context.Background(), j.series, 0, "hash", &stdout)
	if err == nil || !strings.Contains(stdout.String(), `"panic":"no such cell"`) || !strings.Contains(stdout.String(), `"moves":["`) {
		t.Errorf("%v: %s", err, &stdout)
	}
	mustRun(t, "replay", "--game-index", "0", out) // without the trap
	mustRun(t, "run", "--quiet", "--game", "chess", "--player", "random", "--games", "4", "--out", out)
}

// TestPanicOfAGameAsksForAReport: it is an internal error as any other panic.
func TestPanicOfAGameAsksForAReport(t *testing.T) {
	j := trapped(t, filepath.Join(t.TempDir(), "out"), 7)
	must.Do(t, os.MkdirAll(j.out, 0o755))
	var stderr bytes.Buffer
	program := newApp("selfplay", "", catalog, nil, &cli.Command{Name: "fly", Action: j.runAndReport})
	code := runApp(context.Background(), program, []string{"selfplay", "fly"}, nil, io.Discard, &stderr)
	last := lastLine(stderr.String())
	if code != 1 || !strings.HasPrefix(last, "selfplay: internal error: make shard 00000: play game 0 of seed 1: panic: no such cell; see ") ||
		!strings.Contains(last, "to replay the game run selfplay replay --game-index 0 "+j.out+"; please report this at ") {
		t.Errorf("exit code %d, %s", code, last)
	}
}

// TestPanicThatCannotBeKept: the error does not mention a file that could not be written.
func TestPanicThatCannotBeKept(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	must.Do(t, os.MkdirAll(filepath.Join(out, ".selfplay", "failures.jsonl"), 0o755))
	j := trapped(t, out, 7)
	_, err := j.make(context.Background(), silentMeter())
	text := j.keepPanic(slog.New(slog.DiscardHandler), err, "selfplay").Error()
	if !strings.HasSuffix(text, "; to replay the game run selfplay replay --game-index 0 "+out) || strings.Contains(text, "; see ") {
		t.Error(text)
	}
}

// TestReplayOfJoinedDataset: its games were played for other datasets.
func TestReplayOfJoinedDataset(t *testing.T) {
	j := jobOf(t, "--game contrast --player random --games 1 --max-plies 8")
	j.plan.Play = append(j.plan.Play, "from=12ab:3", "from=34cd:5")
	must.Do(t, os.MkdirAll(j.out, 0o755))
	must.Get(j.make(context.Background(), silentMeter()))(t)
	for _, args := range [][]string{{"replay", "--game-index", "0"}, {"verify", "--regenerate"}} {
		mustRefuse(t, selfplay("", append(args, j.out)...), 2, "its games come from other datasets: replay them there: plan 12ab, 34cd")
	}
}

// TestANewGameNeedsOnlyItsEntry: tic-tac-toe, which has no origins of moves, goes from a
// run to a report although no other package knows it.
func TestANewGameNeedsOnlyItsEntry(t *testing.T) {
	more := workers.Catalog{Games: append(encode.Games(), encodetest.TicTacToe()), Players: catalog.Players}
	mustRun := func(t *testing.T, args ...string) string {
		t.Helper()
		o := selfplayOf(more, "", args...)
		if o.code != 0 {
			t.Fatalf("%q: exit code %d, stderr %s", args, o.code, o.stderr)
		}
		return o.stdout
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "set")
	mustRun(t, "run", "--quiet", "--game", "tictactoe", "--preset", "bulk", "--games", "120", "--shard-games", "30", "--validation", "0.25",
		"--columns", "+static_score,+legal,+legal_actions,+hash,+repetitions,+move", "--out", out)

	t.Run("verify", func(t *testing.T) {
		if text := mustRun(t, "verify", "--deep", out); !strings.Contains(text, "120 games") {
			t.Error(text)
		}
	})
	t.Run("stats", func(t *testing.T) {
		var s struct {
			Games   uint64
			Choices map[string]float64
			Endings []struct{ Winner, Reason string }
		}
		text := mustRun(t, "stats", "--exact", "--json", out)
		must.Do(t, json.Unmarshal([]byte(text), &s))
		if _, ok := s.Choices["random"]; s.Games != 120 || !ok {
			t.Error(text)
		}
		for _, e := range s.Endings {
			if e.Winner != "cross" && e.Winner != "nought" && e.Winner != "" || e.Reason != "goal" && e.Reason != "blocked" {
				t.Errorf("%+v", e)
			}
		}
	})
	t.Run("report", func(t *testing.T) {
		page := filepath.Join(dir, "page.html")
		text := mustRun(t, "report", "--json", "--out", page, out)
		raw := must.Get(os.ReadFile(page))(t)
		if html := string(raw); strings.Contains(text, `"from":[`) || strings.Contains(html, "Origins of moves") || !strings.Contains(html, "Destinations of moves") {
			t.Error("a game without origins has a map of origins, or no map of destinations")
		}
		if !strings.Contains(text, `"to":"b2"`) || !strings.Contains(string(raw), "cross wins") {
			t.Error("the report names no cell or no winner")
		}
	})
	t.Run("head, sample and rows", func(t *testing.T) {
		var row struct {
			Board        []int
			LegalActions []int `json:"legal_actions"`
		}
		must.Do(t, json.Unmarshal([]byte(mustRun(t, "head", "--json", "--rows", "1", out)), &row))
		if len(row.Board) != 9 || len(row.LegalActions) != 9 {
			t.Errorf("%+v", row)
		}
		mustRun(t, "sample", "--rows", "50", "--out", filepath.Join(dir, "sample.csv"), out)
		mustRun(t, "rows", "--layout", "planes", "--perspective", "mover", "--out", filepath.Join(dir, "planes"), out)
		mustRun(t, "verify", "--deep", filepath.Join(dir, "planes"))
	})
	t.Run("selfplay commands", func(t *testing.T) {
		if text := mustRun(t, "games", "--names"); !strings.HasSuffix(text, "tictactoe\n") {
			t.Error(text)
		}
		for _, args := range [][]string{
			{"moves", "--game", "tictactoe"}, {"perft", "--game", "tictactoe", "--depth", "4"}, {"players", "--game", "tictactoe"}, {"presets", "--game", "tictactoe"},
			{"match", "--game", "tictactoe", "--a", "greedy", "--b", "random", "--games", "10", "--opening-plies", "1"},
		} {
			mustRun(t, args...)
		}
	})
}

// raised is a position whose static score is one unit higher.
type raised struct{ engine.Evaluator }

func (r raised) Evaluate() int { return r.Evaluator.Evaluate() + 1 }

// TestAChangedStaticScoreIsRefused before anything is written, where players or rows depend on it.
func TestAChangedStaticScoreIsRefused(t *testing.T) {
	game := encodetest.TicTacToe()
	before := workers.Catalog{Games: encode.Catalog{game}, Players: catalog.Players}
	original := game.New
	game.New = func(variant string) engine.Position { return raised{original(variant).(engine.Evaluator)} }
	after := workers.Catalog{Games: encode.Catalog{game}, Players: catalog.Players}

	plain, column := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "column")
	run := func(c workers.Catalog, games string) outcome {
		return selfplayOf(c, "", "run", "--quiet", "--game", "tictactoe", "--player", "ab:depth=2", "--opening-plies", "1", "--shard-games", "2", "--games", games, "--out", plain)
	}
	if o := run(before, "2"); o.code != 0 {
		t.Fatal(o.stderr)
	}
	if o := selfplayOf(before, "", "rows", "--quiet", "--columns", "+static_score", "--out", column, plain); o.code != 0 {
		t.Fatal(o.stderr)
	}
	want := []map[string]string{tree(t, plain), tree(t, column)}

	mustRefuse(t, run(after, "4"), exitPlanMismatch, "static score of fixed positions: fingerprint ")
	mustRefuse(t, selfplayOf(after, "", "verify", "--regenerate", plain), exitBadUsage, "another static score of tictactoe played the games")
	mustRefuse(t, selfplayOf(after, "", "verify", "--deep", column), exitBadUsage, "the rows depend on another static score: fingerprint ")
	must.Get(rows.OfDataset(after.Games, must.Get(datasets.Open(plain))(t)))(t) // without the column the rows can be checked
	if !maps.Equal(want[0], tree(t, plain)) || !maps.Equal(want[1], tree(t, column)) {
		t.Error("a refused command has changed the dataset")
	}
	if o := run(before, "4"); o.code != 0 {
		t.Error(o.stderr)
	}
}
