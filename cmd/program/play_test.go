package program

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
)

// planOf returns the member play of plan.json.
func planOf(t *testing.T, dir string) (play []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Plan struct{ Play []string } }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Plan.Play
}

func TestPlayIsInThePlan(t *testing.T) {
	book := filepath.Join(t.TempDir(), "book.txt")
	if err := os.WriteFile(book, []byte("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\n"+
		"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const bookSum = "book="
	for _, c := range []struct {
		flags string
		want  []string
	}{
		{"", nil},
		{"--opening-plies 0", nil},
		{"--player greedy", []string{"opening-plies=4-10 by random v1"}},
		{"--player greedy --opening-plies 0", nil},
		{"--opening-plies 3", []string{"opening-plies=3-3 by random v1"}},
		{"--player ab:depth=1,multi=3 --opening-plies 2-4 --opening-max-score 300 --book BOOK --explore-moves 2 --explore-plies 1-9 --explore-among 3 " +
			"--explore-window 50 --adjudicate-win 900,4 --adjudicate-draw 5,6,40 --play-out 0.2",
			[]string{"opening-plies=2-4 by random v1", "opening-max-score=300 by ab:depth=2 v1", bookSum, "explore=2 moves in plies 1-9 among 3 within 50",
				"adjudicate-win=900,4", "adjudicate-draw=5,6,40", "play-out=0.2"}},
	} {
		out := filepath.Join(t.TempDir(), "out")
		args := "run --quiet --game chess --games 4 --max-plies 60 --out " + out + " " + strings.ReplaceAll(c.flags, "BOOK", book)
		must(t, strings.Fields(args)...)
		got := planOf(t, out)
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", c.flags, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] && !(c.want[i] == bookSum && strings.HasPrefix(got[i], bookSum) && len(got[i]) == len(bookSum)+64) {
				t.Errorf("%s: %q, want %q", c.flags, got[i], c.want[i])
			}
		}
	}
}

// TestFilesExplainScores: if a model is fitted to such games, the plan and every file hold
// it; otherwise none does.
func TestFilesExplainScores(t *testing.T) {
	for _, game := range encode.Games() {
		for flags, want := range map[string]bool{
			"--player ab:depth=3": true, "--player ab:depth=3,hash=1,multi=2": true, "--player random": false, "--player greedy": false,
			"--player 0.9*random+0.1*ab:depth=3": false, "--player-first ab:depth=3 --player-second ab:depth=2": false,
			"--player ab:depth=3,nodes=9": false, "--player ab:depth=3 --explore-moves 1": false, "--player ab:depth=3 --adjudicate-win 500,2": false,
			"--player ab:depth=3 --adjudicate-draw 5,6,7": false, "--player ab:depth=3,multi=2,temp=50": false,
		} {
			out := filepath.Join(t.TempDir(), "out")
			must(t, append([]string{"run", "--quiet", "--game", game.Name, "--games", "1", "--max-plies", "12", "--out", out}, strings.Fields(flags)...)...)
			reference := game.ReferenceModel().Metadata()
			model, err := json.Marshal(reference.Value)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range tree(t, out) {
				explained := strings.Contains(text, `1/(1+exp((a-score)/b))`)
				if name == "plan.json" {
					explained = strings.Contains(text, string(model))
				}
				if explained != want && (name == "plan.json" || strings.HasSuffix(name, ".parquet")) {
					t.Errorf("%s of %s: %s explains scores: %t", flags, game.Name, name, explained)
				}
			}
		}
	}
}

func TestPlayRefusals(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		os.WriteFile(path, []byte(text), 0o644)
		return path
	}
	const ok = "run --game contrast --games 2 --out OUT "
	const aheadInChess = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
	for _, c := range []struct{ args, want string }{
		{"--opening-plies 5-2", "opening plies 5-2: want 0 to 1000, the smaller number first"},
		{"--opening-plies 1-2-3", `opening-plies "1-2-3": want 2 numbers`},
		{"--opening-plies x", `"x" is not a number`},
		{"--opening-plies -3", `"" is not a number`},
		{"--opening-max-score -1", "opening score -1"},
		{"--explore-moves 3 --explore-plies 1-2", "3 explored moves in plies 1-2: want at most one per ply"},
		{"--explore-moves -1", "-1 explored moves"},
		{"--adjudicate-win 500", `adjudicate-win "500": want 2 numbers`},
		{"--adjudicate-win 0,3", "adjudicate wins by 0 for 3 plies"},
		{"--adjudicate-draw 5,6", `adjudicate-draw "5,6": want 3 numbers`},
		{"--play-out 2", `play-out "2": want a fraction from 0 to 1`},
		{"--play-out 0.2", "play-out 0.2: want adjudicate-win or adjudicate-draw"},
		{"--player ab:depth=1 --explore-moves 2 --explore-among 3", "explore among 3 moves: player ab:depth=1 scores only its best move exactly, want multi=3"},
		{"--player-second 0.5*random+0.5*ab:nodes=9 --explore-moves 2 --explore-among 2", "player ab:nodes=9 scores only its best move exactly, want multi=2"},
		{"--explore-moves 1001 --explore-plies 0-2000", "1001 explored moves: want at most 1000"},
		{"--opening-plies 2-8 --max-plies 8", "max-plies 8: want more than the 8 opening plies"},
		{"--player greedy --max-plies 10", "max-plies 10: want more than the 10 opening plies"},
		{"--book " + filepath.Join(dir, "none"), "no such file"},
		{"--book " + write("empty", "\n\n"), "no positions"},
		{"--book " + write("bad", "nonsense"), "bad line 1: parse position"},
		{"--book " + write("lost", "3,0,0,0,0,0,3,2,0,0,0,1,3,0,0,0,0,0,6,0,0,0,0,6,6,0,0,2,1 x"), "line 1: begin game"},
		{"--game chess --opening-max-score 300 --book " + write("uneven", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\n"+aheadInChess),
			"uneven line 3: one side leads by more than opening-max-score 300, and no opening-plies are drawn"},
		{"--game chess --opening-max-score 1", "opening-max-score 1: the game starts with a score of "},
		{"--book " + write("over", "6,0,3,3,3,3,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,6,6,6,6,3,1,3,1 x"), "line 1: the game is over in this position"},
	} {
		out := filepath.Join(dir, "out")
		mustRefuse(t, selfplay("", strings.Fields(strings.ReplaceAll(ok, "OUT", out)+c.args)...), 2, c.want)
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: it wrote a dataset", c.args)
		}
	}
	// Random plies may lead to a level position.
	must(t, "run", "--quiet", "--game", "chess", "--games", "1", "--max-plies", "60", "--opening-plies", "8-40", "--opening-max-score", "1200",
		"--book", write("uneven", aheadInChess), "--out", filepath.Join(dir, "out"))
}
