package program

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completeWord is the hidden command that the scripts of the shells call, with the words of
// the line after the program's name. The last one is the word to complete.
const completeWord = "__complete"

// flagValues returns the values that a flag may take. typed is the text so far, which the
// values may continue; given returns the value of another flag of the line, "" if absent.
//
// newApp takes a map of them by the flag's name, or by the command's name, a space and the
// flag's name if commands differ. A positional argument is found by its name in ArgsUsage.
type flagValues func(typed string, given func(flag string) string) []string

// oneOf returns the values of a flag that takes one of a fixed list.
func oneOf(values ...string) flagValues {
	return func(string, func(string) string) []string { return values }
}

// anyOf returns the values of a flag that takes several of a fixed list, with commas.
func anyOf(values ...string) flagValues {
	return func(typed string, _ func(string) string) (list []string) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		for _, v := range values {
			if !slices.Contains(strings.Split(before, ","), v) {
				list = append(list, before+v)
			}
		}
		return list
	}
}

// valuesKey is the key of the map of flagValues in the metadata of a program.
const valuesKey = "values"

// withShared adds the values of the flags and arguments that newApp and runApp define.
func withShared(values map[string]flagValues) map[string]flagValues {
	all := map[string]flagValues{
		logFormat:                     oneOf(logText, logJSON),
		"completion " + shellArgument: oneOf("bash", "zsh", "fish"),
	}
	maps.Copy(all, values)
	return all
}

// complete returns what the last word may be continued to: words, each with a tab and what it
// means. Where it returns nothing, a shell offers file names.
func complete(program *cli.App, words []string) []string {
	typed := words[len(words)-1]
	l, err := parseLine(program, words[:len(words)-1])
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(candidates(program, &l, typed), func(c string) bool { return !strings.HasPrefix(c, typed) })
}

func candidates(program *cli.App, l *commandLine, typed string) []string {
	name, value, hasValue := cutFlag(typed)
	switch {
	case l.open != "":
		return valuesOf(program, l, l.open, "", typed)
	case isFlag(typed) && hasValue:
		return valuesOf(program, l, name, "--"+name+"=", value)
	case strings.HasPrefix(typed, "-"):
		return flagCandidates(l)
	case len(l.command.Subcommands) > 0:
		return commandCandidates(l.command.Subcommands)
	case l.command.ArgsUsage != "":
		return valuesOf(program, l, l.command.ArgsUsage, "", typed)
	}
	return flagCandidates(l)
}

// valuesOf returns the values of a flag, each after a prefix.
func valuesOf(program *cli.App, l *commandLine, flag, prefix, typed string) (list []string) {
	all, _ := program.Metadata[valuesKey].(map[string]flagValues)
	values := all[l.command.Name+" "+flag]
	if values == nil {
		values = all[flag]
	}
	if values == nil {
		return nil
	}
	for _, v := range values(typed, func(flag string) string { return l.values[flag] }) {
		list = append(list, prefix+v+"\t")
	}
	return list
}

// flagCandidates returns the flags that are not on the line yet, and those that may be
// repeated.
func flagCandidates(l *commandLine) []string {
	list := []string{"--help\tprint the help"}
	for _, f := range l.command.Flags {
		_, given := l.values[f.Names()[0]]
		_, repeats := f.(*cli.StringSliceFlag)
		if !given || repeats {
			list = append(list, "--"+f.Names()[0]+"\t"+usageText(f))
		}
	}
	return slices.Sorted(slices.Values(list))
}

func commandCandidates(commands []*cli.Command) (list []string) {
	for _, c := range commands {
		list = append(list, c.Name+"\t"+c.Usage)
	}
	return slices.Sorted(slices.Values(list))
}

// shellScripts has a file for each shell, which makes it complete the command lines of PROGRAM. Each
// asks the program itself. "export" without a path is a builtin command of shells, which
// completes to the names of variables as before.
//
//go:embed scripts
var shellScripts embed.FS

// shellArgument is the argument of the command completion.
const shellArgument = "SHELL"

func completionCommand(program string) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Category:  groupPrograms,
		Usage:     "print a completion script for a shell: bash, zsh or fish",
		ArgsUsage: shellArgument,
		Description: strings.ReplaceAll(`Examples:
source <(PROGRAM completion bash)                                    # bash, in ~/.bashrc
source <(PROGRAM completion zsh)                                     # zsh, in ~/.zshrc after compinit
PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish    # fish
`, "PROGRAM", program),
		Action: printScript,
	}
}

func printScript(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("want one shell: bash, zsh or fish")
	}
	script, err := shellScripts.ReadFile("scripts/" + c.Args().First())
	if err != nil {
		return usagef("unknown shell %q: want bash, zsh or fish", c.Args().First())
	}
	_, err = fmt.Fprint(c.App.Writer, strings.ReplaceAll(string(script), "PROGRAM", c.App.Name))
	return err
}
