package app

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestHelpOfACommand(t *testing.T) {
	const want = `test show - print the line

USAGE
   test show [flags] DIR

GAME
   --games N            N games

FLAGS
   --index N            may be negative
   --fast               be fast
   --play MOVE          MOVE; may be repeated

OUTPUT
   --out FILE           FILE to write

LOGGING
   --quiet              print only errors on stderr, and no summary
   --log-format FORMAT  FORMAT of the lines on stderr: text or json (default: text)
`
	for _, line := range []string{"show --help", "show d -h", "help show", "--help show", "show --games x --help"} {
		code, stdout, stderr := runTest(strings.Fields(line)...)
		if code != 0 || stdout != want || stderr != "" {
			t.Errorf("%s: exit code %d, %q, stdout\n%s", line, code, stderr, stdout)
		}
	}
}

func TestHelpOfAProgramAndOfAGroup(t *testing.T) {
	for line, want := range map[string]string{
		"--help":        "COMMANDS\n   show        print the line\n",
		"help":          "   version     print the versions of the program",
		"group --help":  "COMMANDS\n   show  print the line\n",
		"help group":    "test group COMMAND [flags] [arguments]\n",
		"version -h":    "test version - print the versions",
		"completion -h": "source <(test completion bash)",
	} {
		if code, stdout, _ := runTest(strings.Fields(line)...); code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%s: exit code %d, no %q in\n%s", line, code, want, stdout)
		}
	}
}

func TestHelpOfANarrowTerminal(t *testing.T) {
	h := &help{width: 50}
	h.command(&cli.Command{
		Name: "mix", HelpName: "test mix", Usage: "mix several things that take more than one line to describe",
		Description: "form    *.txt    a table whose last column is long and wraps below itself\n\nExamples:\ntest mix --long-line-that-can-be-copied and is therefore never wrapped\n",
		Flags:       []cli.Flag{&cli.StringFlag{Name: "boards", Value: "array", Usage: "array, or text: the position as a text"}},
	})
	const want = `test mix - mix several things that take more than
one line to describe

USAGE
   test mix [flags]

DESCRIPTION
   form    *.txt    a table whose last column is
                    long and wraps below itself

FLAGS
   --boards VALUE
       array, or text: the position as a text
       (default: array)

EXAMPLES
   test mix --long-line-that-can-be-copied and is therefore never wrapped
`
	if got := h.text.String(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestExamplesNameTheProgram(t *testing.T) {
	for name, want := range map[string]string{"selfplay export info": "   selfplay export info d\n   selfplay export verify d\n", "export info": "   export info d\n   export verify d\n"} {
		h := &help{width: 80}
		h.command(&cli.Command{HelpName: name, Description: "Examples:\nexport info d\nselfplay export verify d\n"})
		if !strings.HasSuffix(h.text.String(), "EXAMPLES\n"+want) {
			t.Errorf("%s:\n%s", name, h.text.String())
		}
	}
}

func TestZeroIsNotShownAsADefault(t *testing.T) {
	for want, f := range map[string]docFlag{
		"":        &cli.IntFlag{},
		"7":       &cli.IntFlag{Value: 7},
		"never":   &cli.DurationFlag{DefaultText: "never"},
		"0.5":     &cli.Float64Flag{Value: 0.5},
		"as DIR":  &cli.StringFlag{DefaultText: "as DIR", Value: "x"},
		"1000000": CountFlag("n", 1e6, "", ""),
	} {
		if got := defaultOf(f); got != want {
			t.Errorf("default %q, want %q", got, want)
		}
	}
	if got := defaultOf(&cli.BoolFlag{}) + defaultOf(CountFlag("n", 0, "", "")) + defaultOf(&cli.DurationFlag{}); got != "" {
		t.Errorf("default %q of flags without one", got)
	}
}
