package program

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/report"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/output"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write an HTML page about a dataset, or about two side by side",
		ArgsUsage: "DIR [DIR2]",
		Description: "The page is one file that loads nothing. Duplicates and leakage are of all rows below a million\n" +
			"rows, and beyond with --exact; else they are estimates by plies.\n\n" +
			"Examples:\n" +
			"  selfplay report --out report.html data/demo\n" +
			"  selfplay report --out compare.html data/demo data/other",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "write the page to the new `FILE`"},
			forceFlag(),
			&cli.BoolFlag{Name: "exact", Usage: "compare the positions of all rows, for duplicates and leakage between the splits", DefaultText: "below a million rows"},
			memoryFlag(comparingMemory),
			jsonFlagFor("print the numbers of the page as one line of JSON"),
		},
		Action: runReport,
	}
}

func runReport(c *cli.Context) error {
	dirs, err := dirArgs(c, 2)
	if err != nil {
		return err
	}
	out := c.String("out")
	if err := checkPage(c, out, dirs); err != nil {
		return err
	}
	memory, err := memoryFrom(c, dedup.MinMemory)
	if err != nil {
		return err
	}
	r, err := newReport(c, dirs, memory)
	if err != nil {
		return err
	}
	if out != "" {
		write := func(f *output.File) error { return r.HTML(f) }
		if _, err := output.WriteFile(out, c.Bool("force"), write); err != nil {
			return explainOutput(out, err)
		}
	}
	if c.Bool("json") {
		return encode.NewRoundedJSON(c.App.Writer).Encode(r)
	}
	if isQuiet(c) {
		return nil
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s, %s, %d ok, %d not measured: %s\n", human.Count(r.Count(report.Alarm), "alarm"),
		human.Count(r.Count(report.Warning), "warning"), r.Count(report.OK), r.Count(report.Unknown), out)
	return err
}

// checkPage checks the output before the datasets are read, which may take long.
func checkPage(c *cli.Context, out string, dirs []string) error {
	if out == "" {
		if !c.Bool("json") {
			return usagef("no output: want --out FILE.html, --json or both")
		}
		return nil
	}
	if out == stdoutName {
		return usagef("a page needs a file as --out; only --json goes to stdout")
	}
	if err := checkOut(c, out, dirs...); err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
		return explainOutput(out, os.ErrNotExist)
	}
	return nil
}

// newReport reads one or two datasets of the same game.
func newReport(c *cli.Context, dirs []string, memory int64) (*report.Report, error) {
	var game encode.Game
	var sources []report.Source
	for i, dir := range dirs {
		ds, shape, err := openKnown(c, dir)
		if err != nil {
			return nil, explainDamage(c, dir, err)
		}
		if i > 0 && shape.Game.Name != game.Name {
			return nil, usagef("compare %s with %s: the games are %s and %s", dirs[0], dir, game.Name, shape.Game.Name)
		}
		game = shape.Game
		s, err := readSource(c, ds, shape, memory)
		if err != nil {
			return nil, explainDamage(c, dir, err)
		}
		s.Name = nameOf(dir)
		sources = append(sources, s)
	}
	return report.New(&game, sources...)
}

// readSource reads a dataset.
func readSource(c *cli.Context, ds *datasets.Dataset, shape *rows.Shape, memory int64) (s report.Source, err error) {
	s.Dataset = ds
	if s.Info, err = ds.Info(); err != nil {
		return s, err
	}
	s.Seen, s.Overlap, err = measureGames(c, ds, shape, memory)
	return s, err
}

// nameOf returns the name of a directory, also if dir is "." or "..".
func nameOf(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	return filepath.Base(dir)
}
