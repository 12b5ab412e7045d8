package program

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

// inputFile writes a file for import.
func inputFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.pgn")
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// TestMovesOfEveryGameReadBack: what convert writes as moves, import reads, with the same rows.
func TestMovesOfEveryGameReadBack(t *testing.T) {
	for _, game := range encode.Games() {
		dir := datasetOf(t, game, &game.Layouts[0], plan.List)
		file, out := inputFile(t, mustExport(t, "convert", "--quiet", "--format", "moves", "--out", "-", dir)), filepath.Join(t.TempDir(), "out")
		mustExport(t, "import", "--quiet", "--format", "moves", "--game", game.Name, "--out", out, file)
		withoutRank := func(dir string) string {
			text := mustExport(t, "convert", "--quiet", "--format", "jsonl", "--out", "-", dir)
			text = strings.ReplaceAll(text, `,"start_ply":0`, "")                            // only imported games have it
			return sortedLines(strings.ReplaceAll(text, `"move_rank":255`, `"move_rank":0`)) // texts do not have it
		}
		if a, b := withoutRank(dir), withoutRank(out); a != b || a == "" {
			t.Errorf("%s: rows differ: %.300s\nwant %.300s", game.Name, b, a)
		}
	}
}

// movesLine is a game as convert --format moves writes it, without what formats of positions do
// not have.
type movesLine struct {
	Start, Result string
	Moves         []string
	Scores        []*int
}

// movesLines returns the games of a dataset. Games that were cut off are drawn.
func movesLines(t *testing.T, dir string) []movesLine {
	t.Helper()
	games := objects[movesLine](t, "convert", "--quiet", "--format", "moves", "--out", "-", dir)
	for i := range games {
		games[i].Result = cmp.Or(games[i].Result, "draw")
	}
	return games
}

// sameMoves compares games in any order: a stream of rows has the training games of a shard first.
func sameMoves(a, b []movesLine) bool {
	for _, games := range [][]movesLine{a, b} {
		slices.SortFunc(games, func(a, b movesLine) int { return slices.Compare(a.Moves, b.Moves) })
	}
	return reflect.DeepEqual(a, b)
}

// importPositions converts a dataset to a format of positions and imports it again.
func importPositions(t *testing.T, format, dir string, flags ...string) (imported string) {
	t.Helper()
	args := append([]string{"convert", "--quiet", "--format", format, "--out", "-"}, flags...)
	file, out := inputFile(t, mustExport(t, append(args, dir)...)), filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{{"import", "--quiet", "--strict", "--format", format, "--out", out, file}, {"verify", "--quiet", "--deep", out}} {
		mustExport(t, args...)
	}
	return out
}

// TestPositionsReadBackAsGames: games whose best moves were played are the same after convert and
// import, searched or not.
func TestPositionsReadBackAsGames(t *testing.T) {
	chess := encode.Chess()
	for _, dir := range []string{datasetOf(t, chess, &chess.Layouts[0], plan.List), searchedDataset(t, "chess", "ab:depth=1", 20, nil)} {
		want := movesLines(t, dir)
		for _, format := range []string{"binpack", "plain"} {
			if got := movesLines(t, importPositions(t, format, dir)); !sameMoves(got, want) {
				t.Errorf("%s: %d games, want %d with the same moves, results and scores", format, len(got), len(want))
			}
		}
	}
}

// TestMoveNumbersReadBack: a game that does not begin at move 1 keeps its numbers in all formats, and where
// its rows are joined with those of other games.
func TestMoveNumbersReadBack(t *testing.T) {
	const text = "fen 4k3/8/8/8/8/8/4P3/4K3 b - - 7 42\nmove e8d7\nscore 15\nply 83\nresult 0\ne\n" +
		"fen 8/3k4/8/8/8/8/4P3/4K3 w - - 8 43\nmove e2e4\nscore 10\nply 84\nresult 0\ne\n"
	dir, joined := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "joined")
	mustExport(t, "import", "--quiet", "--format", "plain", "--out", dir, inputFile(t, text))
	mustExport(t, "dedup", "--quiet", "--out", joined, datasetOf(t, encode.Chess(), &encode.Chess().Layouts[0], plan.List), dir)
	for _, dir := range []string{dir, importPositions(t, "binpack", dir), importPositions(t, "viriformat", dir), importPositions(t, "pgn", dir), joined} {
		if got := mustExport(t, "convert", "--quiet", "--format", "plain", "--out", "-", dir); !strings.HasSuffix(got, text) {
			t.Errorf("%s: %s", dir, got)
		}
	}
	if got := mustExport(t, "convert", "--quiet", "--format", "epd", "--out", "-", dir); !strings.Contains(got, "fmvn 42;") || !strings.Contains(got, "fmvn 43;") {
		t.Error(got)
	}
}

// TestFilteredPositionsAreShorterGames: a row that a filter drops ends a game, and the next row
// begins another. Every row that is left is in one of them.
func TestFilteredPositionsAreShorterGames(t *testing.T) {
	dir := searchedDataset(t, "chess", "ab:depth=1", 5, nil)
	whole := movesLines(t, dir)
	for _, format := range []string{"binpack", "plain"} {
		parts, longest, left := movesLines(t, importPositions(t, format, dir, "--where", "!capture")), 0, 0
		for _, g := range parts {
			longest, left = max(longest, len(g.Moves)), left+len(g.Moves)
		}
		rows := strings.Count(mustExport(t, "convert", "--quiet", "--format", "plain", "--where", "!capture", "--out", "-", dir), "fen ")
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
	text := mustExport(t, "convert", "--quiet", "--format", "plain", "--out", "-", dir)
	at := strings.Index(text, "\nply 9\n")
	text = text[:at] + strings.Replace(text[at:], "ply 10\n", "ply x\n", 1)
	file, out := inputFile(t, text), filepath.Join(t.TempDir(), "out")
	o := export("import", "--format", "plain", "--out", out, file)
	if o.code != 0 || !strings.Contains(o.stderr, "msg=\"bad game\" file="+file+" game=1 line=64 column=1 why=\"ply \\\"x") || !strings.Contains(o.stderr, "bad=1 named=1 imported=1") {
		t.Errorf("%+v", o)
	}
	chains := []byte(mustExport(t, "convert", "--quiet", "--format", "binpack", "--out", "-", dir))
	chains[8+29] |= 1 // the ply of the first position
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	o = export("import", "--format", "binpack", "--bad", bad, "--out", filepath.Join(t.TempDir(), "out"), inputFile(t, string(chains)))
	if line := string(readBytes(t, bad)); o.code != 0 || !strings.HasSuffix(line, `"game":1,"position":1,"error":"ply 1 with the other side to move"}`+"\n") {
		t.Errorf("%+v: %s", o, line)
	}
	cut := inputFile(t, string(chains[:len(chains)-9]))
	mustRefuse(t, export("import", "--quiet", "--format", "binpack", "--out", out+"-cut", cut), 2, "read "+cut+": read binpack: ")
}

const taggedGame = "[Event \"London\"]\n[Site \"?\"]\n[Date \"1851.06.21\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n" +
	"[ECO \"C33\"]\n[WhiteElo \"2400\"]\n[TimeControl \"300+3\"]\n\n1. e4 e5 2. f4 exf4 1-0\n"

// TestTagsStay: what import keeps, other commands that make datasets keep, and PGN has it again.
func TestTagsStay(t *testing.T) {
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	mustExport(t, "import", "--quiet", "--format", "pgn", "--out", out("imported"), inputFile(t, taggedGame))
	mustExport(t, "rescore", "--quiet", "--player", "ab:depth=1", "--keep-old", "--out", out("rescored"), out("imported"))
	mustExport(t, "rows", "--quiet", "--where", "ply>=2", "--out", out("rows"), out("rescored"))
	mustExport(t, "dedup", "--quiet", "--out", out("unique"), datasetOf(t, encode.Chess(), &encode.Chess().Layouts[0], plan.List), out("imported"))
	for _, name := range []string{"imported", "rescored", "rows", "unique"} {
		mustExport(t, "verify", "--quiet", "--deep", out(name))
		text := mustExport(t, "convert", "--quiet", "--format", "pgn", "--out", "-", out(name))
		for _, tag := range []string{`[Event "London"]`, `[Date "1851.06.21"]`, `[ECO "C33"]`, `[WhiteElo "2400"]`, `[TimeControl "300+3"]`} {
			if strings.Count(text, tag) != 1 {
				t.Errorf("%s: no tag %s in %.500s", name, tag, text)
			}
		}
		ds := must.Get(datasets.Open(out(name)))(t)
		columns := strings.Join(plan.ColumnNames(ds.Plan().GameColumns()), " ")
		if !strings.HasSuffix(columns, " event site date round eco elo_first elo_second time_control termination") {
			t.Errorf("%s: columns %s", name, columns)
		}
	}
}

// TestImportedPoliciesAreRows: games with policies make the columns of policies, others do not.
func TestImportedPoliciesAreRows(t *testing.T) {
	const line = `{"result":"","moves":["e2e4"],"scores":[12]`
	for text, want := range map[string]string{
		line + "}\n": `"best_action":3797`,
		line + `,"policies":[{"e2e4":3,"d2d4":40}]}` + "\n": `"policy_action":[3724,3797],"policy_weight":[40,3]`,
	} {
		out := filepath.Join(t.TempDir(), "out")
		mustExport(t, "import", "--quiet", "--format", "moves", "--game", "chess", "--out", out, inputFile(t, text))
		mustExport(t, "verify", "--quiet", "--deep", out)
		if rows := mustExport(t, "convert", "--quiet", "--format", "jsonl", "--out", "-", out); !strings.Contains(rows, want) || strings.Contains(rows, "policy") != strings.Contains(text, "policies") {
			t.Errorf("%s: rows %s", text, rows)
		}
	}
}

// sortedLines returns the lines of a text in another order.
func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestConvertedGamesAreThoseOfTheDataset: one line per game, with as many moves as plies,
// in files and as a stream, which has the games in order.
func TestConvertedGamesAreThoseOfTheDataset(t *testing.T) {
	for _, game := range encode.Games() {
		dir, out := datasetOf(t, game, &game.Layouts[0], plan.List), filepath.Join(t.TempDir(), "out")
		w := object[written](t, "convert", "--json", "--format", "moves", "--out", out, dir)
		var files string
		for _, name := range partNames {
			files += string(readBytes(t, filepath.Join(out, name+".jsonl")))
		}
		stream := mustExport(t, "convert", "--quiet", "--format", "moves", "--out", "-", dir)
		if sortedLines(stream) != sortedLines(files) {
			t.Errorf("%s: the stream differs from the files: %s", game.Name, stream)
		}
		info := object[datasets.Info](t, "info", "--json", dir)
		moves := 0
		for i, line := range strings.Split(strings.TrimSuffix(stream, "\n"), "\n") {
			var g struct {
				Game  int
				Moves []string
			}
			if err := json.Unmarshal([]byte(line), &g); err != nil || g.Game != i {
				t.Fatalf("line %d: %v: %s", i, err, line)
			}
			moves += len(g.Moves)
		}
		if uint64(moves) != info.Rows || w.Games != info.Games || w.Rows != 0 {
			t.Errorf("%s: %d moves, printed %+v, want %d moves and %d games", game.Name, moves, w, info.Rows, info.Games)
		}
	}
}

// TestImportSaysWhatItDidNotRead: scores, their unit, games without moves, and rights that were dropped.
func TestImportSaysWhatItDidNotRead(t *testing.T) {
	const text = "[Event \"x\"]\n\n1. e4 {[%eval 14,24]} e5 {(d6) +0.31/12} *\n\n[Event \"empty\"]\n\n*\n\n[FEN \"4k3/8/8/8/8/8/8/4K3 w K - 0 1\"]\n\n1. Ke2 {ev=2.5} *\n"
	file, dir := inputFile(t, text), t.TempDir()
	for _, c := range []struct{ unit, score string }{{"centipawns", "-14"}, {"pawns", "-1400"}} {
		out := filepath.Join(dir, c.unit)
		o := export("import", "--format", "pgn", "--strict", "--whole-scores", c.unit, "--out", out, file)
		for _, want := range []string{
			`msg="games without moves were left out" empty=1`,
			`msg="comments look like scores and were not read" count=2 file=` + file + ` line=3 column=26 first="(d6) +0.31/12"`,
			`msg="scores without a decimal point were taken as ` + c.unit + `" count=1 file=` + file + ` line=3 column=7 first="[%eval 14,24]"`,
			`msg="start positions had castling rights without king or rook at home, which were dropped" count=1 file=` + file + " line=9 column=1",
		} {
			if o.code != 0 || !strings.Contains(o.stderr, want) {
				t.Errorf("%s: %+v, want %s", c.unit, o, want)
			}
		}
		if got := mustExport(t, "convert", "--quiet", "--format", "moves", "--out", "-", out); !strings.Contains(got, `"scores":[null,`+c.score+`]`) {
			t.Errorf("%s: %s", c.unit, got)
		}
	}
	for want, args := range map[string][]string{
		`unknown unit "moves": want centipawns or pawns`: {"--format", "pgn", "--whole-scores", "moves"},
		"it is for comments of PGN":                      {"--format", "plain", "--whole-scores", "pawns"},
	} {
		mustRefuse(t, export(append(append([]string{"import", "--out", filepath.Join(dir, "out")}, args...), file)...), 2, want)
	}
	empty := inputFile(t, "[Event \"x\"]\n\n*\n")
	mustRefuse(t, export("import", "--quiet", "--format", "pgn", "--out", filepath.Join(dir, "out"), empty), 2, "the files have no games with moves")
}
