package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/workers"
)

// testProgram returns a program with one command per kind of argument. Each prints what it
// was given.
func testProgram(values map[string]Values) *cli.App {
	flags := func() []cli.Flag {
		return []cli.Flag{
			CountFlag("games", 0, Game, "`N` games"),
			&cli.IntFlag{Name: "index", Usage: "may be negative"},
			&cli.StringFlag{Name: "out", Category: Output, Usage: "`FILE` to write"},
			&cli.BoolFlag{Name: "fast", Usage: "be fast"},
			&cli.StringSliceFlag{Name: "play", Usage: "`MOVE`; may be repeated"},
		}
	}
	show := func(c *cli.Context) error {
		_, err := fmt.Fprintf(c.App.Writer, "%s games=%d index=%d out=%s fast=%t play=%v args=%q\n", c.Command.HelpName,
			c.Uint64("games"), c.Int("index"), c.String("out"), c.Bool("fast"), c.StringSlice("play"), c.Args().Slice())
		return err
	}
	return New("test", "test command lines", workers.Catalog{Games: encode.Games()}, values,
		&cli.Command{Name: "show", Usage: "print the line", ArgsUsage: "DIR", Flags: flags(), Action: show},
		&cli.Command{Name: "need", Usage: "need flags", Flags: flags(), Action: func(c *cli.Context) error { return RequireFlags(c, "games", "index", "out") }},
		&cli.Command{Name: "fail", Usage: "fail", Action: func(*cli.Context) error { return errors.New("the disk\nis full") }},
		&cli.Command{Name: "group", Usage: "hold commands", Subcommands: []*cli.Command{{Name: "show", Usage: "print the line", Flags: flags(), Action: show}}},
	)
}

// runTest runs the program and returns its exit code, stdout and stderr.
func runTest(args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	code = Run(context.Background(), testProgram(nil), append([]string{"test"}, args...), nil, &out, &err)
	return code, out.String(), err.String()
}

func TestFlagsMayStandAnywhere(t *testing.T) {
	for line, want := range map[string]string{
		"show --games 3 d":                    `test show games=3 index=0 out= fast=false play=[] args=["d"]`,
		"show d --games 3":                    `test show games=3 index=0 out= fast=false play=[] args=["d"]`,
		"--games 3 show d":                    `test show games=3 index=0 out= fast=false play=[] args=["d"]`,
		"show d --fast e --out=x":             `test show games=0 index=0 out=x fast=true play=[] args=["d" "e"]`,
		"show d -fast=false -games 1":         `test show games=1 index=0 out= fast=false play=[] args=["d"]`,
		"show d --out - --index -5":           `test show games=0 index=-5 out=- fast=false play=[] args=["d"]`,
		"show -7 - --fast":                    `test show games=0 index=0 out= fast=true play=[] args=["-7" "-"]`,
		"show --fast -- --games 3":            `test show games=0 index=0 out= fast=true play=[] args=["--games" "3"]`,
		"show d --play a,b --play c":          `test show games=0 index=0 out= fast=false play=[a,b c] args=["d"]`,
		"show show help":                      `test show games=0 index=0 out= fast=false play=[] args=["show" "help"]`,
		"group show d --games 10k":            `test group show games=10000 index=0 out= fast=false play=[] args=["d"]`,
		"group --games 1M --quiet show d":     `test group show games=1000000 index=0 out= fast=false play=[] args=["d"]`,
		"--log-format json group show --fast": `test group show games=0 index=0 out= fast=true play=[] args=[]`,
	} {
		code, stdout, stderr := runTest(strings.Fields(line)...)
		if code != 0 || stdout != want+"\n" {
			t.Errorf("%s: exit code %d, %q %q, want %q", line, code, stdout, stderr, want)
		}
	}
}

func TestRefusedLines(t *testing.T) {
	for line, want := range map[string]string{
		"":                       "no command: want one of show, need, fail, group, completion, version (test --help explains them)",
		"group":                  "no command: want test group and one of show",
		"sohw d":                 `unknown command "sohw", did you mean "show"? (test --help lists the commands)`,
		"group sho":              `unknown command "sho", did you mean "show"? (test group --help lists the commands)`,
		"fly --games 3":          `unknown command "fly": want test and one of show, need, fail, group, completion, version`,
		"help fly":               `unknown command "fly": want test and one of show, need, fail, group, completion, version`,
		"--fly":                  "unknown flag --fly (test --help lists the flags)",
		"show d --gmaes 3":       "unknown flag --gmaes, did you mean --games? (test show --help lists the flags)",
		"show d --speed 3":       "unknown flag --speed (test show --help lists the flags)",
		"group show d --Fast":    "unknown flag --Fast, did you mean --fast? (test group show --help lists the flags)",
		"show --version":         "unknown flag --version: want test version",
		"show d --games":         "flag --games needs a value: want a whole number such as 4000, 10k, 1M or 1e6",
		"show d --out --fast":    "flag --out needs a value, and --fast is a flag (if it is the value, write --out=--fast)",
		"show --games many":      `invalid value "many" for flag --games: want a whole number such as 4000, 10k, 1M or 1e6`,
		"show --index x":         `invalid value "x" for flag --index: want a whole number`,
		"show --fast=x":          `invalid value "x" for flag --fast: want true or false`,
		"need":                   "flags --games, --index and --out are missing",
		"need --games 1":         "flags --index and --out are missing",
		"need --games 1 --out=":  "flags --index and --out are missing",
		"need --index 0 --out x": "flag --games is missing",
		"completion":             "want one shell: bash, zsh or fish",
		"completion tcsh":        `unknown shell "tcsh": want bash, zsh or fish`,
	} {
		code, stdout, stderr := runTest(strings.Fields(line)...)
		if code != BadUsage || stdout != "" || stderr != "test: "+want+"\n" {
			t.Errorf("%s: exit code %d, %q %q, want %q", line, code, stdout, stderr, want)
		}
	}
}

func TestErrorsFollowTheLogFormat(t *testing.T) {
	for _, c := range []struct {
		line string
		json bool
		want string
	}{
		{"fail", false, "the disk is full"},
		{"fail --log-format text", false, "the disk is full"},
		{"fail --log-format json", true, "the disk is full"},
		{"--log-format json fail --quiet", true, "the disk is full"},
		{"--log-format json fail --fleet", true, "unknown flag --fleet (test fail --help lists the flags)"},
		{"fly --log-format=json", true, `unknown command "fly": want test and one of show, need, fail, group, completion, version`},
		{"fail --log-format xml", false, `unknown log format "xml": want text or json`},
	} {
		code, _, stderr := runTest(strings.Fields(c.line)...)
		if code == 0 {
			t.Errorf("%s: exit code 0", c.line)
		}
		if !c.json {
			if stderr != "test: "+c.want+"\n" {
				t.Errorf("%s: stderr is %q, want %q", c.line, stderr, c.want)
			}
			continue
		}
		var line struct{ Level, Msg string }
		if err := json.Unmarshal([]byte(stderr), &line); err != nil || line.Level != "ERROR" || line.Msg != c.want {
			t.Errorf("%s: stderr is %q, %v", c.line, stderr, err)
		}
	}
}

func TestDamagedSaysWhatToRun(t *testing.T) {
	c := cli.NewContext(&cli.App{Name: "selfplay"}, nil, nil)
	damage := fmt.Errorf("read plan.json: %w", datasets.ErrCorrupt)
	if got, want := ExplainDamage(c, "d", damage), "read plan.json: corrupt: run selfplay verify d for details, selfplay export repair d to remove the damage"; got.Error() != want || !errors.Is(got, datasets.ErrCorrupt) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, other := range []error{nil, datasets.ErrNoSpace} {
		if got := ExplainDamage(c, "d", other); got != other {
			t.Errorf("%v of %v", got, other)
		}
	}
}
