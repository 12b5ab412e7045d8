package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine/enginetest"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
	"selfplay/internal/release"
	"selfplay/workers"
)

func TestCode(t *testing.T) {
	stopped, stop := context.WithCancelCause(context.Background())
	signal := errors.New("interrupt signal received")
	stop(signal)
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want int
	}{
		{context.Background(), nil, 0},
		{stopped, nil, 0}, // the work was done before the signal
		{context.Background(), errors.New("disk full"), 1},
		{stopped, errors.New("disk full"), 1},
		{context.Background(), context.Canceled, 1},
		{context.Background(), usagef("no"), 2},
		{context.Background(), fmt.Errorf("open: %w", datasets.ErrNotDataset), 2},
		{context.Background(), fmt.Errorf("open: %w", datasets.ErrUnsupported), 2},
		{context.Background(), &fs.PathError{Op: "mkdir", Path: "/", Err: fs.ErrPermission}, 2},
		{context.Background(), datasets.ErrIncomplete, 3},
		{stopped, context.Canceled, 3},
		{stopped, signal, 3},
		{context.Background(), fmt.Errorf("verify: %w", errDamaged), 4},
		{context.Background(), &datasets.PlanError{}, 5},
		{context.Background(), fmt.Errorf("commit: %w", datasets.ErrNondeterminism), 6},
		{context.Background(), &datasets.LockError{}, 11},
	} {
		if got := exitCode(c.ctx, c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

func TestDamagedSaysWhatToRun(t *testing.T) {
	c := cli.NewContext(&cli.App{Name: "selfplay"}, nil, nil)
	damage := fmt.Errorf("read plan.json: %w", datasets.ErrCorrupt)
	if got, want := explainDamage(c, "d", damage), "read plan.json: corrupt: run selfplay verify d for details, selfplay repair d to remove the damage"; got.Error() != want || !errors.Is(got, datasets.ErrCorrupt) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, other := range []error{nil, datasets.ErrNoSpace} {
		if got := explainDamage(c, "d", other); got != other {
			t.Errorf("%v of %v", got, other)
		}
	}
}

func TestDebugVariableShowsTheStackOfAPanic(t *testing.T) {
	t.Setenv(debugVariable, "1")
	if _, _, stderr := runTest("crash", "wing"); !strings.Contains(stderr, "app_test.go") {
		t.Errorf("no stack: %q", stderr)
	}
}

func TestVersion(t *testing.T) {
	code, stdout, _ := runTest("version", "--json")
	var b programBuild
	if err := json.Unmarshal([]byte(stdout), &b); err != nil || code != 0 || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("exit code %d, %q: %v", code, stdout, err)
	}
	if b.Program != "test" || b.Go != runtime.Version() || b.Writer != plan.WriterVersion || b.Format != plan.FormatVersion || len(b.Rules) != len(encode.Games()) {
		t.Errorf("%+v", b)
	}
	_, table, _ := runTest("version")
	for _, want := range []string{"test      ", "commit    ", "go        " + runtime.Version(), "platform  " + runtime.GOOS, "rules     cotulenh ", "writer    ", "format    "} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	if code, line, _ := runTest("--version"); code != 0 || !strings.HasPrefix(line, "test version ") {
		t.Errorf("--version: exit code %d, %q", code, line)
	}
}

func TestBuildWithAndWithoutCommit(t *testing.T) {
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "commit    unknown\n"},
		{&debug.BuildInfo{}, "commit    unknown\n"},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}}, "x         " + release.Version + "\ncommit    abc\n"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}, "\ncommit    abc, modified\n"},
	} {
		var out strings.Builder
		if err := buildOf("x", nil, c.info).print(&out, nil); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%+v: %v, no %q in\n%s", c.info, err, c.want, out.String())
		}
	}
}

// TestScriptsParse asks each installed shell to parse its script.
func TestScriptsParse(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			script := must.Get(shellScripts.ReadFile("scripts/" + name))(t)
			shell, err := exec.LookPath(name)
			if err != nil {
				return // the shell is not installed
			}
			check := exec.Command(shell, "-n")
			check.Stdin = strings.NewReader(strings.ReplaceAll(string(script), "PROGRAM", "selfplay"))
			if text, err := check.CombinedOutput(); err != nil || len(text) > 0 {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}

func TestHelpOfANarrowTerminal(t *testing.T) {
	h := &helpPrinter{width: 50}
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
	for name, want := range map[string]string{"selfplay info": "   selfplay info d\n   selfplay run\n", "export info": "   export info d\n   selfplay run\n"} {
		h := &helpPrinter{width: 80}
		h.command(&cli.Command{Name: "info", HelpName: name, Description: "Examples:\nselfplay info d\nselfplay run\n"})
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
		{countFlag("n", 1e6, "", ""), "1000000"},
		{countFlag("n", 0, "", ""), ""},
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
	if bytesWriter(printable{&out}) != &out || bytesWriter(&out) != &out {
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

// testProgram returns a program with one command per kind of argument.
func testProgram() *cli.App {
	values := map[string]flagValues{
		"out":      oneOf("a.csv", "b.npz"),
		"need out": oneOf("c.csv"),
		"play":     anyOf("e4", "e5", "d4"),
		"show DIR": oneOf("data"),
		"index":    func(_ string, given func(string) string) []string { return []string{"of " + given("out")} },
	}
	flags := func() []cli.Flag {
		return []cli.Flag{
			countFlag("games", 0, groupGame, "`N` games"),
			&cli.IntFlag{Name: "index", Usage: "may be negative"},
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "`FILE` to write"},
			&cli.BoolFlag{Name: "fast", Usage: "be fast"},
			&cli.StringSliceFlag{Name: "play", Usage: "`MOVE`; may be repeated"},
		}
	}
	return newApp("test", "test command lines", workers.Catalog{Games: encode.Games()}, values,
		&cli.Command{Name: "show", Usage: "print the line", ArgsUsage: "DIR", Flags: flags(), Action: showFlags},
		&cli.Command{Name: "need", Usage: "need flags", Flags: flags(), Action: func(c *cli.Context) error { return requireFlags(c, "games", "index", "out") }},
		&cli.Command{Name: "fail", Usage: "fail", Action: func(*cli.Context) error { return errors.New("the disk\nis full") }},
		&cli.Command{Name: "group", Usage: "hold commands", Subcommands: []*cli.Command{{Name: "show", Usage: "print the line", Flags: flags(), Action: showFlags}}},
		&cli.Command{Name: "write", Usage: "check an output", Flags: []cli.Flag{&cli.StringFlag{Name: "out"}, forceFlag()},
			Action: func(c *cli.Context) error { return checkOutput(c, c.String("out")) }},
		&cli.Command{Name: "crash", Usage: "panic", Action: func(c *cli.Context) error { return crashWith(c.Args().First()) }},
	)
}

// showFlags prints what a command was given.
func showFlags(c *cli.Context) error {
	_, err := fmt.Fprintf(c.App.Writer, "%s games=%d index=%d out=%s fast=%t play=%v args=%q\n", c.Command.HelpName,
		c.Uint64("games"), c.Int("index"), c.String("out"), c.Bool("fast"), c.StringSlice("play"), c.Args().Slice())
	return err
}

// crashWith panics, in a goroutine of a work that also fails with an exit code of its own if value
// is "goroutine".
func crashWith(value string) error {
	if value == "goroutine" {
		g := goroutine.New()
		g.Go(func() error { panic("no such wing") })
		return errors.Join(fmt.Errorf("make shard 00007: %w", g.Wait()), errDamaged)
	}
	panic(map[string]any{
		"wing": "no such\nwing", "usage": usagef("no"), "unsupported": datasets.ErrUnsupported,
		"damaged": fmt.Errorf("deep: %w", errDamaged), "canceled": context.Canceled,
	}[value])
}

// runTest runs the program and returns its exit code, stdout and stderr.
func runTest(args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	code = runApp(context.Background(), testProgram(), append([]string{"test"}, args...), nil, &out, &err)
	return code, out.String(), err.String()
}

// timeOfLog is the only part of the output that differs between two runs.
var timeOfLog = regexp.MustCompile(`"time":"[^"]*"`)

// lineSession runs a line: words after variables of the environment.
func lineSession(t *testing.T, line string) string {
	words := strings.Fields(line)
	for len(words) > 0 && strings.HasPrefix(words[0], "SELFPLAY_") {
		name, value, _ := strings.Cut(words[0], "=")
		t.Setenv(name, value)
		words = words[1:]
	}
	for i, w := range words {
		words[i] = strings.NewReplacer("''", "", "␣", " ").Replace(w)
	}
	code, stdout, stderr := runTest(words...)
	if code != 0 {
		stderr += fmt.Sprintf("exit code %d\n", code)
	}
	return timeOfLog.ReplaceAllString(stdout+stderr, `"time":"now"`)
}

// TestLines runs the command lines of a golden file, which stand after $.
func TestLines(t *testing.T) {
	const golden = "testdata/lines.txt"
	saved := must.Get(os.ReadFile(golden))(t)
	var text strings.Builder
	for line := range strings.Lines(string(saved)) {
		if command, ok := strings.CutPrefix(line, "$"); ok {
			t.Run(strings.TrimSpace(command), func(t *testing.T) { text.WriteString(line + lineSession(t, command) + "\n") })
		} else if strings.HasPrefix(line, "#") {
			text.WriteString(line)
		}
	}
	enginetest.Golden(t, golden, text.String(), "users read these texts")
}
