package evaluator

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/cmd/internal/evaluator/evaluatortest"
	"selfplay/engine/search"
	"selfplay/internal/must"
	"selfplay/workers"
)

// turnsOfTests returns two questions about moves.
func turnsOfTests() []*workers.Question {
	return []*workers.Question{
		{Actions: []uint16{4, 7, 9}, Turn: &workers.Turn{Text: "one", Moves: []string{"a", "b", "c"}, Seed: 1 << 52}},
		{Actions: []uint16{5, 6}, Turn: &workers.Turn{Text: "two", Side: 1, Start: "start", History: []string{"x"}, Moves: []string{"d", "e"}}},
	}
}

// TestTurnsAreAskedAsTheDocumentationSays.
func TestTurnsAreAskedAsTheDocumentationSays(t *testing.T) {
	got := string(appendTurns(nil, 8, turnsOfTests())[headerSize:])
	want := `{"id":8,"questions":[` +
		`{"start":"","history":[],"text":"one","side":0,"legal":[4,7,9],"moves":["a","b","c"],"seed":4503599627370496},` +
		`{"start":"start","history":["x"],"text":"two","side":1,"legal":[5,6],"moves":["d","e"],"seed":0}]}`
	if got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

// TestWrongTurnsAreRefused with the question at fault, if there is one; an answer without a fault is taken.
func TestWrongTurnsAreRefused(t *testing.T) {
	for answer, want := range map[string]string{
		`{"action": 6}`:              "",
		`{"action": 6, "score": -3}`: "",
		`{"action": 6, "score": 30000, "policy": [0, 65535]}`: "",
		`{}`:                              "1: action 0 is not legal",
		`{"action": 7}`:                   "1: action 7 is not legal",
		`{"action": 65542}`:               "1: action 65542 is not legal",
		`{"action": 6, "score": 30001}`:   "1: score 30001",
		`{"action": 6, "policy": [1, 2]}`: "1: a policy without a score",
		`{"action": 6, "score": 0, "policy": [1]}`:        "1: a policy of 1 weights",
		`{"action": 6, "score": 0, "policy": [0, 0]}`:     "1: a policy of zeros",
		`{"action": 6, "score": 0, "policy": [-1, 1]}`:    "1: weight -1",
		`{"action": 6, "score": 0, "policy": [65536, 1]}`: "1: weight 65536",
		`{"action": 6.5}`:              "read answer",
		`{"action": "e4"}`:             "read answer",
		`{"action": 6}, {"action": 6}`: "answer 8 about 3 positions",
	} {
		_, err := parseTurns(fmt.Appendf(nil, `{"id": 8, "answers": [{"action": 9}, %s]}`, answer), 8, turnsOfTests())
		text := ""
		if err != nil {
			text = err.Error()
		}
		if wrong := (*workers.WrongAnswer)(nil); errors.As(err, &wrong) {
			text = fmt.Sprintf("%d: %s", wrong.Question, wrong.Reason)
		}
		if !strings.HasPrefix(text, want) || want == "" && text != "" {
			t.Errorf("%s: %q, want %q", answer, text, want)
		}
	}
	if _, err := parseTurns([]byte(`{"id": 9, "answers": [{"action": 9}, {"action": 6}]}`), 8, turnsOfTests()); err == nil {
		t.Error("an answer to another batch is taken")
	}
}

// FuzzTurns: an answer is taken whole or refused, and sets no more than was asked.
func FuzzTurns(f *testing.F) {
	frame := appendTurns(nil, 8, turnsOfTests())
	f.Add(evaluatortest.Moves(evaluatortest.Hello{}, frame[headerSize:], "", 0, false, false)[headerSize:])
	f.Add([]byte(`{"id": 8, "answers": [{"action": 9}, {"action": 6, "score": 0, "policy": [1e3, 2]}]}`))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		b := turnsOfTests()
		if _, err := parseTurns(body, 8, b); err != nil {
			return
		}
		for i, q := range b {
			turn := q.Turn
			if turn.Choice < 0 || turn.Choice >= len(q.Actions) || max(turn.Score, -turn.Score) > search.MateScore {
				t.Errorf("question %d: choice %d, score %d", i, turn.Choice, turn.Score)
			}
			if n := len(turn.Policy); n > 0 && (n != len(q.Actions) || !turn.Scored || slices.Max(turn.Policy) == 0) {
				t.Errorf("question %d: policy %d", i, turn.Policy)
			}
		}
	})
}

// TestPlayersAreAskedAgainAfterAFailure, and their fingerprint does not depend on it.
func TestPlayersAreAskedAgainAfterAFailure(t *testing.T) {
	for _, name := range []string{"contrast", "cotulenh", "chess"} {
		w := Asked{Game: game(t, name), Plays: true}
		var digests []string
		for _, fault := range []string{"", "prints slow", "closes=20", "batch=64"} {
			c := must.Get(connectTo(t, w, fault, new(log)))(t)
			a := must.Get(Ask(t.Context(), c, w, c.Welcome().Batch))(t)
			if len(a.Moves) != fixedPositions {
				t.Fatalf("%d answers", len(a.Moves))
			}
			digests = append(digests, a.Digest(c.Welcome().ManifestHash()))
		}
		if len(slices.Compact(slices.Clone(digests))) != 1 {
			t.Errorf("%s: %q", name, digests)
		}
		c := must.Get(connectTo(t, w, "neighbours", new(log)))(t)
		if _, err := Ask(t.Context(), c, w, 16); !errors.Is(err, ErrNeighbours) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFixedTurnsHaveTheHistoryOfTheirPosition: its moves lead there.
func TestFixedTurnsHaveTheHistoryOfTheirPosition(t *testing.T) {
	w := Asked{Game: game(t, "cotulenh"), Plays: true}
	pos := w.Game.New("")
	for i, q := range must.Get(w.questions())(t) {
		pos.Reset()
		for _, text := range q.Turn.History {
			pos.Do(must.Get(pos.ParseMove(text))(t))
		}
		if pos.String() != q.Turn.Text || len(q.Turn.Moves) != len(q.Actions) {
			t.Fatalf("position %d: %s\n%s", i, pos, must.Get(json.Marshal(q.Turn))(t))
		}
	}
}
