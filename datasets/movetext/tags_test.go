package movetext

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"selfplay/datasets/gamerow"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestRecordsKeepTags: printable, not long, dates and ratings in one form, and empty where the file does not say.
func TestRecordsKeepTags(t *testing.T) {
	if len(pgnTags) != len(gamerow.TagColumns()) {
		t.Fatalf("%d tags of PGN for %d columns", len(pgnTags), len(gamerow.TagColumns()))
	}
	for _, c := range []struct{ tags, want string }{
		{`[Event "London"][Site "https://lichess.org/x"][Date "1851.06.21"][Round "1.2"][ECO "C33"]`, "London|https://lichess.org/x|1851-06-21|1.2|C33||||"},
		{`[WhiteElo "2400"][BlackElo "0950"][TimeControl "300+3"][Termination "Time forfeit"]`, "|||||2400|950|300+3|Time forfeit"},
		{`[Event "?"][Site "-"][Date "????.??.??"][WhiteElo "?"][BlackElo "-"]`, ""},
		{`[WhiteElo "2400?"][BlackElo "70000"]`, ""},
		{`[Date "1851.??.??"]`, "||1851||||||"},
		{`[Date "1851.06.??"]`, "||1851-06||||||"},
		{`[Date "1851-6-21"]`, "||1851||||||"},
		{`[Date "1851.02.29"]`, "||1851-02||||||"},
		{`[Date "1852.02.29"]`, "||1852-02-29||||||"},
		{`[Date "1900.02.29"]`, "||1900-02||||||"},
		{`[Date "1851.13.21"]`, "||1851||||||"},
		{`[Date "June"]`, ""},
		{`[UTCDate "2024.01.31"]`, "||2024-01-31||||||"},
		{`[Annotator "x"][Opening "Dutch"]`, ""},
		{"[Event \"a\tb\u202ec\x7f\"]", "a bc||||||||"},
		{"[Event \"M\xfcller\"]", "Müller||||||||"},
		{`[Event "` + strings.Repeat("ü", 150) + `"]`, strings.Repeat("ü", 100) + "||||||||"},
	} {
		r := mustRead(t, "pgn", encode.Chess(), strings.ReplaceAll(c.tags, "][", "]\n[")+"\n\n1. e4 *")
		if got := strings.Join(r.Tags, "|"); got != c.want {
			t.Errorf("%s: tags %q, want %q", c.tags, got, c.want)
		}
		again := mustRead(t, "pgn", encode.Chess(), written(t, "pgn", encode.Chess(), r))
		lines := mustRead(t, "moves", encode.Chess(), written(t, "moves", encode.Chess(), r))
		if len(r.Tags) > 0 && (!slices.Equal(own(again), own(r)) || !slices.Equal(lines.Tags, r.Tags)) {
			t.Errorf("%s: read back as %q and %q", c.tags, again.Tags, lines.Tags)
		}
	}
}

// own returns the tags that PGN does not need: of the others it has those of the writer, if the record has none.
func own(r *engine.Record) []string { return slices.Concat(r.Tags[2:3], r.Tags[4:8]) }

// TestLinesHavePolicies: visits of a ply become its policy, the most visited move first, which is the best one.
func TestLinesHavePolicies(t *testing.T) {
	g := encode.Chess()
	line := func(scores, policies string) string {
		return fmt.Sprintf(`{"result":"","moves":["e2e4","e7e5"],"scores":%s,"policies":%s}`, scores, policies)
	}
	for _, c := range []struct{ rule, scores, policies, want string }{
		{"two moves", "[10,-5]", `[{"e2e4":3,"d2d4":40},null]`, "d2d4 40, e2e4 3; rank 1, best d2d4, nodes 43"},
		{"the move that was played is the best", "[10,-5]", `[{"e2e4":50,"d2d4":40,"a2a3":0},null]`, "e2e4 50, d2d4 40; rank 0, best e2e4, nodes 90"},
		{"it has no visits", "[10,-5]", `[{"d2d4":40},{}]`, "d2d4 40; rank 1, best d2d4, nodes 40"},
		{"many visits", "[10,-5]", `[{"d2d4":131070,"e2e4":2,"a2a3":1},null]`, "d2d4 65535, e2e4 1, a2a3 1; rank 1, best d2d4, nodes 131073"},
		{"no visits", "[10,-5]", `[{"d2d4":0},null]`, "; rank 0, best e2e4, nodes 1"},
	} {
		r := mustRead(t, "moves", g, line(c.scores, c.policies))
		var entries []string
		pos := g.New("")
		name := func(action uint16) string { return pos.FormatMove(must.Get(g.Actions.Move(pos, action))(t)) }
		for i, action := range r.PolicyAction {
			entries = append(entries, fmt.Sprintf("%s %d", name(action), r.PolicyWeight[i]))
		}
		got := fmt.Sprintf("%s; rank %d, best %s, nodes %d", strings.Join(entries, ", "), r.MoveRanks[0], name(r.Best[0]), r.Nodes[0])
		if got != c.want || int(r.PolicySize[0]) != len(entries) || r.PolicySize[1] != 0 {
			t.Errorf("%s: %s, sizes %d; want %s", c.rule, got, r.PolicySize, c.want)
		}
	}
	for _, c := range []struct{ rule, scores, policies, want string }{
		{"policies of other plies", "[1,2]", `[{"e2e4":1}]`, "1 policies for 2 moves"},
		{"illegal move", "[1,2]", `[null,{"e2e4":1}]`, "ply 1: policy: parse move"},
		{"no score", "[null,2]", `[{"e2e4":1},null]`, "ply 0: a policy without a score"},
		{"no scores", "[]", `[{"e2e4":1},null]`, "ply 0: a policy without a score"},
		{"negative visits", "[1,2]", `[{"e2e4":-1},null]`, "parse line: "},
		{"too many visits", "[1,2]", `[{"e2e4":4294967296},null]`, "want at most 4294967295"},
	} {
		if games, bad := readAll(t, "moves", g, line(c.scores, c.policies)); len(games) > 0 || !strings.Contains(bad[1].Error(), c.want) {
			t.Errorf("%s: %d games, %v, want %q", c.rule, len(games), bad[1], c.want)
		}
	}
}

// TestNamesArePrintableAndShort: what is left of untrusted names, and how many were edited.
func TestNamesArePrintableAndShort(t *testing.T) {
	g := encode.Chess()
	for _, c := range []struct {
		rule, name, want string
		edited           int
	}{
		{"plain", "Müller, K.", "Müller, K.", 0},
		{"turns the text", "abc\u202egnp", "abcgnp", 1},
		{"long", strings.Repeat("é", 150), strings.Repeat("é", maxTag/2), 1},
		{"other spaces", "a\u00a0b", "a b", 1},
		{"nothing is left", "\u202e", "?", 1},
		{"none", "", "?", 0},
	} {
		for _, form := range []string{"pgn", "moves"} {
			text := fmt.Sprintf("[White %q]\n[Black \"x\"]\n\n1. e4 *\n", "NAME")
			if form == "moves" {
				text = `{"players":["NAME","x"],"moves":["e2e4"],"result":""}`
			}
			f, _ := Find(form)
			p := must.Get(f.NewParser(g, ""))(t)
			r := new(engine.Record)
			must.Do(t, p.Parse(Text{Number: 1, Bytes: []byte(strings.Replace(text, "NAME", c.name, 1))}, r))
			want := c.want
			if form == "moves" && want == "?" {
				want = ""
			}
			if r.Players[0] != want || int(p.Notes()[EditedNames].Count) != c.edited {
				t.Errorf("%s in %s: %q, %d edited; want %q, %d", c.rule, form, r.Players[0], p.Notes()[EditedNames].Count, want, c.edited)
			}
		}
	}
}

// mustBePlain checks what a reader keeps of untrusted names and tags.
func mustBePlain(t *testing.T, _ *Parser, r *engine.Record, err error) {
	for _, name := range r.Players {
		if err == nil && (len(name) > maxTag || strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) })) {
			t.Errorf("name %q", name)
		}
	}
	for i, text := range r.Tags {
		if err == nil && (len(text) > maxTag || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })) {
			t.Errorf("tag %s is %q", gamerow.TagColumns()[i].Name, text)
		}
	}
}
