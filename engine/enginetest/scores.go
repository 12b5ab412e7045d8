package enginetest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"selfplay/engine"
)

// GoldenScores compares static scores of a game with testdata/scores.txt, which has
// one score and one text per line. A change of a score changes datasets: their plans hold
// a fingerprint of static scores, and those of another one cannot be extended. With -update it first rewrites the
// file for the given texts.
func GoldenScores(t *testing.T, g engine.Game, texts []string) {
	t.Helper()
	const name = "testdata/scores.txt"
	p := g.New("").(engine.Evaluator)
	score := func(text string) int {
		if err := p.Set(text); err != nil {
			t.Fatal(err)
		}
		return p.Evaluate()
	}
	if *update {
		var b strings.Builder
		fmt.Fprintln(&b, "# Golden scores of Evaluate, made by go test -run TestScores -update. A change ends the extension of datasets.")
		for _, text := range texts {
			fmt.Fprintf(&b, "%d\t%s\n", score(text), text)
		}
		write(t, name, b.String())
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v: a new golden file is written with -update", err)
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
