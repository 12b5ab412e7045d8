package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
)

// What bash and zsh run at the key: the program itself tells what may come next.
const (
	bashCompletion = `_selfplay() {
  local words=("${COMP_WORDS[@]:0:COMP_CWORD}") current="${COMP_WORDS[COMP_CWORD]}"
  if [[ "$current" == -* ]]; then words+=("$current"); fi
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$current"))
}
complete -o bashdefault -o default -F _selfplay selfplay
`
	zshCompletion = `#compdef selfplay
_selfplay() {
  local -a options
  local current="${words[CURRENT]}"
  if [[ "$current" == -* ]]; then
    options=("${(@f)$("${(@)words[1,CURRENT]}" --generate-bash-completion 2>/dev/null)}")
  else
    options=("${(@f)$("${(@)words[1,CURRENT-1]}" --generate-bash-completion 2>/dev/null)}")
  fi
  if [[ -n "${options[1]}" ]]; then _describe 'values' options; else _files; fi
}
compdef _selfplay selfplay
`
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print what makes a shell complete commands and flags: bash, zsh or fish",
		ArgsUsage: "SHELL",
		Action: func(c *cli.Context) (err error) {
			script := ""
			switch shell := c.Args().First(); {
			case c.NArg() != 1:
				return app.Usage("want one shell: bash, zsh or fish")
			case shell == "bash":
				script = bashCompletion
			case shell == "zsh":
				script = zshCompletion
			case shell == "fish":
				if script, err = c.App.ToFishCompletion(); err != nil {
					return err
				}
			default:
				return app.Usage("unknown shell %q: want bash, zsh or fish", shell)
			}
			_, err = fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
