package program

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/plan"
	"selfplay/encode"
)

func repairCommand() *cli.Command {
	return &cli.Command{
		Name:      "repair",
		Usage:     "remove damaged shards, so that selfplay run makes them again",
		ArgsUsage: "DIR",
		Description: "Afterwards repeat the command that made the dataset: it makes the missing shards.\n" +
			"Files that do not belong to the dataset stay.\n\n" +
			"Examples:\n  selfplay repair --dry-run data/demo\n  selfplay repair data/demo",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "dry-run", Category: groupOutput, Usage: "only print what would be done"},
		}, verificationFlags()...),
		Action: runRepair,
	}
}

func runRepair(c *cli.Context) error {
	dir, err := dirArg(c)
	if err != nil {
		return err
	}
	options := checking.RepairOptions{DryRun: c.Bool("dry-run")}
	if options.Verify, err = verificationFrom(c, dir); err != nil {
		return err
	}
	done, err := repair(c, dir, options)
	if err != nil {
		return explainDamagedPlan(dir, err)
	}
	if c.Bool("json") {
		err = encode.NewJSON(c.App.Writer).Encode(done)
	} else {
		err = printRepaired(c.App.Writer, done)
	}
	if err == nil && len(done.Left) > 0 {
		err = fmt.Errorf("repair %s: %w: %s", dir, errDamaged, repairHint(done.Left))
	}
	return err
}

// repair repairs a dataset. It plays its games again if the options ask for it.
func repair(c *cli.Context, dir string, o checking.RepairOptions) (report *checking.RepairReport, err error) {
	err = withPlayers(c, dir, &o.Verify, func() error {
		report, err = checking.Repair(c.Context, dir, o)
		return err
	})
	return report, err
}

// repairHint says what to do about problems that a repair leaves.
func repairHint(left []checking.Problem) string {
	records, networks, answers := countKind(left, checking.ProblemRecord), countKind(left, checking.ProblemNetwork), countKind(left, checking.ProblemAnswers)
	var texts []string
	n := len(left) - records - networks - answers
	if n > 0 {
		texts = append(texts, human.Count(n, "file")+" outside the dataset: move away what repair left")
	}
	if records > 0 {
		texts = append(texts, human.Count(records, "shard")+" without commit record: repeat the command that made the dataset")
	}
	if answers > 0 {
		texts = append(texts, "answers of a model: see above")
	}
	if networks > 0 {
		texts = append(texts, human.Count(networks, "network")+": "+plan.NetworkAdvice)
	}
	return strings.Join(texts, "; ")
}

// explainDamagedPlan says how to get plan.json back if err is damage of it. Repair needs
// the plan.
func explainDamagedPlan(dir string, err error) error {
	var file *datasets.FileError
	if !errors.As(err, &file) || file.Path != plan.FileName || !errors.Is(err, datasets.ErrCorrupt) {
		return err
	}
	return fmt.Errorf("%w: %w; repeat the command that made %s: it writes plan.json again, if the records name its hash, "+
		"and refuses otherwise; then repair", errDamaged, err, dir)
}

func printRepaired(w io.Writer, r *checking.RepairReport) error {
	would := ""
	if r.DryRun {
		would = "would "
	}
	for _, a := range r.Actions {
		fmt.Fprintf(w, "%s%s %s: %s\n", would, actionVerbs[a.Kind], human.Quoted(a.Path), human.Quoted(a.Why))
	}
	for _, p := range r.Left {
		fmt.Fprintf(w, "left %s\n", human.Quoted(p.Error()))
	}
	conclusion := "nothing to repair"
	if len(r.Left) > 0 {
		conclusion = "nothing repaired"
	}
	n := len(r.Actions)
	if n > 0 {
		conclusion = human.Count(n, "action") + " taken"
		if r.DryRun {
			conclusion = human.Count(n, "action") + " needed, none taken"
		}
	}
	if _, err := fmt.Fprintln(w, conclusion); err != nil || len(r.Missing) == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "%s missing: repeat the command that made the dataset\n", human.Count(len(r.Missing), "shard"))
	return err
}

// actionVerbs are the verbs of actions.
var actionVerbs = map[checking.ActionKind]string{
	checking.ActionDropRecord: "drop", checking.ActionDropFile: "drop", checking.ActionWrite: "write",
}
