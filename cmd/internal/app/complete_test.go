package app

import (
	"context"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	values := map[string]Values{
		"out":        OneOf("a.csv", "b.npz"),
		"need out":   OneOf("c.csv"),
		"play":       ListOf("e4", "e5", "d4"),
		"show DIR":   OneOf("data"),
		"index":      func(_ string, given func(string) string) []string { return []string{"of " + given("out")} },
		"log-format": OneOf("text"),
	}
	for line, want := range map[string]string{
		"|":                      "completion fail group need show version",
		"s|":                     "show",
		"sh|":                    "show",
		"x|":                     "",
		"group |":                "show",
		"completion |":           "bash zsh fish",
		"completion z|":          "zsh",
		"show |":                 "data",
		"show --o|":              "--out",
		"show --out |":           "a.csv b.npz",
		"show --out b|":          "b.npz",
		"show --out=|":           "--out=a.csv --out=b.npz",
		"show --out=a|":          "--out=a.csv",
		"show d --fast --out |":  "a.csv b.npz",
		"need --out |":           "c.csv",
		"need |":                 "--fast --games --help --index --log-format --out --play --quiet",
		"need --out x --fast |":  "--games --help --index --log-format --play --quiet",
		"need --play a --p|":     "--play",
		"need --play e4,|":       "e4,e5 e4,d4",
		"need --play e4,d|":      "e4,d4",
		"need --out x --index |": "of x",
		"need --games |":         "",
		"need --log-format |":    "text",
		"--log-f|":               "--log-format",
		"need --out x -- |":      "--fast --games --help --index --log-format --play --quiet",
		"need --unknown |":       "--fast --games --help --index --log-format --out --play --quiet",
	} {
		typed := strings.TrimSuffix(line, "|")
		words := append(strings.Fields(typed), "")
		if !strings.HasSuffix(typed, " ") && typed != "" {
			words = words[:len(words)-1]
		}
		var texts []string
		for _, c := range complete(testProgram(values), words) {
			texts = append(texts, c.text)
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestCandidatesAreDescribed(t *testing.T) {
	var out strings.Builder
	code := Run(context.Background(), testProgram(nil), []string{"test", completeWord, "show", "--o"}, nil, &out, nil)
	if want := "--out\tFILE to write\n"; code != 0 || out.String() != want {
		t.Errorf("exit code %d, %q, want %q", code, out.String(), want)
	}
}
