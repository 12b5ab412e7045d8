package program

import (
	"strings"
	"testing"

	"selfplay/cmd/internal/app"

	"github.com/urfave/cli/v2"
)

// visit calls f with the words of every command of the program.
func visit(commands []*cli.Command, words []string, f func(words []string, c *cli.Command)) {
	for _, c := range commands {
		line := append(append([]string{}, words...), c.Name)
		f(line, c)
		visit(c.Subcommands, line, f)
	}
}

// TestHelpFits: the help of every command has at most 100 columns and no default that means
// "none".
func TestHelpFits(t *testing.T) {
	visit(commands(catalog.Games), nil, func(words []string, _ *cli.Command) {
		text := mustRun(t, append(words, "--help")...)
		for line := range strings.SplitSeq(text, "\n") {
			if len([]rune(line)) > 100 {
				t.Errorf("%v: a line of %d columns: %s", words, len([]rune(line)), line)
			}
			for _, wrong := range []string{"(default: 0)", `(default: "`, "`", "(default: )"} {
				if strings.Contains(line, wrong) {
					t.Errorf("%v: %s in %s", words, wrong, line)
				}
			}
		}
	})
}

// TestExamplesNameTheCommand whose help they are in, and which a reader has typed.
func TestExamplesNameTheCommand(t *testing.T) {
	for _, command := range app.Shortcuts {
		_, examples, _ := strings.Cut(mustRun(t, command, "--help"), "EXAMPLES\n")
		if !strings.Contains(examples, "   selfplay "+command+" ") || strings.Contains(examples, "export "+command+" ") {
			t.Errorf("%s: %s", command, examples)
		}
	}
}

// TestFlagsTakeValuesEverywhereOrNowhere: the parser of command lines knows flags by name
// alone.
func TestFlagsTakeValuesEverywhereOrNowhere(t *testing.T) {
	takes, first := map[string]bool{}, map[string][]string{}
	visit(commands(catalog.Games), nil, func(words []string, c *cli.Command) {
		for _, f := range c.Flags {
			name, value := f.Names()[0], f.(cli.DocGenerationFlag).TakesValue()
			if other, ok := first[name]; ok && takes[name] != value {
				t.Errorf("--%s takes a value in one of %v and %v only", name, other, words)
			}
			takes[name], first[name] = value, words
		}
	})
}

func TestFlagsOfRunHaveGroups(t *testing.T) {
	for _, f := range runCommand(catalog.Games).Flags {
		if f.(cli.CategorizableFlag).GetCategory() == "" {
			t.Errorf("--%s has no group", f.Names()[0])
		}
	}
}

func TestShortcutsAreCommandsOfExport(t *testing.T) {
	out := t.TempDir()
	mustRun(t, "run", "--quiet", "--game", "Contrast", "--player", "random", "--games", "2", "--max-plies", "8", "--out", out)
	for _, command := range app.Shortcuts {
		short, long := mustRun(t, command, out, "--json"), mustRun(t, "export", command, "--json", out)
		if short != long || short == "" {
			t.Errorf("%s: %s, want %s", command, short, long)
		}
	}
}
