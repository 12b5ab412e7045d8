package export

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/encode"
)

// chessGames are three good games in PGN and, between them, a bad one.
const chessGames = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 {+0.31/12 0.5s} e5 {-0.20/12 0.5s} 2. Nf3 1-0\n\n" +
	"1. e4 e5 2. Ke3 *\n\n" +
	"1. f3 e5 2. g4 Qh4# 0-1\n\n" +
	"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 1/2-1/2\n"

// inputFile writes a file for import.
func inputFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.pgn")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestImportPGN: good games become a dataset like any other; the bad one is named.
func TestImportPGN(t *testing.T) {
	file, out := inputFile(t, chessGames), filepath.Join(t.TempDir(), "out")
	o := export("import", "--json", "--format", "pgn", "--shard-games", "2", "--out", out, file)
	var info datasets.Info
	if err := json.Unmarshal([]byte(o.stdout), &info); err != nil || o.code != 0 {
		t.Fatalf("%v: %+v", err, o)
	}
	if info.Game != "chess" || !info.Complete || info.Games != 3 || info.Rows != 9 || info.Shards != 2 {
		t.Errorf("info %+v", info)
	}
	for _, want := range []string{"msg=\"bad game\" file=" + file + " game=2 line=6 column=13 why=\"parse move \\\"Ke3\\\": not a legal move here\"", "bad=1 named=1 imported=3"} {
		if !strings.Contains(o.stderr, want) {
			t.Errorf("the log has no %s:\n%s", want, o.stderr)
		}
	}
	ds, err := datasets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if files := ds.Plan().Imported(); len(files) != 1 || !strings.HasPrefix(files[0], "pgn v1 ") || !strings.HasSuffix(files[0], " games=3 bad=1") {
		t.Errorf("imported files %q", files)
	}
	card := string(read(t, filepath.Join(out, "README.md")))
	for _, want := range []string{"# Chess, imported games\n", "3 imported games of Chess", "The games were imported", "| pgn v1 | `"} {
		if !strings.Contains(card, want) {
			t.Errorf("the card has no %q", want)
		}
	}
	for _, args := range [][]string{{"verify", "--deep"}, {"stats"}, {"stats", "--exact"}, {"head"}, {"report", "--out", filepath.Join(t.TempDir(), "r.html")}} {
		if o := export(append(args, out)...); o.code != 0 {
			t.Errorf("%s: %+v", args, o)
		}
	}
	mustRefuse(t, export("verify", "--quiet", "--regenerate", out), 2, "its games were imported from files: there is nothing to play again")
	if o := export("import", "--quiet", "--format", "pgn", "--shard-games", "2", "--out", out, file); o.code != 0 {
		t.Errorf("the same import again: %+v", o)
	}
	mustRefuse(t, export("import", "--quiet", "--format", "pgn", "--shard-games", "2", "--out", out, inputFile(t, chessGames+"\n1. d4 *\n")), 5, "play is")
}

// TestImportToArrow: the same rows in files of the other format.
func TestImportToArrow(t *testing.T) {
	file, dir := inputFile(t, chessGames), t.TempDir()
	rows := map[string]string{}
	for _, format := range []string{datasets.Parquet, datasets.Arrow} {
		out := filepath.Join(dir, format)
		for _, args := range [][]string{{"import", "--quiet", "--format", "pgn", "--to", format, "--out", out, file}, {"verify", "--deep", out}} {
			if o := export(args...); o.code != 0 {
				t.Fatalf("%s: %+v", args, o)
			}
		}
		if files, _ := filepath.Glob(filepath.Join(out, "*", "*."+format)); len(files) != 2 {
			t.Errorf("%s: files %q", format, files)
		}
		rows[format] = export("convert", "--quiet", "--format", "csv", "--out", "-", out).stdout
	}
	if rows[datasets.Parquet] != rows[datasets.Arrow] || rows[datasets.Arrow] == "" {
		t.Error("the rows differ")
	}
	mustRefuse(t, export("import", "--quiet", "--format", "pgn", "--to", "csv", "--out", filepath.Join(dir, "csv"), file), 2, `format "csv"`)
}

// TestImportedScoresAndPlayers: rows have the scores of the comments, records the players.
func TestImportedScoresAndPlayers(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	if o := export("import", "--quiet", "--format", "pgn", "--columns", "+move", "--out", out, inputFile(t, chessGames)); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	type row struct {
		Searched bool
		Score    int
		Nodes    int
		Move     string
		Outcome  int
	}
	want := []row{{true, 31, 1, "e2e4", 1}, {true, -20, 1, "e7e5", -1}, {false, 0, 0, "g1f3", 1}, {false, 0, 0, "f2f3", -1}}
	lines := strings.Split(export("head", "--json", "--rows", "4", out).stdout, "\n")
	for i, want := range want {
		var got row
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil || got != want {
			t.Errorf("row %d is %+v, %v; want %+v", i, got, err, want)
		}
	}
	if text := export("convert", "--quiet", "--format", "moves", "--out", "-", out).stdout; !strings.Contains(text, `"players":["Ann","Bob"]`) ||
		!strings.Contains(text, `"scores":[31,-20,null]`) {
		t.Errorf("as moves: %s", text)
	}
}

// TestMovesOfEveryGameReadBack: what convert writes as moves, import reads, with the same rows.
func TestMovesOfEveryGameReadBack(t *testing.T) {
	for _, game := range encode.Games() {
		dir := datasetOf(t, game, &game.Layouts[0], datasets.List)
		file, out := inputFile(t, export("convert", "--quiet", "--format", "moves", "--out", "-", dir).stdout), filepath.Join(t.TempDir(), "out")
		if o := export("import", "--quiet", "--format", "moves", "--game", game.Name, "--out", out, file); o.code != 0 {
			t.Fatalf("%s: %+v", game.Name, o)
		}
		withoutRank := func(dir string) string {
			text := export("convert", "--quiet", "--format", "jsonl", "--out", "-", dir).stdout
			return strings.ReplaceAll(text, `"move_rank":255`, `"move_rank":0`) // texts do not have it
		}
		if a, b := withoutRank(dir), withoutRank(out); a != b || a == "" {
			t.Errorf("%s: rows differ: %.300s\nwant %.300s", game.Name, b, a)
		}
		mustRefuse(t, export("import", "--format", "moves", "--out", out, file), 2, "flag --game is missing")
	}
}

// movesLine is a game as convert --format moves writes it, without what formats of positions do
// not have.
type movesLine struct {
	Start, Result string
	Moves         []string
	Scores        []*int
}

// movesOf returns the games of a dataset. Games that were cut off are drawn.
func movesOf(t *testing.T, dir string) (games []movesLine) {
	t.Helper()
	o := export("convert", "--quiet", "--format", "moves", "--out", "-", dir)
	for d := json.NewDecoder(strings.NewReader(o.stdout)); d.More(); {
		var line movesLine
		if err := d.Decode(&line); err != nil {
			t.Fatal(err)
		}
		line.Result = cmp.Or(line.Result, "draw")
		games = append(games, line)
	}
	if o.code != 0 || len(games) == 0 {
		t.Fatalf("%d games: %+v", len(games), o)
	}
	return games
}

// importPositions converts a dataset to a format of positions and imports it again.
func importPositions(t *testing.T, format, dir string, flags ...string) (imported string) {
	t.Helper()
	args := append([]string{"convert", "--quiet", "--format", format, "--out", "-"}, flags...)
	file, out := inputFile(t, export(append(args, dir)...).stdout), filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{{"import", "--quiet", "--strict", "--format", format, "--out", out, file}, {"verify", "--quiet", "--deep", out}} {
		if o := export(args...); o.code != 0 {
			t.Fatalf("%+v", o)
		}
	}
	return out
}

// TestPositionsReadBackAsGames: games whose best moves were played are the same after convert and
// import, searched or not.
func TestPositionsReadBackAsGames(t *testing.T) {
	chess := encode.Chess()
	for _, dir := range []string{datasetOf(t, chess, &chess.Layouts[0], datasets.List), searchedDataset(t, "chess", "ab:depth=1", 20, nil)} {
		want := movesOf(t, dir)
		for _, format := range []string{"binpack", "plain"} {
			if got := movesOf(t, importPositions(t, format, dir)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %d games, want %d with the same moves, results and scores", format, len(got), len(want))
			}
		}
	}
}

// TestFilteredPositionsAreShorterGames: a row that a filter drops ends a game, and the next row
// begins another. Every row that is left is in one of them.
func TestFilteredPositionsAreShorterGames(t *testing.T) {
	dir := searchedDataset(t, "chess", "ab:depth=1", 5, nil)
	whole := movesOf(t, dir)
	for _, format := range []string{"binpack", "plain"} {
		parts, longest, left := movesOf(t, importPositions(t, format, dir, "--skip", "capture")), 0, 0
		for _, g := range parts {
			longest, left = max(longest, len(g.Moves)), left+len(g.Moves)
		}
		rows := strings.Count(export("convert", "--quiet", "--format", "plain", "--skip", "capture", "--out", "-", dir).stdout, "fen ")
		if len(parts) <= 5*len(whole) || longest >= len(whole[0].Moves) || left != rows {
			t.Errorf("%s: %d games of %d, the longest of %d plies; %d plies of %d rows", format, len(parts), len(whole), longest, left, rows)
		}
		if parts[0].Start != "" || parts[1].Start == "" {
			t.Errorf("%s: the first two games begin at %q and %q", format, parts[0].Start, parts[1].Start)
		}
	}
}

// TestImportNamesBadPositions: by their number in binpack, by their line in plain text.
func TestImportNamesBadPositions(t *testing.T) {
	dir := searchedDataset(t, "chess", "ab:depth=1", 2, nil)
	text := export("convert", "--quiet", "--format", "plain", "--out", "-", dir).stdout
	at := strings.Index(text, "\nply 9\n")
	text = text[:at] + strings.Replace(text[at:], "ply 10\n", "ply x\n", 1)
	file, out := inputFile(t, text), filepath.Join(t.TempDir(), "out")
	o := export("import", "--format", "plain", "--out", out, file)
	if o.code != 0 || !strings.Contains(o.stderr, "msg=\"bad game\" file="+file+" game=1 line=61 column=1 why=\"ply: ") || !strings.Contains(o.stderr, "bad=1 named=1 imported=1") {
		t.Errorf("%+v", o)
	}
	chains := []byte(export("convert", "--quiet", "--format", "binpack", "--out", "-", dir).stdout)
	chains[8+29] |= 1 // the ply of the first position
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	o = export("import", "--format", "binpack", "--bad", bad, "--out", filepath.Join(t.TempDir(), "out"), inputFile(t, string(chains)))
	if line := string(read(t, bad)); o.code != 0 || !strings.HasSuffix(line, `"game":1,"position":1,"error":"ply 1 with the other side to move"}`+"\n") {
		t.Errorf("%+v: %s", o, line)
	}
	cut := inputFile(t, string(chains[:len(chains)-9]))
	mustRefuse(t, export("import", "--quiet", "--format", "binpack", "--out", out+"-cut", cut), 1, "read "+cut+": read binpack: ")
}

// TestImportWritesAllBadGames: to a file, which an equal import may find.
func TestImportWritesAllBadGames(t *testing.T) {
	file, dir := inputFile(t, chessGames+strings.Repeat("1. e5 *\n", 30)), t.TempDir()
	bad := filepath.Join(dir, "bad.jsonl")
	args := []string{"import", "--format", "pgn", "--bad", bad, "--out", filepath.Join(dir, "out"), file}
	o := export(args...)
	if text := string(read(t, bad)); o.code != 0 || strings.Count(text, "\n") != 31 || !strings.HasPrefix(text, `{"file":"`+file+`","game":2,"line":6,"column":13,"error":"parse move`) {
		t.Errorf("%+v: %s", o, text)
	}
	if n := strings.Count(o.stderr, "bad game\""); n != namedBad {
		t.Errorf("the log names %d bad games, want %d", n, namedBad)
	}
	if o := export(args...); o.code != 0 {
		t.Errorf("again: %+v", o)
	}
	damage(t, dir, "bad.jsonl", shorten)
	mustRefuse(t, export(append(args[:1:1], append([]string{"--quiet"}, args[1:]...)...)...), 2, "it already exists: move it away")
}

// TestImportRefusals: nothing is written.
func TestImportRefusals(t *testing.T) {
	good := inputFile(t, chessGames)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--format", "pgn"}, 2, "no file: want export import [flags] FILE..."},
		{[]string{good}, 2, "flag --format is missing"},
		{[]string{"--format", "sgf", good}, 2, `unknown format "sgf": want one of pgn, viriformat, binpack, plain, moves`},
		{[]string{"--format", "pgn", "--game", "contrast", good}, 2, "read contrast as pgn: the game has no such notation"},
		{[]string{"--format", "pgn", "--variant", "after", good}, 2, "chess has no variants"},
		{[]string{"--format", "pgn", "--strict", good}, 2, "import games: 1 bad game, the first: " + good + " game 2 line 6 column 13: "},
		{[]string{"--format", "pgn", inputFile(t, " \n")}, 2, "the files have no games"},
		{[]string{"--format", "pgn", inputFile(t, "1. e5 *")}, 2, "no good game and 1 bad game, the first: "},
		{[]string{"--format", "pgn", filepath.Join(t.TempDir(), "none")}, 2, "no such file"},
		{[]string{"--format", "pgn", good, inputFile(t, chessGames)}, 1, "it has the same content as " + good},
		{[]string{"--format", "pgn", "--layout", "cube", good}, 2, `unknown layout "cube"`},
		{[]string{"--format", "pgn", "--licence", "CC BY", good}, 2, `licence "CC BY"`},
	} {
		out := filepath.Join(t.TempDir(), "out")
		mustRefuse(t, export(append([]string{"import", "--quiet", "--out", out}, c.args...)...), c.code, c.want)
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q: %s was made", c.args, out)
		}
	}
}
