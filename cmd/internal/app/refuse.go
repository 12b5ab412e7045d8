package app

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/internal/typo"
)

// findFlag returns a flag of a command by its name, nil if it has none.
func findFlag(c *cli.Command, name string) cli.Flag {
	i := slices.IndexFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return nil
	}
	return c.Flags[i]
}

// Expected describes the values that a flag of the command takes, as in ": expected a whole
// number", or returns "" if the flag takes any text.
func Expected(c *cli.Context, name string) string {
	switch findFlag(c.Command, name).(type) {
	case *cli.IntFlag:
		return ": expected a whole number"
	case *cli.Uint64Flag:
		return ": expected a whole number, 0 or more"
	case *cli.Float64Flag:
		return ": expected a number"
	case *cli.DurationFlag:
		return ": expected a duration such as 8h, 90m or 25s"
	case *cli.BoolFlag:
		return ": expected true or false"
	case *cli.GenericFlag: // CountFlag
		return ": expected a whole number such as 4000, 10k, 1M or 1e6"
	}
	return ""
}

func unknownFlag(c *cli.Command, name, value string) error {
	if name == skipName && findFlag(c, "max-rows-per-game") != nil {
		return Usage("unknown flag --%s: want %s", skipName, insteadOfSkip(value))
	}
	var list []string
	for _, f := range c.Flags {
		list = append(list, f.Names()...)
	}
	return Usage("unknown flag --%s%s (%s --help lists the flags)", name, typo.DidYouMean(name, list, "--%s"), c.HelpName)
}

func unknownCommand(name string, parent *cli.Command) error {
	list := names(parent.Subcommands)
	if suggestion := typo.DidYouMean(name, strings.Split(list, ", "), "%q"); suggestion != "" {
		return Usage("unknown command %q%s (%s --help lists the commands)", name, suggestion, parent.HelpName)
	}
	return Usage("unknown command %q: want %s and one of %s", name, parent.HelpName, list)
}

// explainPlan names the flags of a command that set what two plans differ in, and says what to do.
// It returns other errors unchanged.
func explainPlan(c *cli.Command, err error) error {
	var differ *datasets.PlanError
	if !errors.As(err, &differ) || findFlag(c, "out") == nil {
		return err
	}
	named := datasets.PlanError{Dir: differ.Dir, Differences: slices.Clone(differ.Differences), Build: differ.Build}
	for i := range named.Differences {
		d := &named.Differences[i]
		if flag := flagOfSetting(d.Setting); findFlag(c, flag) != nil {
			d.Setting = "--" + flag
		}
	}
	return fmt.Errorf("%w; choose another --out", &named)
}

// flagOfSetting returns the flag that a setting of a plan has in commands that play.
func flagOfSetting(setting string) string {
	if setting == "explore" {
		return "explore-moves"
	}
	return strings.ReplaceAll(setting, "_", "-")
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
