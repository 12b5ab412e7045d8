package program

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/disk"
)

// Every flag of run may also be set by an environment variable, SELFPLAY_ and the flag's
// name, or by the file of --config. The command line outranks the environment, the
// environment outranks the file, and the file outranks a preset.

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Category: app.Game, Usage: "read flags from a YAML `FILE` with lines such as games: 4000"}
}

// refuseUnknownVariables refuses a SELFPLAY_ variable that belongs to no flag of the
// command. The one for debugging belongs to every command.
func refuseUnknownVariables(c *cli.Context) error {
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		known := func(f cli.Flag) bool { return app.Variable(f.Names()[0]) == name }
		if strings.HasPrefix(name, app.VariablePrefix) && name != app.DebugVariable && !slices.ContainsFunc(c.Command.Flags, known) {
			return app.Usage("unknown variable %s: want %s and the name of a flag of %s", name, app.VariablePrefix, c.Command.Name)
		}
	}
	return nil
}

// fromEnvironment reports whether a flag has the value of its environment variable.
func fromEnvironment(c *cli.Context, flag string) bool {
	text, ok := os.LookupEnv(app.Variable(flag))
	return ok && c.String(flag) == text
}

// notInFile lists the flags that a file cannot set. They belong to a single run, or the
// program reads them before the file.
var notInFile = []string{"config", "task-index", "quiet", "log-format"}

// maxConfig is the size in bytes of the largest file of --config.
const maxConfig = 1 << 20

// applyConfig sets the flags that are in the file of --config and nowhere else.
func applyConfig(c *cli.Context) error {
	name := c.String("config")
	if name == "" {
		return nil
	}
	data, err := disk.ReadRegular(name, maxConfig)
	if err != nil {
		return app.Usage("read config: %v", err)
	}
	settings, err := parseConfig(data)
	if err != nil {
		return app.Usage("read config: %s: %v", name, err)
	}
	for _, s := range forSides(c, settings) {
		if err := applySetting(c, s); err != nil {
			return app.Usage("read config: %s line %d: %v", name, s.line, err)
		}
	}
	return nil
}

// applySetting sets a flag unless it is set.
func applySetting(c *cli.Context, s setting) error {
	known := slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == s.flag })
	switch {
	case !known:
		return fmt.Errorf("unknown key %q: want the name of a flag of run", s.flag)
	case slices.Contains(notInFile, s.flag):
		return fmt.Errorf("%q cannot be set in a file", s.flag)
	case c.IsSet(s.flag):
		return nil
	}
	if c.Set(s.flag, decimal(c, s)) != nil {
		return fmt.Errorf("invalid value %q of %s%s", s.value, s.flag, app.Expected(c, s.flag))
	}
	return nil
}

// decimal returns the value of a setting. Package cli reads 010 as octal, as Go does; in
// YAML 1.2 it is ten.
func decimal(c *cli.Context, s setting) string {
	if n, err := strconv.ParseUint(s.value, 10, 64); err == nil && app.Expected(c, s.flag) != "" {
		return strconv.FormatUint(n, 10)
	}
	return s.value
}
