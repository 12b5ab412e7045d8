package app

import (
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// refuseFlag words an error of package flag.
func refuseFlag(c *cli.Context, err error, _ bool) error {
	text := err.Error()
	if m := invalidValue.FindStringSubmatch(text); m != nil {
		return Usage("invalid value %s for flag --%s%s", m[1], m[2], Wanted(c, m[2]))
	}
	if m := invalidVariable.FindStringSubmatch(text); m != nil {
		return Usage("invalid value %s of %s%s", m[1], m[2], Wanted(c, m[3]))
	}
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return Usage("unknown flag --%s%s (%s --help lists the flags)", name, suggestFlag(c, name), c.Command.HelpName)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return Usage("flag --%s needs a value%s", name, Wanted(c, name))
	}
	return Usage("%s", strings.Replace(text, "for flag -", "for flag --", 1))
}

// The errors of packages flag and cli about a value that they cannot parse.
var (
	invalidValue    = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-([a-z-]+): .*$`)
	invalidVariable = regexp.MustCompile(`^could not parse (".*?")(?: as .*)? from environment variable "(\w+)"(?: as value)? for flag ([a-z-]+): .*$`)
)

// Wanted describes the values that a flag of the command takes, as in ": want a whole
// number", or returns "" if the flag takes any text.
func Wanted(c *cli.Context, flag string) string {
	i := slices.IndexFunc(c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), flag) })
	if i < 0 {
		return ""
	}
	switch f := c.Command.Flags[i].(type) {
	case *cli.IntFlag:
		return ": want a whole number"
	case *cli.Uint64Flag:
		return ": want a whole number, 0 or more"
	case *cli.Float64Flag:
		return ": want a number"
	case *cli.DurationFlag:
		return ": want a duration such as 8h, 90m or 25s"
	case *cli.BoolFlag:
		return ": want true or false"
	case *cli.GenericFlag:
		if _, ok := f.Value.(*count); ok {
			return ": want a whole number such as 4000, 10k, 1M or 1e6"
		}
	}
	return ""
}
