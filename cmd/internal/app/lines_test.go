package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine/enginetest"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// testProgram returns a program with one command per kind of argument.
func testProgram() *cli.App {
	values := map[string]Values{
		"out":      OneOf("a.csv", "b.npz"),
		"need out": OneOf("c.csv"),
		"play":     ListOf("e4", "e5", "d4"),
		"show DIR": OneOf("data"),
		"index":    func(_ string, given func(string) string) []string { return []string{"of " + given("out")} },
	}
	flags := func() []cli.Flag {
		return []cli.Flag{
			CountFlag("games", 0, Game, "`N` games"),
			&cli.IntFlag{Name: "index", Usage: "may be negative"},
			&cli.StringFlag{Name: "out", Category: Output, Usage: "`FILE` to write"},
			&cli.BoolFlag{Name: "fast", Usage: "be fast"},
			&cli.StringSliceFlag{Name: "play", Usage: "`MOVE`; may be repeated"},
		}
	}
	return New("test", "test command lines", workers.Catalog{Games: encode.Games()}, values,
		&cli.Command{Name: "show", Usage: "print the line", ArgsUsage: "DIR", Flags: flags(), Action: show},
		&cli.Command{Name: "need", Usage: "need flags", Flags: flags(), Action: func(c *cli.Context) error { return RequireFlags(c, "games", "index", "out") }},
		&cli.Command{Name: "fail", Usage: "fail", Action: func(*cli.Context) error { return errors.New("the disk\nis full") }},
		&cli.Command{Name: "group", Usage: "hold commands", Subcommands: []*cli.Command{{Name: "show", Usage: "print the line", Flags: flags(), Action: show}}},
		&cli.Command{Name: "write", Usage: "check an output", Flags: []cli.Flag{&cli.StringFlag{Name: "out"}, ForceFlag()},
			Action: func(c *cli.Context) error { return CheckOutput(c, c.String("out")) }},
		&cli.Command{Name: "crash", Usage: "panic", Action: func(c *cli.Context) error { return crash(c.Args().First()) }},
	)
}

// show prints what a command was given.
func show(c *cli.Context) error {
	_, err := fmt.Fprintf(c.App.Writer, "%s games=%d index=%d out=%s fast=%t play=%v args=%q\n", c.Command.HelpName,
		c.Uint64("games"), c.Int("index"), c.String("out"), c.Bool("fast"), c.StringSlice("play"), c.Args().Slice())
	return err
}

// crash panics, in a goroutine of a work that also fails with an exit code of its own if value
// is "goroutine".
func crash(value string) error {
	if value == "goroutine" {
		g := goroutine.New()
		g.Go(func() error { panic("no such wing") })
		return errors.Join(fmt.Errorf("make shard 00007: %w", g.Wait()), ErrDamaged)
	}
	panic(map[string]any{
		"wing": "no such\nwing", "usage": Usage("no"), "unsupported": datasets.ErrUnsupported,
		"damaged": fmt.Errorf("deep: %w", ErrDamaged), "canceled": context.Canceled,
	}[value])
}

// runTest runs the program and returns its exit code, stdout and stderr.
func runTest(args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	code = Run(context.Background(), testProgram(), append([]string{"test"}, args...), nil, &out, &err)
	return code, out.String(), err.String()
}

// timeOfLog is the only part of the output that differs between two runs.
var timeOfLog = regexp.MustCompile(`"time":"[^"]*"`)

// session runs a line: words after variables of the environment.
func session(t *testing.T, line string) string {
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
			t.Run(strings.TrimSpace(command), func(t *testing.T) { text.WriteString(line + session(t, command) + "\n") })
		} else if strings.HasPrefix(line, "#") {
			text.WriteString(line)
		}
	}
	enginetest.Golden(t, golden, text.String(), "users read these texts")
}
