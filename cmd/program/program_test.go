package program

import (
	"bytes"
	"context"
	"selfplay/encode"
	"selfplay/workers"
	"strings"
	"testing"
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

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"", "no command: want one of run, status, finalize, replay, info, verify, head, export, moves, perft, games, players, presets, match, net, uci, bench, completion, version"},
		{"fly", `unknown command "fly"`},
		{"vreify d", `unknown command "vreify", did you mean "verify"?`},
		{"export vreify d", `unknown command "vreify", did you mean "verify"? (selfplay export --help lists the commands)`},
		{"export", "no command: want selfplay export and one of info, verify"},
		{"verify", "no directory: want selfplay verify [flags] DIR"},
		{"export verify", "no directory: want selfplay export verify [flags] DIR"},
		{"perft", "flags --game and --depth are missing"},
		{"match", "flags --game, --a and --b are missing"},
		{"run", "flags --game, --games and --out are missing"},
		{"run --gmaes 3", "unknown flag --gmaes, did you mean --games?"},
		{"--fly", "unknown flag --fly"},
		{"--log-format xml run", `unknown log format "xml": want text or json`},
		{"run --log-format xml", `unknown log format "xml"`},

		{"moves", "flag --game is missing"},
		{"moves --game go", `unknown game "go": want one of cotulenh`},
		{"moves --game ches", `unknown game "ches", did you mean "chess"?`},
		{"moves --game", "flag --game needs a value"},
		{"moves --game cotulenh --variant tall", `unknown variant "tall"`},
		{"moves --game cotulenh --position !!", "parse position: "},
		{"moves --game cotulenh --play !!", `play "!!": `},
		{"moves --game cotulenh --batch --play a", "flags --batch and --play exclude each other"},
		{"moves --game cotulenh start", `unexpected argument "start": moves takes flags only`},
		{"moves start --game=cotulenh", `unexpected argument "start": moves takes flags only`},

		{"perft --game cotulenh", "flag --depth is missing"},
		{"perft --game cotulenh --depth two", `invalid value "two" for flag --depth`},
		{"perft --game cotulenh --depth -1", "depth -1: want 0 to 100"},
		{"perft --game cotulenh --depth 101", "depth 101: want 0 to 100"},
		{"perft --game cotulenh --depth 1 --position !!", "parse position: "},
		{"perft --game cotulenh --depth 1 2", `unexpected argument "2"`},

		{"bench --game go", `unknown game "go"`},
		{"bench --seconds 0", "seconds 0: want"},
		{"bench --player chess", `unknown player "chess"`},
		{"bench now", `unexpected argument "now"`},
	} {
		t.Run(c.args, func(t *testing.T) {
			mustRefuse(t, selfplay("", strings.Fields(c.args)...), 2, c.want)
		})
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
