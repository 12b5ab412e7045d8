package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/datasets"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "check that a dataset is as it was committed: the SHA-256 of every file",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "quick", Usage: "look at records, names and sizes only"},
			&cli.BoolFlag{Name: "deep", Usage: "also read every row and play every game again"},
			jsonFlag("print one line of JSON"),
		},
		Action: runVerify,
	}
}

// levelNames say what was looked at.
var levelNames = map[datasets.Level]string{
	datasets.Quick: "records, names and sizes",
	datasets.Sums:  "the SHA-256 of every file",
	datasets.Deep:  "every row, and every game played again",
}

func runVerify(c *cli.Context) error {
	dir, err := program.Dir(c)
	if err != nil {
		return err
	}
	level, err := chosenLevel(c)
	if err != nil {
		return err
	}
	var rows func() datasets.RowFunc
	if level == datasets.Deep {
		if rows, err = replayOf(dir); err != nil {
			return err
		}
	}
	report, err := datasets.Verify(c.Context, dir, level, rows)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = program.JSON(c.App.Writer).Encode(verdict{report.OK(), *report})
	} else {
		err = printReport(c.App.Writer, level, report)
	}
	if err == nil && !report.OK() {
		err = fmt.Errorf("verify %s: %w: %d problems", dir, program.ErrNotVerified, len(report.Problems))
	}
	return err
}

func chosenLevel(c *cli.Context) (datasets.Level, error) {
	switch quick, deep := c.Bool("quick"), c.Bool("deep"); {
	case quick && deep:
		return 0, program.Usage("flags --quick and --deep exclude each other")
	case quick:
		return datasets.Quick, nil
	case deep:
		return datasets.Deep, nil
	}
	return datasets.Sums, nil
}

// verdict is a report with its conclusion first.
type verdict struct {
	OK bool `json:"ok"`
	datasets.Report
}

func printReport(w io.Writer, level datasets.Level, r *datasets.Report) error {
	for _, p := range r.Problems {
		fmt.Fprintln(w, p.Error())
	}
	conclusion := "ok"
	if !r.OK() {
		conclusion = "damaged"
	}
	_, err := fmt.Fprintf(w, "%s: %d shards, %d games, %d rows, %d bytes; checked: %s\n",
		conclusion, r.Shards, r.Games, r.Rows, r.Bytes, levelNames[level])
	if err == nil && len(r.Missing) > 0 {
		_, err = fmt.Fprintf(w, "not complete: %d shards are still to be made\n", len(r.Missing))
	}
	return err
}
