package workers

import (
	"strings"
	"testing"
)

func TestParsePlayer(t *testing.T) {
	for _, text := range []string{"random", "random:uniform"} {
		spec, err := ParsePlayer(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if spec.String() != "random" || spec.Version() != 1 {
			t.Errorf("%s is %s version %d", text, spec, spec.Version())
		}
	}
}

func TestParsePlayerRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "want one of random[:uniform]"},
		{"mcts", "unknown player \"mcts\": want one of random[:uniform]"},
		{"Random", "unknown player"},
		{" random", "unknown player"},
		{"random:", "unknown parameter \"\""},
		{"random:depth=3", "unknown parameter \"depth=3\": want random[:uniform]"},
		{"random:uniform,uniform", "unknown parameter"},
		{"0.2*random + 0.8*random", "mixtures are not supported"},
	} {
		_, err := ParsePlayer(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}
