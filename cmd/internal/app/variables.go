package app

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// VariablePrefix begins the names of the environment variables of flags.
const VariablePrefix = "SELFPLAY_"

// shared are the flags that the environment sets for every command.
var shared = []string{"quiet", logFormat, endpointFlag, scratchFlag}

// Variable returns the environment variable of a flag.
func Variable(flag string) string {
	return VariablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// SetVariables sets flags of the command that are not set from the environment: those with the
// given names, or all if none is given. Only a flag that takes any text takes an empty one.
func SetVariables(c *cli.Context, flags ...string) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		text, found := os.LookupEnv(Variable(name))
		if !found || c.IsSet(name) || len(flags) > 0 && !slices.Contains(flags, name) || text == "" && Expected(c, name) != "" {
			continue
		}
		if c.Set(name, text) != nil {
			return Usage("invalid value %q of %s%s", text, Variable(name), Expected(c, name))
		}
	}
	return nil
}
