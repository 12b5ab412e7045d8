package movetext

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/internal/must"
)

// played returns the record of a game with the given moves.
func played(t testing.TB, g encode.Game, start string, moves ...string) *engine.Record {
	t.Helper()
	r := &engine.Record{Game: 7, Start: start, Players: [2]string{`ab:depth=1`, `a "b"`}}
	p := g.New("")
	must.Do(t, engine.Begin(p, start))
	for _, text := range moves {
		m := must.Get(p.ParseMove(text))(t)
		r.Actions, r.MoveRanks = append(r.Actions, g.Actions.Number(m)), append(r.MoveRanks, engine.RankBest)
		p.Do(m)
	}
	r.Outcome = engine.Outcome{Reason: engine.PlyLimit}
	return r
}

func written(t testing.TB, form string, g encode.Game, r *engine.Record) string {
	t.Helper()
	f, ok := Find(form)
	if !ok {
		t.Fatalf("no form %s", form)
	}
	var b strings.Builder
	w := must.Get(f.New(&b, Source{Game: g, Event: "Test"}))(t)
	must.Do(t, w.Write(r))
	return b.String()
}

// TestPGN: a game with scores. The score of a position follows the previous move and is
// from the view of White.
func TestPGN(t *testing.T) {
	g := encode.Chess()
	r := played(t, g, "", "f2f3", "e7e5", "g2g4", "d8h4")
	r.Outcome = engine.Outcome{Result: engine.SecondWins, Reason: engine.Checkmate}
	r.Best, r.PolicySize = r.Actions, make([]uint16, 4)
	r.Nodes, r.Scores = []uint32{0, 9, 9, 9}, []int16{0, 134, -205, 29_999}
	want := `[Event "Test"]
[Site "?"]
[Date "????.??.??"]
[Round "7"]
[White "ab:depth=1"]
[Black "a \"b\""]
[Result "0-1"]
[PlyCount "4"]
[Termination "normal"]
[Reason "checkmate"]

1. f3 { [%eval -1.34] } 1... e5 { [%eval -2.05] } 2. g4 { [%eval #-1] } 2...
Qh4# 0-1

`
	if got := written(t, "pgn", g, r); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestPGNFromAPosition: the first move has the number and the side of the FEN.
func TestPGNFromAPosition(t *testing.T) {
	g := encode.Chess()
	const fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 41"
	got := written(t, "pgn", g, played(t, g, fen, "e8d8", "e2e4"))
	for _, want := range []string{"[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n", "\n41... Kd8 42. e4 *\n\n", "[Termination \"unterminated\"]"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// TestPGNLinesAreShort: at most 79 bytes, as the standard requires.
func TestPGNLinesAreShort(t *testing.T) {
	g := encode.Chess()
	var moves []string
	for range 40 {
		moves = append(moves, "g1f3", "g8f6", "f3g1", "f6g8")
	}
	r := played(t, g, "", moves...)
	text := written(t, "pgn", g, r)
	for _, line := range strings.Split(text, "\n") {
		if len(line) > pgnWidth {
			t.Errorf("%d bytes: %s", len(line), line)
		}
	}
	if n := strings.Count(text, "Nf3"); n != 40 {
		t.Errorf("Nf3 occurs %d times, want 40", n)
	}
}

// TestMovesReadBack: the game parses the moves of a line and can play them.
func TestMovesReadBack(t *testing.T) {
	for name, moves := range map[string][]string{
		"cotulenh": {"Ic5c6", "Ic8c7"},
		"chess":    {"e2e4", "e7e5"},
		"contrast": {"a5,a4 c3b", "a1,a2 -1"},
	} {
		g := must.Get(encode.Games().Find(name))(t)
		r := played(t, g, "", moves...)
		text := written(t, "moves", g, r)
		var got struct {
			Game           uint64
			Players, Moves []string
			Reason, Result string
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || strings.Count(text, "\n") != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		if again := played(t, g, "", got.Moves...); strings.Join(got.Moves, "|") != strings.Join(moves, "|") || len(again.Actions) != len(moves) {
			t.Errorf("%s: %q, want %q", name, got.Moves, moves)
		}
		if got.Game != 7 || got.Reason != "ply_limit" || got.Result != "" || got.Players[1] != `a "b"` {
			t.Errorf("%+v", got)
		}
	}
}

// TestViriformat: the game from its first position, scores from the view of White, and no score
// where nothing was searched.
func TestViriformat(t *testing.T) {
	g := encode.Chess()
	r := played(t, g, "4k3/8/8/8/8/8/4P3/4K3 b - - 3 41", "e8d8", "e2e4", "d8d7")
	r.Outcome = engine.Outcome{Result: engine.FirstWins, Reason: engine.Adjudicated}
	r.Best, r.PolicySize = r.Actions, make([]uint16, 3)
	r.Nodes, r.Scores = []uint32{9, 0, 9}, []int16{-29_998, 0, 55}
	got := written(t, "viriformat", g, r)
	var back chessdata.Game
	must.Do(t, chessdata.ReadViri(strings.NewReader(got), &back))
	start := chess.New()
	must.Do(t, start.Set(r.Start))
	if back.Start != start.Parts() || back.Result != engine.FirstWins || !slices.Equal(back.Scores, []int16{-31_998, chessdata.NoScore, 55}) {
		t.Errorf("%+v", back)
	}
	for i, m := range back.Moves {
		if action := g.Actions.Number(mustPack(t, start, m.Step)); action != r.Actions[i] {
			t.Errorf("move %d is action %d, want %d", i, action, r.Actions[i])
		}
		start.Do(mustPack(t, start, m.Step))
	}
	if n := len(got); n != 32+3*4+4 {
		t.Errorf("%d bytes", n)
	}
	if got := written(t, "viriformat", g, played(t, g, "")); len(got) != 36 || got[30] != 1 {
		t.Errorf("a game without moves: % x", got)
	}
}

func mustPack(t *testing.T, p *chess.Position, s chess.Step) engine.Move {
	t.Helper()
	m := must.Get(p.Pack(s))(t)
	return m
}

// TestWriterRefusals: games without the notation, and records that break the rules.
func TestWriterRefusals(t *testing.T) {
	pgn, _ := Find("pgn")
	if _, err := pgn.New(nil, Source{Game: encode.Contrast()}); err == nil || err.Error() != "write contrast as pgn: the game has no such notation: want moves" {
		t.Error(err)
	}
	g := encode.Chess()
	for _, f := range Forms() {
		var b strings.Builder
		w := must.Get(f.New(&b, Source{Game: g}))(t)
		r := played(t, g, "", "e2e4", "e7e5")
		r.Actions[1] = r.Actions[0]
		if err := w.Write(r); err == nil || b.Len() > 0 {
			t.Errorf("%s: %v, wrote %q", f.Name, err, b.String())
		}
		r = played(t, g, "", "e2e4")
		r.Outcome.Result = 77
		if err := w.Write(r); err == nil || b.Len() > 0 {
			t.Errorf("%s: result 77: %v, wrote %q", f.Name, err, b.String())
		}
	}
	if _, ok := Find("PGN"); ok {
		t.Error("names of forms must be case-sensitive")
	}
}
