package app

import (
	"embed"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// scripts has a file for each shell, which makes it complete the command lines of PROGRAM. Each
// asks the program itself. "export" without a path is a builtin command of shells, which
// completes to the names of variables as before.
//
//go:embed scripts
var scripts embed.FS

// shellArgument is the argument of the command completion.
const shellArgument = "SHELL"

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
	script, err := scripts.ReadFile("scripts/" + c.Args().First())
	if err != nil {
		return Usage("unknown shell %q: want bash, zsh or fish", c.Args().First())
	}
	_, err = fmt.Fprint(c.App.Writer, strings.ReplaceAll(string(script), "PROGRAM", c.App.Name))
	return err
}
