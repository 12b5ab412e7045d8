package movetext

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// described returns the games of a text, one a line: result, moves, and what else the kind asks for. Notes and bad games
// follow.
func described(t *testing.T, text string, more func(r *engine.Record) any) string {
	t.Helper()
	form := readForm(t, "pgn")
	p := must.Get(form.NewParser(encode.Chess(), ""))(t)
	var list []string
	var notes Notes
	for text, err := range form.Split(strings.NewReader(text)) {
		must.Do(t, err)
		r := new(engine.Record)
		err = p.Parse(text, r)
		if err != nil {
			list = append(list, "bad: "+err.Error())
			continue
		}
		result := [...]string{"*", "1-0", "0-1", "1/2"}[r.Outcome.Result]
		list = append(list, strings.TrimSpace(fmt.Sprintln(result, sans(t, r), more(r))))
		for i, n := range p.Notes() {
			notes[i].Count += n.Count
		}
	}
	for i, name := range []string{"unread scores", "whole scores", "dropped rights", "cut comments"} {
		if notes[i].Count > 0 {
			list = append(list, fmt.Sprint(notes[i].Count, " ", name))
		}
	}
	return strings.Join(list, "\n")
}

// scoresOf returns the scores of a game by ply, "-" for none.
func scoresOf(r *engine.Record) any {
	var list []string
	for ply, score := range r.Scores {
		if r.Nodes[ply] == 0 {
			list = append(list, "-")
		} else {
			list = append(list, fmt.Sprint(score))
		}
	}
	return list
}

// TestFilesOfOtherPrograms: one file for each way of writing games that a reader has got wrong.
func TestFilesOfOtherPrograms(t *testing.T) {
	tags := func(r *engine.Record) any { return append(slices.Clone(r.Tags), r.Players[:]...) }
	for _, c := range []struct {
		file string
		more func(r *engine.Record) any
		want string
	}{
		{"backslash-tag", tags, `0-1 f4 e5 g4 Qh4# [Open \         A B]`},
		{"bom-between-games", tags, "0-1 e4 e5 [one         A B]\n0-1 d4 d5 [two         A B]\n0-1 c4 c5 [three         A B]"},
		{"comment-before-tags", tags, "* b4 [    A00     ? ?]\n* b3 [    A01     ? ?]"},
		{"comment-tcec", scoresOf, "1-0 e4 e5 Nf3 [- -28 31]"},
		{"cr-only", tags, "0-1 e4 e5 [one         A B]\n0-1 d4 d5 [two         A B]"},
		{"eval-centipawns", scoresOf, "* e4 e5 Nf3 Nc6 [- -14 -8 -250]\n3 whole scores"},
		{"eval-other-forms", scoresOf, "0-1 f3 e5 g4 Qh4# [- 31 0 29999]"},
		{"eval-wrapped", scoresOf, "1-0 e4 e5 Nf3 Nc6 [- -31 25 -29976]"},
		{"fen-move-number", func(r *engine.Record) any { return r.Start[len(r.Start)-6:] }, "1/2 b6 a3 - 7 42"},
		{"fen-rights", func(r *engine.Record) any { return r.Start }, "* O-O Kd7 4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\n1 dropped rights"},
		{"glued-games", func(r *engine.Record) any { return fmt.Sprint(r.Tags[0], r.Players) }, "1/2 d4 d5 c4 E1[W1 B1]\n1/2 d4 d5 c3 E2[W2 B2]\n" +
			"1/2 d4 d5 c4 E3[W3 B3]\n1/2 d4 d5 c3 E4[W4 B4]\n1/2 d4 d5 c4 E5[W5 B5]"},
		{"half-results", scoresOf, "1/2 e4 e5 []\n1/2 e4 e5 []\n1/2 d4 d5 []\n1/2 d4 d5 []"},
		{"nbsp", scoresOf, "0-1 e4 e5 Nf3 []"},
		{"nodes-wrapped", func(r *engine.Record) any { return r.Nodes }, "1-0 e4 e5 [81204 4242]"},
		{"old-marks", scoresOf, "1-0 e4 e5 Nf3 Nc6 Bc4 Bc5 []\n* c1=Q+ []"},
	} {
		text := must.Get(os.ReadFile("testdata/cases/" + c.file + ".pgn"))(t)
		if got := described(t, string(text), c.more); got != c.want {
			t.Errorf("%s: read\n%s\nwant\n%s", c.file, got, c.want)
		}
	}
}

// TestFormsOfScores: of a comment behind the first move, which may be about this move or about the next one.
func TestFormsOfScores(t *testing.T) {
	const unread, whole = "[]\n1 unread scores", "\n1 whole scores"
	for comment, want := range map[string]string{
		"[%eval 0.31]": "[- -31]", "[%eval +0.31]": "[- -31]", "[%eval -0.31,20]": "[- 31]", "[%eval 0.31/20]": "[- -31]",
		"[%eval 31]": "[- -31]" + whole, "[%eval -31,20]": "[- 31]" + whole, "[%eval 0]": "[- 0]", "[%eval 0.00,5]": "[- 0]",
		"[%eval  0.31 ]": "[- -31]", "x [%clk 0:00:01][%eval\r\n0.31]": "[- -31]", "[%eval\u00a00.31]": "[- -31]",
		"[%eval #3]": "[- -29994]", "[%eval #+3]": "[- -29994]", "[%eval #-3]": "[- 29995]", "[%eval -#3]": "[- 29995]",
		"[%eval M3]": "[- -29994]", "[%eval -M3]": "[- 29995]", "[%eval +M3,20]": "[- -29994]", "[%eval #0]": "[]", "[%eval #-0]": "[]",
		"[%eval 0.3a]": unread, "[%eval]": unread, "[%eval #]": unread, "[%eval 0.1 0.2]": unread, "[%evp 0,1,14,20]": unread, "[%eval 0.31": unread,
		"+0.31/12 0.5s": "[31 -]", "+31/12": "[31 -]" + whole, "-M3/12": "[-29997 -]", "d=9, wv=0.31, R50=9,": "[31 -]", "wv=-0.31": "[-31 -]", "wv=31": "[31 -]" + whole,
		"(e5) +0.31/12": unread, "0.31/12 0.5s": unread, "wv=M12, d=9": unread, "ev=0.31": unread, "+0.31 Nf3 Nc6": unread, "3.5/10 for this move": unread, "M5/10": unread,
		"1/2 offered": "[]", "3/5": "[]", "+/= 3": "[]", "[%clk 0:01:00]": "[]", "[%emt 0.31]": "[]", "0.31s": "[]", "book, mb=+0+0,": "[]", "see 12.Nf3": "[]", "+ 1.5": "[]",
	} {
		if got := described(t, "1. e4 {"+comment+"} e5 *", scoresOf); got != "* e4 e5 "+want {
			t.Errorf("%q: read %s, want %s", comment, got, want)
		}
	}
}

// TestWholePawns: a user may say that scores without a decimal point are in pawns.
func TestWholePawns(t *testing.T) {
	form := readForm(t, "pgn")
	p := must.Get(form.NewParser(encode.Chess(), ""))(t)
	p.WholePawns = true
	r := new(engine.Record)
	for text := range form.Split(strings.NewReader("1. e4 {[%eval 2]} e5 {-3/12} 2. d4 {[%eval 0.31]} d5 *")) {
		must.Do(t, p.Parse(text, r))
	}
	if n := p.Notes()[WholeScores].Count; fmt.Sprint(scoresOf(r)) != "[- -300 - -31]" || n != 2 {
		t.Errorf("scores %v, %d notes", scoresOf(r), n)
	}
}
