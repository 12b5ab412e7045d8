package enginetest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"selfplay/engine"
)

// FrozenScores compares the static scores of a game with those in
// testdata/scores.txt, a score and a text a line. They belong to the version of
// every player that looks ahead: a change there changes datasets. update writes the
// file anew, for these texts.
func FrozenScores(t *testing.T, g engine.Game, update bool, texts []string) {
	t.Helper()
	const name = "testdata/scores.txt"
	p := g.New("").(engine.Evaluator)
	score := func(text string) int {
		if err := p.Set(text); err != nil {
			t.Fatal(err)
		}
		return p.Evaluate()
	}
	if update {
		var b strings.Builder
		fmt.Fprintln(&b, "# Scores of Evaluate, by go test -run TestScores -update. A change is a new version.")
		for _, text := range texts {
			fmt.Fprintf(&b, "%d\t%s\n", score(text), text)
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
	AtLeast(t, len(lines), 20)
	for _, line := range lines {
		want, text, _ := strings.Cut(line, "\t")
		if got := score(text); strconv.Itoa(got) != want {
			t.Errorf("%s: %d, want %s", text, got, want)
		}
	}
}
