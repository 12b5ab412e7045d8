package app

import (
	"bytes"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

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
	for _, c := range []struct {
		flag docFlag
		want string
	}{
		{&cli.IntFlag{}, ""},
		{&cli.IntFlag{Value: 7}, "7"},
		{&cli.DurationFlag{}, ""},
		{&cli.DurationFlag{DefaultText: "never"}, "never"},
		{&cli.Float64Flag{Value: 0.5}, "0.5"},
		{&cli.BoolFlag{}, ""},
		{&cli.StringFlag{Value: "x"}, "x"},
		{&cli.StringFlag{Value: "0"}, ""},
		{&cli.StringFlag{DefaultText: "as DIR", Value: "x"}, "as DIR"},
		{CountFlag("n", 1e6, "", ""), "1000000"},
		{CountFlag("n", 0, "", ""), ""},
	} {
		if got := defaultOf(c.flag); got != c.want {
			t.Errorf("%T: default %q, want %q", c.flag, got, c.want)
		}
	}
}

func TestControlCharactersAreNotPrinted(t *testing.T) {
	for text, want := range map[string]string{
		"game\tchess\n♔ é": "game\tchess\n♔ é",
		"\x1b[2Jgone":      `\u001b[2Jgone`,
		"a\rb\x07\x7f":     `a\u000db\u0007\u007f`,
		"\u009b31m":        `\u009b31m`,
		"\xff\xfe":         "\xff\xfe",
	} {
		var out bytes.Buffer
		if n, err := (printable{&out}).Write([]byte(text)); n != len(text) || err != nil || out.String() != want {
			t.Errorf("%q: %q, %d, %v", text, out.String(), n, err)
		}
	}
	var out bytes.Buffer
	if Bytes(printable{&out}) != &out || Bytes(&out) != &out {
		t.Error("Bytes returns another writer")
	}
}

// TestErrorsAreOneSafeLine: an error may hold text of a plan.
func TestErrorsAreOneSafeLine(t *testing.T) {
	for text, want := range map[string]string{"a\nb\r\n\nc": "a b c", "a\n\x1b[2Jb\tc": `a \u001b[2Jb` + "\tc"} {
		if got := oneLine(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
