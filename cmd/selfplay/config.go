package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"gopkg.in/yaml.v3"

	"selfplay/cmd/internal/app"
)

// Every flag of run may come from the environment, as SELFPLAY_ and its name, or from
// a file of --config. What stands on the command line comes first, then the
// environment, then the file, then a preset.

const variablePrefix = "SELFPLAY_"

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "`FILE` of flags in YAML, a name and a value a line: games: 4000"}
}

// variableOf returns the environment variable behind a flag.
func variableOf(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// refuseUnknownVariables refuses a variable that no flag of the command has.
func refuseUnknownVariables(c *cli.Context) error {
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		known := func(f cli.Flag) bool { return variableOf(f.Names()[0]) == name }
		if strings.HasPrefix(name, variablePrefix) && !slices.ContainsFunc(c.Command.Flags, known) {
			return app.Usage("unknown variable %s: want %s and the name of a flag of %s", name, variablePrefix, c.Command.Name)
		}
	}
	return nil
}

// withVariables lets flags be set by the environment.
func withVariables(flags []cli.Flag) []cli.Flag {
	for _, f := range flags {
		variable := []string{variableOf(f.Names()[0])}
		switch f := f.(type) {
		case *cli.StringFlag:
			f.EnvVars = variable
		case *cli.IntFlag:
			f.EnvVars = variable
		case *cli.Uint64Flag:
			f.EnvVars = variable
		case *cli.BoolFlag:
			f.EnvVars = variable
		case *cli.DurationFlag:
			f.EnvVars = variable
		default:
			panic(fmt.Sprintf("selfplay: flag --%s of type %T cannot come from the environment", f.Names()[0], f))
		}
	}
	return flags
}

// inVariable reports whether a flag has the value that the environment gives it.
func inVariable(c *cli.Context, flag string) bool {
	text, ok := os.LookupEnv(variableOf(flag))
	return ok && c.String(flag) == text
}

// notInFile are flags that a file cannot set: they are of one run, or come too late.
var notInFile = []string{"config", "task-index", "help", "quiet", "log-format"}

// useConfig sets the flags that stand in the file of --config and nowhere else.
func useConfig(c *cli.Context) error {
	name := c.String("config")
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return app.Usage("read config: %v", err)
	}
	settings, err := parseConfig(data)
	if err != nil {
		return app.Usage("read config: %s: %v", name, err)
	}
	for _, s := range forSides(c, settings) {
		known := slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == s.flag })
		switch {
		case !known:
			return app.Usage("read config: %s line %d: unknown key %q: want the name of a flag of run", name, s.line, s.flag)
		case slices.Contains(notInFile, s.flag):
			return app.Usage("read config: %s line %d: %q cannot stand in a file", name, s.line, s.flag)
		case c.IsSet(s.flag):
			continue
		}
		if err := c.Set(s.flag, decimal(c, s)); err != nil {
			return app.Usage("read config: %s line %d: invalid value %q of %s%s", name, s.line, s.value, s.flag, app.Wanted(c, s.flag))
		}
	}
	return nil
}

// decimal returns the value of a setting. Package cli takes 010 for octal, as Go does;
// in YAML it is ten.
func decimal(c *cli.Context, s setting) string {
	if n, err := strconv.ParseUint(s.value, 10, 64); err == nil && app.Wanted(c, s.flag) != "" {
		return strconv.FormatUint(n, 10)
	}
	return s.value
}

// parseConfig reads a mapping of names to plain values.
func parseConfig(data []byte) (list []setting, err error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil // empty, or comments only
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("want one document")
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: want names and values, one a line", root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			return nil, fmt.Errorf("line %d: %s: want one plain value", key.Line, key.Value)
		}
		if slices.ContainsFunc(list, func(s setting) bool { return s.flag == key.Value }) {
			return nil, fmt.Errorf("line %d: %s stands there twice", key.Line, key.Value)
		}
		list = append(list, setting{key.Value, value.Value, key.Line})
	}
	return list, nil
}
