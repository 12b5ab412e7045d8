package program

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/workers"
)

// outcome is the exit code and the output of the program.
type outcome struct {
	code           int
	stdout, stderr string
}

// catalog are the games and players of this module.
var catalog = workers.Catalog{Games: encode.Games(), Players: workers.PlayerTypes()}

// selfplay runs the program.
func selfplay(stdin string, args ...string) outcome { return selfplayOf(catalog, stdin, args...) }

// selfplayOf runs the program with a catalog.
func selfplayOf(catalog workers.Catalog, stdin string, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), catalog, append([]string{"selfplay"}, args...), strings.NewReader(stdin), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// mustRefuse checks the exit code, and that the only output is one line on stderr that
// contains want.
func mustRefuse(t *testing.T, o outcome, code int, want string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code %d, want %d", o.code, code)
	}
	if o.stdout != "" {
		t.Errorf("stdout is not empty: %q", o.stdout)
	}
	if strings.Count(o.stderr, "\n") != 1 || !strings.HasPrefix(o.stderr, "selfplay: ") || !strings.HasSuffix(o.stderr, "\n") {
		t.Errorf("stderr is not one line of selfplay's: %q", o.stderr)
	}
	if !strings.Contains(o.stderr, want) {
		t.Errorf("stderr is %q, want %q in it", o.stderr, want)
	}
}

func TestVersionAndHelp(t *testing.T) {
	for _, args := range []string{"--version", "--help", "help", "help run", "run --help", "moves --help"} {
		o := selfplay("", strings.Fields(args)...)
		if o.code != 0 || !strings.Contains(o.stdout, "selfplay") || o.stderr != "" {
			t.Errorf("%s: %+v", args, o)
		}
	}
}
