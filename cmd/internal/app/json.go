package app

import "github.com/urfave/cli/v2"

// JSONFlag returns --json of a command that prints one object.
func JSONFlag() cli.Flag { return JSONFlagFor("print one line of JSON") }

// JSONFlagFor returns --json of a command whose JSON needs more words.
func JSONFlagFor(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "json", Category: Output, Usage: usage}
}
