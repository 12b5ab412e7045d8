package program

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/making"
)

func finalizeCommand() *cli.Command {
	return &cli.Command{
		Name:      "finalize",
		Usage:     "write card and manifest of a dataset that tasks have made, or list the missing shards",
		ArgsUsage: "DIR",
		Description: `Examples:
selfplay finalize /data/night
selfplay finalize --as-it-stands /data/night    # after selfplay run --stop-after
`,
		Flags: append(storeFlags(),
			&cli.BoolFlag{Name: "as-it-stands", Category: groupOutput, Usage: "lower the target to the committed games, so that the dataset is complete"},
		),
		Action: runFinalize,
	}
}

func runFinalize(c *cli.Context) error {
	dir, err := dirArg(c)
	if err != nil {
		return err
	}
	final, err := making.Finalize(dir, c.Bool("as-it-stands"))
	if err != nil {
		return explainDamage(c, dir, err)
	}
	n := len(final.Abandoned)
	if n > 0 {
		_, _ = fmt.Fprintf(c.App.ErrWriter, "warning: no record names %s, such as %s: a task was killed before it recorded them, or still runs; "+
			"when no task runs, delete the files that %s lists\n", human.Count(n, "data file"), final.Abandoned[0], ownLine(c, "verify", dir))
	}
	if len(final.Missing) > 0 {
		return fmt.Errorf("finalize %s: %w: missing shards, by number: %s", dir, datasets.ErrIncomplete, ranges(final.Missing))
	}
	if isQuiet(c) {
		return nil
	}
	_, err = fmt.Fprintf(c.App.Writer, "complete: %s\n", dir)
	return err
}

// ranges writes ascending numbers: 0-3, 7, 9-10.
func ranges(list []int) (text string) {
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(list[i])
		if j > i {
			text += fmt.Sprintf("-%d", list[j])
		}
		i = j + 1
	}
	return text
}
