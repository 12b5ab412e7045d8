package app

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// line is a parsed command line. Package flag stops at the first argument that is no flag,
// so words puts the flags first again, wherever the user wrote them.
type line struct {
	path          []*cli.Command    // the command, after the commands it belongs to
	flags         []string          // as written, each value after its flag
	values        map[string]string // by flag, as far as it has one on the line
	args          []string          // positional arguments of the command
	open          string            // the last flag, if its value is missing
	help, version bool
}

// parseLine splits the words after the program's name. A word is the value of the flag
// before it if that flag takes one; after "--" every word is an argument. Flags are
// recognized by name alone: a name takes a value in all commands or in none.
func parseLine(program *cli.App, words []string) (line, error) {
	l := line{values: map[string]string{}}
	known := allFlags(program)
	for len(words) > 0 && l.open == "" {
		word, rest := words[0], words[1:]
		switch {
		case word == "--":
			l.args, rest = append(l.args, rest...), nil
		case isFlag(word):
			var err error
			if rest, err = l.addFlag(known, word, rest); err != nil {
				return l, err
			}
		default:
			l.args = append(l.args, word)
		}
		words = rest
	}
	return l, l.findCommand(program)
}

// addFlag adds a flag and, if it takes one, its value from the words after it. It returns
// the words that are left.
func (l *line) addFlag(known map[string]cli.Flag, word string, rest []string) ([]string, error) {
	name, value, hasValue := splitFlag(word)
	switch name {
	case "help", "h":
		l.help = true
		return rest, nil
	case "version", "v":
		l.version = true
		return rest, nil
	}
	l.flags = append(l.flags, word)
	if f := known[name]; f != nil && takesValue(f) && !hasValue {
		if len(rest) == 0 {
			l.open = name
			return nil, nil
		}
		value, rest = rest[0], rest[1:]
		if err := refuseFlagAsValue(known, name, value); err != nil {
			return nil, err
		}
		l.flags = append(l.flags, value)
	}
	l.values[name] = value
	return rest, nil
}

// findCommand moves the names of commands from the arguments to the path.
func (l *line) findCommand(program *cli.App) error {
	if len(l.args) > 0 && l.args[0] == "help" {
		l.help, l.args = true, l.args[1:]
	}
	parent, commands := program.Name, program.Commands
	for len(l.args) > 0 && len(commands) > 0 {
		c := findCommand(commands, l.args[0])
		if c == nil {
			return unknownCommand(l.args[0], parent, names(commands))
		}
		l.path, l.args = append(l.path, c), l.args[1:]
		parent, commands = c.HelpName, c.Subcommands
	}
	if l.version && len(l.path) > 0 {
		return Usage("unknown flag --version: want %s version", program.Name)
	}
	return nil
}

func unknownCommand(name, parent string, commands []string) error {
	if suggestion := didYouMean(name, commands); suggestion != "" {
		return Usage("unknown command %q%s (%s --help lists the commands)", name, suggestion, parent)
	}
	return Usage("unknown command %q: want %s and one of %s", name, parent, strings.Join(commands, ", "))
}

func findCommand(commands []*cli.Command, name string) *cli.Command {
	i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(name) })
	if i < 0 {
		return nil
	}
	return commands[i]
}

// words returns the line as package cli reads it.
func (l *line) words(program string) []string {
	list := []string{program}
	for _, c := range l.path {
		list = append(list, c.Name)
	}
	list = append(list, l.flags...)
	if len(l.args) > 0 && l.open == "" { // an open flag must stay last to be refused
		list = append(append(list, "--"), l.args...)
	}
	return list
}

// logFlags returns the flags of the line that say how errors are reported.
func (l *line) logFlags() (list []string) {
	for _, f := range logFlags() {
		if value, ok := l.values[f.Names()[0]]; ok && takesValue(f) {
			list = append(list, "--"+f.Names()[0]+"="+value)
		}
	}
	return list
}

// isFlag reports whether a word is a flag: "-" is a file name, -5 a number.
func isFlag(word string) bool {
	return len(word) > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9')
}

// splitFlag splits --name=value.
func splitFlag(word string) (name, value string, hasValue bool) {
	return strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
}

// refuseFlagAsValue refuses a flag in the place of a value: the value was forgotten.
func refuseFlagAsValue(known map[string]cli.Flag, flag, value string) error {
	name, _, _ := splitFlag(value)
	if strings.HasPrefix(value, "--") && known[name] != nil {
		return Usage("flag --%s needs a value, and --%s is a flag (if it is the value, write --%s=%s)", flag, name, flag, value)
	}
	return nil
}

// allFlags returns the flags of all commands by name.
func allFlags(program *cli.App) map[string]cli.Flag {
	all := map[string]cli.Flag{}
	add := func(flags []cli.Flag) {
		for _, f := range flags {
			for _, name := range f.Names() {
				all[name] = f
			}
		}
	}
	add(program.Flags)
	walk(program.Commands, func(c *cli.Command) { add(c.Flags) })
	return all
}

// walk visits commands and their subcommands.
func walk(commands []*cli.Command, visit func(*cli.Command)) {
	for _, c := range commands {
		visit(c)
		walk(c.Subcommands, visit)
	}
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}
