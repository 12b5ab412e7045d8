package app

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Dir returns the one positional argument of a command: a directory.
func Dir(c *cli.Context) (string, error) {
	dirs, err := Dirs(c, 1)
	if err != nil {
		return "", err
	}
	return dirs[0], nil
}

// Dirs returns the positional arguments of a command: directories, one at least and
// no more than most. Flags are not looked for behind one, so a flag that stands there
// is refused, never taken for a name.
func Dirs(c *cli.Context, most int) ([]string, error) {
	dirs := c.Args().Slice()
	for _, arg := range dirs {
		if strings.HasPrefix(arg, "-") {
			return nil, Usage("flag %s stands after DIR: flags come first", flagName(arg))
		}
	}
	switch {
	case len(dirs) == 0:
		return nil, Usage("no directory: want %s %s [flags] %s", c.App.Name, c.Command.Name, c.Command.ArgsUsage)
	case len(dirs) > most:
		return nil, Usage("unexpected argument %q: want %s", dirs[most], c.Command.ArgsUsage)
	}
	for _, dir := range dirs {
		if err := checkDir(dir); err != nil {
			return nil, err
		}
	}
	return dirs, nil
}

func checkDir(dir string) error {
	if dir == "" {
		return Usage("the name of the directory is empty")
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Usage("open %s: no such directory", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return Usage("open %s: not a directory", dir)
	}
	return nil
}

// NoArgs refuses positional arguments, and with them any flag that would stand
// unread behind one.
func NoArgs(c *cli.Context) error {
	if !c.Args().Present() {
		return nil
	}
	for _, arg := range c.Args().Slice() {
		if strings.HasPrefix(arg, "-") {
			return Usage("unexpected argument %q before flag %s: %s takes flags only", c.Args().First(), flagName(arg), c.Command.Name)
		}
	}
	return Usage("unexpected argument %q: %s takes flags only", c.Args().First(), c.Command.Name)
}

// Required returns the text of a flag that must be given.
func Required(c *cli.Context, flag string) (string, error) {
	if c.String(flag) == "" {
		return "", Usage("flag --%s is missing", flag)
	}
	return c.String(flag), nil
}

// flagName strips the value off a flag.
func flagName(arg string) string {
	name, _, _ := strings.Cut(arg, "=")
	return name
}

// refuseFlag words what package flag says about a bad flag.
func refuseFlag(c *cli.Context, err error, _ bool) error {
	text := err.Error()
	if bad := badValue.FindStringSubmatch(text); bad != nil {
		return Usage("invalid value %s for flag --%s%s", bad[1], bad[2], Wanted(c, bad[2]))
	}
	if bad := badVariable.FindStringSubmatch(text); bad != nil {
		return Usage("invalid value %s of %s%s", bad[1], bad[2], Wanted(c, bad[3]))
	}
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return Usage("unknown flag --%s", name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return Usage("flag --%s needs a value", name)
	}
	return Usage("%s", strings.Replace(text, "for flag -", "for flag --", 1))
}

// What packages flag and cli say of a value that they cannot read.
var (
	badValue    = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-([a-z-]+): .*$`)
	badVariable = regexp.MustCompile(`^could not parse (".*") as .* from environment variable "(\w+)" for flag ([a-z-]+): .*$`)
)

// Wanted says what values a flag of the command takes: ": want a whole number".
func Wanted(c *cli.Context, flag string) string {
	for _, f := range c.Command.Flags {
		if !slices.Contains(f.Names(), flag) {
			continue
		}
		switch f.(type) {
		case *cli.IntFlag:
			return ": want a whole number"
		case *cli.Uint64Flag:
			return ": want a whole number, 0 or more"
		case *cli.DurationFlag:
			return ": want a time as 8h, 90m or 25s"
		case *cli.BoolFlag:
			return ": want true or false"
		}
	}
	return ""
}
