package app

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// shellArgument is the argument of the command completion.
const shellArgument = "SHELL"

// shells are the shells with a script, and their scripts.
var shells = []struct{ name, script string }{
	{"bash", bashScript},
	{"zsh", zshScript},
	{"fish", fishScript},
}

func completionCommand(program string) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Category:  Programs,
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
		return Usage("want one shell: bash, zsh or fish")
	}
	for _, s := range shells {
		if s.name == c.Args().First() {
			_, err := fmt.Fprint(c.App.Writer, strings.ReplaceAll(s.script, "PROGRAM", c.App.Name))
			return err
		}
	}
	return Usage("unknown shell %q: want bash, zsh or fish", c.Args().First())
}
