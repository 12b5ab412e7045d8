package export

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/encode"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "check that a dataset is as it was committed: the SHA-256 of every file",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "quick", Usage: "look at records, names and sizes only"},
			&cli.BoolFlag{Name: "deep", Usage: "also read every row and play every game again"},
			&cli.StringFlag{Name: "sample", Value: "1", Usage: "with --deep: play this `SHARE` of the games again, in whole thousandths"},
			jsonFlag("print one line of JSON"),
		},
		Action: runVerify,
	}
}

// levelNames say what was looked at.
var levelNames = map[datasets.VerifyLevel]string{
	datasets.VerifyQuick: "records, names and sizes",
	datasets.VerifySums:  "the SHA-256 of every file",
	datasets.VerifyDeep:  "every row, and every game played again",
}

func runVerify(c *cli.Context) error {
	dir, err := app.Dir(c)
	if err != nil {
		return err
	}
	what, err := verification(c, dir)
	if err != nil {
		return err
	}
	report, err := datasets.Verify(c.Context, dir, what)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = encode.NewJSON(c.App.Writer).Encode(verdict{report.OK(), *report})
	} else {
		err = printReport(c.App.Writer, what, report)
	}
	if err == nil && !report.OK() {
		err = fmt.Errorf("verify %s: %w: problems: %d", dir, app.ErrNotVerified, len(report.Problems))
	}
	return err
}

// verification reads the flags that say how damage is looked for.
func verification(c *cli.Context, dir string) (what datasets.VerifyOptions, err error) {
	switch quick, deep := c.Bool("quick"), c.Bool("deep"); {
	case quick && deep:
		return what, app.Usage("flags --quick and --deep exclude each other")
	case c.IsSet("sample") && !deep:
		return what, app.Usage("flag --sample goes with --deep: nothing else plays games")
	case quick:
		what.Level = datasets.VerifyQuick
		return what, nil
	case !deep:
		what.Level = datasets.VerifySums
		return what, nil
	}
	what.Level = datasets.VerifyDeep
	if what.Sample, err = encode.ParseKeep(c.String("sample")); err != nil {
		return what, app.Usage("sample %v", err)
	}
	if what.Rows, err = replayOf(c.Context, dir); what.Rows == nil {
		what.Level = datasets.VerifySums // of what is damaged there is nothing to play
	}
	return what, err
}

// verdict is a report with its conclusion first.
type verdict struct {
	OK bool `json:"ok"`
	datasets.VerifyReport
}

func printReport(w io.Writer, what datasets.VerifyOptions, r *datasets.VerifyReport) error {
	for _, p := range r.Problems {
		fmt.Fprintln(w, p.Error())
	}
	conclusion := "ok"
	if !r.OK() {
		conclusion = "damaged"
	}
	_, err := fmt.Fprintf(w, "%s: %d shards, %d games, %d rows, %d bytes; checked: %s\n",
		conclusion, r.Shards, r.Games, r.Rows, r.Bytes, checkedText(what))
	switch {
	case err != nil || r.Complete || !r.OK():
	case len(r.Missing) > 0:
		_, err = fmt.Fprintf(w, "not complete: shards still to be made: %d\n", len(r.Missing))
	default:
		_, err = fmt.Fprintln(w, "not complete: manifest and card are still to be made")
	}
	return err
}

// checkedText says what was looked at.
func checkedText(what datasets.VerifyOptions) string {
	if what.Level == datasets.VerifyDeep && what.Sample > 0 {
		return fmt.Sprintf("every row, and %v of the games played again", what.Sample)
	}
	return levelNames[what.Level]
}
