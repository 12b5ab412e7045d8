package export

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/encode"
)

func repairCommand() *cli.Command {
	return &cli.Command{
		Name:      "repair",
		Usage:     "drop what is damaged, so that selfplay run with the same command makes it again",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Usage: "only say what would be done"},
			&cli.BoolFlag{Name: "quick", Usage: "find damage by records, names and sizes only"},
			&cli.BoolFlag{Name: "deep", Usage: "also find it by reading every row and playing every game again"},
			&cli.StringFlag{Name: "sample", Value: "1", Usage: "with --deep: play this `SHARE` of the games again, in whole thousandths"},
			jsonFlag("print one line of JSON"),
		},
		Action: runRepair,
	}
}

func runRepair(c *cli.Context) error {
	dir, err := app.Dir(c)
	if err != nil {
		return err
	}
	what := datasets.RepairOptions{DryRun: c.Bool("dry-run")}
	if what.Verify, err = verification(c, dir); err != nil {
		return err
	}
	done, err := datasets.Repair(c.Context, dir, what)
	if err != nil {
		return refusal(dir, err)
	}
	if c.Bool("json") {
		err = encode.NewJSON(c.App.Writer).Encode(done)
	} else {
		err = printRepaired(c.App.Writer, done)
	}
	if err == nil && len(done.Left) > 0 {
		err = fmt.Errorf("repair %s: %w: %s", dir, app.ErrNotVerified, advice(done.Left))
	}
	return err
}

// advice says what to do about what a repair leaves.
func advice(left []datasets.Problem) string {
	files := len(left)
	for _, p := range left {
		if p.Kind == datasets.ProblemRecord {
			files--
		}
	}
	switch lost := len(left) - files; {
	case files == 0:
		return fmt.Sprintf("%d shards have lost their record: run the command that made them again", lost)
	case lost == 0:
		return fmt.Sprintf("%d files are not of a dataset: move them away", files)
	default:
		return fmt.Sprintf("%d files are not of a dataset: move them away; %d shards have lost their record: run the command that made them again", files, lost)
	}
}

// refusal says how to go on where the plan is damaged: without it nothing in the
// directory means anything.
func refusal(dir string, err error) error {
	var file *datasets.FileError
	if !errors.As(err, &file) || file.Path != planFile || !errors.Is(err, datasets.ErrCorrupt) {
		return err
	}
	return fmt.Errorf("%w: %w; every run of the command that made %s writes the same plan.json: "+
		"start it with another --out, copy plan.json from there, and repair again", app.ErrNotVerified, err, dir)
}

const planFile = "plan.json"

func printRepaired(w io.Writer, r *datasets.RepairReport) error {
	would := ""
	if r.DryRun {
		would = "would "
	}
	for _, a := range r.Actions {
		fmt.Fprintf(w, "%s%s %s: %s\n", would, doing[a.Kind], a.Path, a.Why)
	}
	for _, p := range r.Left {
		fmt.Fprintf(w, "left %s\n", p.Error())
	}
	conclusion := "nothing to repair"
	if len(r.Actions) > 0 {
		conclusion = fmt.Sprintf("steps of repair: %d", len(r.Actions))
		if r.DryRun {
			conclusion += ", none done"
		}
	}
	if _, err := fmt.Fprintln(w, conclusion); err != nil || len(r.Missing) == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "shards to be made: %d; selfplay run with the same command makes them\n", len(r.Missing))
	return err
}

// doing says what an action does.
var doing = map[datasets.ActionKind]string{
	datasets.ActionDropRecord: "drop", datasets.ActionDropFile: "drop", datasets.ActionWrite: "write",
}
