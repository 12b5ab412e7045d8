package program

import (
	"encoding/json"
	"testing"

	"selfplay/cmd/internal/ask"
	"selfplay/encode"
)

// FuzzConfig: no file makes parseConfig panic. Each setting has a line, and no flag is set
// twice.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{"", "games: 4000\nplayer: 'ab:depth=2'\n", "---\n", "a: &x 1\nb: *x\n", "[1, 2]", "a: {b: c}", "a: 1\na: 2", "? [a]\n: b", "<<: {a: 1}", "# nothing"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		settings, err := parseConfig([]byte(text))
		if err != nil {
			return
		}
		for i, s := range settings {
			if s.line < 1 {
				t.Errorf("line %d of setting %q", s.line, s.flag)
			}
			for _, other := range settings[:i] {
				if other.flag == s.flag {
					t.Errorf("%q is set twice", s.flag)
				}
			}
		}
	})
}

// FuzzBatch: every game answers every line of a batch with one JSON object, and a refusal
// has an error and a kind.
func FuzzBatch(f *testing.F) {
	for _, line := range []string{"", "{}", `{"position":"","play":["e2e4"]}`, `{"board":[0,1],"side":"red"}`,
		`{"board_array":[3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6],"side":"black"}`, "startpos", "8/8/8/8/8/8/8/8 w - - 0 1", `{"position":7}`} {
		f.Add([]byte(line))
	}
	var oracles []*ask.Responder
	for _, g := range encode.Games() {
		oracles = append(oracles, ask.NewResponder(g, "", false), ask.NewResponder(g, "", true))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, o := range oracles {
			answer := reply(o, line, nil)
			if text, err := json.Marshal(answer); err != nil || len(text) < 2 || text[0] != '{' {
				t.Errorf("answered %s, %v", text, err)
			}
			if r, refused := answer.(ask.Refusal); refused && (r.Error == "" || r.Kind == "") {
				t.Errorf("refused by %+v", r)
			}
		}
	})
}
