package program

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/internal/typo"
)

// commandLine is a parsed command line. Package cli stops at the first argument that is no flag, so
// it gets the command and its arguments only. setFlags sets the flags, wherever the user wrote
// them.
type commandLine struct {
	command       *cli.Command // the last one that is named, root of the program if none
	flags         []givenFlag
	values        map[string]string // of flags, as far as they have one on the line
	args          []string          // positional arguments of the command
	open          string            // the last flag, if its value is missing
	help, version bool
}

// givenFlag is a flag on a line.
type givenFlag struct{ name, value string }

// rootCommand returns a program as the command that all others belong to.
func rootCommand(program *cli.App) *cli.Command {
	return &cli.Command{HelpName: program.Name, Usage: program.Usage, Subcommands: program.Commands, Flags: program.Flags}
}

// parseLine splits the words after the program's name. A word is the value of the flag
// before it if that flag takes one; after "--" every word is an argument. Flags are
// recognized by name alone: a name takes a value in all commands or in none.
func parseLine(program *cli.App, words []string) (commandLine, error) {
	l := commandLine{command: rootCommand(program), values: map[string]string{}}
	known := allFlags(l.command)
	for len(words) > 0 {
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
	return l, l.findCommand()
}

// addFlag adds a flag and, if it takes one, its value from the words after it. It returns
// the words that are left.
func (l *commandLine) addFlag(known map[string]cli.Flag, word string, rest []string) ([]string, error) {
	name, value, hasValue := cutFlag(word)
	f := known[name]
	switch {
	case name == "help" || name == "h":
		l.help = true
		return rest, nil
	case name == "version" || name == "v":
		l.version = true
		return rest, nil
	case name == skipName && f == nil && !hasValue && len(rest) > 0:
		value, rest = rest[0], rest[1:]
	case hasValue || f == nil:
	case !takesValue(f):
		value = "true"
	case len(rest) == 0:
		l.open = name
		return nil, nil
	default:
		value, rest = rest[0], rest[1:]
		if err := refuseFlagAsValue(known, name, value); err != nil {
			return nil, err
		}
	}
	l.flags = append(l.flags, givenFlag{name, value})
	l.values[name] = value
	return rest, nil
}

// findCommand takes the names of commands from the arguments.
func (l *commandLine) findCommand() error {
	if len(l.args) > 0 && l.args[0] == "help" {
		l.help, l.args = true, l.args[1:]
	}
	program := l.command.HelpName
	for len(l.args) > 0 && len(l.command.Subcommands) > 0 {
		c := l.command.Command(l.args[0])
		if c == nil {
			return unknownCommand(l.args[0], l.command)
		}
		l.command, l.args = c, l.args[1:]
	}
	if l.version && l.command.HelpName != program {
		return usagef("unknown flag --version: want %s version", program)
	}
	return nil
}

// bare reports whether the line names only a command that has commands.
func (l *commandLine) bare() bool {
	return len(l.command.Subcommands) > 0 && len(l.args) == 0 && len(l.flags) == 0 && l.open == "" && !l.version
}

// words returns the line as package cli reads it.
func (l *commandLine) words() []string {
	return slices.Concat(strings.Fields(l.command.HelpName), []string{"--"}, l.args)
}

// setFlags sets the flags of the command. If a flag is repeated, the last one counts, so that a script can append it.
// A second --where is refused: it looks as if the conditions of both counted.
func (l *commandLine) setFlags(c *cli.Context) error {
	for _, o := range l.flags {
		switch {
		case findFlag(c.Command, o.name) == nil:
			return unknownFlag(c.Command, o.name, o.value)
		case o.name == "where" && c.IsSet(o.name) && c.String(o.name) != "":
			return usagef("flag --where is given twice: separate conditions by commas")
		case o.value == "" && slices.Contains(neverEmpty, o.name):
			return usagef("flag --%s has an empty value: leave the flag out, or name one", o.name)
		case setFlag(c, o.name, o.value) != nil:
			return usagef("invalid value %q for flag --%s%s", o.value, o.name, expected(c, o.name, o.value))
		}
	}
	switch {
	case l.open == "":
		return nil
	case findFlag(c.Command, l.open) == nil:
		return unknownFlag(c.Command, l.open, "")
	}
	return usagef("flag --%s needs a value%s", l.open, expected(c, l.open, ""))
}

// neverEmpty are flags that refuse an empty value. It comes from an unset variable of a script, and would count as no flag.
var neverEmpty = []string{"bad", "book", "config", "preset", "split"}

// isFlag reports whether a word is a flag: "-" is a file name, -5 a number.
func isFlag(word string) bool {
	return len(word) > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9')
}

// cutFlag splits --name=value.
func cutFlag(word string) (name, value string, hasValue bool) {
	return strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
}

// refuseFlagAsValue refuses a flag in the place of a value: the value was forgotten.
func refuseFlagAsValue(known map[string]cli.Flag, flag, value string) error {
	name, _, _ := cutFlag(value)
	if strings.HasPrefix(value, "--") && known[name] != nil {
		return usagef("flag --%s needs a value, and --%s is a flag (if it is the value, write --%s=%s)", flag, name, flag, value)
	}
	return nil
}

// allFlags returns the flags of a command and of those that belong to it, by name.
func allFlags(c *cli.Command) map[string]cli.Flag {
	all := map[string]cli.Flag{}
	for _, f := range c.Flags {
		all[f.Names()[0]] = f
	}
	for _, sub := range c.Subcommands {
		maps.Copy(all, allFlags(sub))
	}
	return all
}

func takesValue(f cli.Flag) bool { return f.(docFlag).TakesValue() }

func unknownFlag(c *cli.Command, name, value string) error {
	if name == skipName && findFlag(c, "max-rows-per-game") != nil {
		return usagef("unknown flag --%s: want %s", skipName, insteadOfSkip(value))
	}
	var list []string
	for _, f := range c.Flags {
		list = append(list, f.Names()...)
	}
	return usagef("unknown flag --%s%s (%s --help lists the flags)", name, typo.DidYouMean(name, list, "--%s"), c.HelpName)
}

func unknownCommand(name string, parent *cli.Command) error {
	list := commandNames(parent.Subcommands)
	suggestion := typo.DidYouMean(name, strings.Split(list, ", "), "%q")
	if suggestion != "" {
		return usagef("unknown command %q%s (%s --help lists the commands)", name, suggestion, parent.HelpName)
	}
	return usagef("unknown command %q: want %s and one of %s", name, parent.HelpName, list)
}

// skipName is the flag for conditions that --where has taken over. People still type it.
const skipName = "skip"

// conditionOfSkip is a condition as --skip had it: a word, or a comparison with a number.
var conditionOfSkip = regexp.MustCompile(`^(?:(limit|random|unsearched|mate|check|capture|only|cheap)|(ply<|ply>|score>|unlikely>|pieces<)([0-9]+))$`)

// insteadOfSkip returns --where with the conditions of --skip: each of them must not hold.
func insteadOfSkip(text string) string {
	var list []string
	for _, condition := range strings.Split(text, ",") {
		m := conditionOfSkip.FindStringSubmatch(condition)
		if m == nil {
			return "--where with conditions that have to hold, such as '!limit,ply>=8'"
		}
		compare := map[string]string{"": "!" + m[1], "ply<": "ply>=", "ply>": "ply<=", "score>": "!abs_score>", "unlikely>": "!unlikely>", "pieces<": "pieces>="}
		list = append(list, compare[m[2]]+m[3])
	}
	return "--where '" + strings.Join(list, ",") + "'"
}

// commandNames returns the names of commands as text.
func commandNames(commands []*cli.Command) string {
	var list []string
	for _, c := range commands {
		list = append(list, c.Name)
	}
	return strings.Join(list, ", ")
}
