package program

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine/nnue/nets"
)

func wdlCommand() *cli.Command {
	return &cli.Command{
		Name:      "wdl",
		Usage:     "fit the win, draw and loss probabilities of scores to the games",
		ArgsUsage: "DIR",
		Description: "Excludes games that were cut off or adjudicated, and plies whose score is a proven end.\n" +
			"A score of exactly 0 is often that of a repetition that the search has found, so a and b come\n" +
			"from the other scores. In the table, win, draw and loss are probabilities of the model, and won,\n" +
			"drawn and lost are shares of the plies.\n\n" +
			"Examples:\n  selfplay wdl data/demo",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "adjudicated", Usage: "count adjudicated games, too: the model predicts the outcomes of this dataset"},
			jsonFlag(),
		},
		Action: onDataset(runWDL),
	}
}

// wdlFit is the JSON that wdl prints.
type wdlFit struct {
	Game    string    `json:"game"`
	Players [2]string `json:"players"`
	wdl.Report
}

// wdlDigits are fewer than those of other statistics: a fit and the spread of fits lose digits.
const wdlDigits = 6

func runWDL(c *cli.Context, dir string) error {
	f, err := fitDataset(c, dir)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		out := encode.NewRoundedJSON(c.App.Writer)
		out.Digits = wdlDigits
		return out.Encode(f)
	}
	return f.print(c.App.Writer)
}

// fitDataset fits the model to all committed games of the dataset in dir.
func fitDataset(c *cli.Context, dir string) (*wdlFit, error) {
	ds, shape, err := openKnown(c, dir)
	if err != nil {
		return nil, err
	}
	scores := wdl.NewCollector(shape.Game, shape.Variant)
	scores.CountAdjudicated, scores.Known = c.Bool("adjudicated"), shape.WDL
	parts, err := ds.Parts()
	if err != nil {
		return nil, err
	}
	if err := scanGames(c, ds, parts, scores); err != nil {
		return nil, err
	}
	f, err := scores.Fit()
	if err != nil {
		return nil, usagef("read %s: %v", dir, err)
	}
	p := ds.Plan()
	return &wdlFit{p.Game, [2]string{p.Players[0].Spec, p.Players[1].Spec}, *f}, nil
}

func (f *wdlFit) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "game\t%s, %s against %s\n", human.Quoted(f.Game), human.Quoted(nets.Shown(f.Players[0])), human.Quoted(nets.Shown(f.Players[1])))
	fmt.Fprintf(t, "fitted\t%s of %s\n", human.Count(f.N, "ply"), human.Count(f.Games, "game"))
	fmt.Fprintf(t, "excluded\t%s cut off, %s adjudicated, %s with a proven end\n",
		human.Count(f.Cut, "game"), human.Number(f.Adjudicated), human.Count(f.Proven, "ply"))
	fmt.Fprintf(t, "a\t%.1f%s\n", f.A, standardErrorText(f.ErrorA))
	fmt.Fprintf(t, "b\t%.1f%s\n", f.B, standardErrorText(f.ErrorB))
	fmt.Fprintf(t, "at 0\t%s of %s drawn\n", human.Percent(f.DrawnAt0), human.Count(f.At0, "ply"))
	fmt.Fprintf(t, "log loss\t%.4f; %s; %.4f without scores\n", f.LogLoss, f.knownText(), f.LogLossConstant)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return f.printBuckets(w)
}

// knownText compares the fit with the model in the files.
func (f *wdlFit) knownText() string {
	if f.Known == nil {
		return "the files have no model"
	}
	return fmt.Sprintf("%.4f by the model of the files, a %d and b %d", f.Known.LogLoss, f.Known.A, f.Known.B)
}

func (f *wdlFit) printBuckets(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "score\tto\tplies\twin\tdraw\tloss\twon\tdrawn\tlost\t\n")
	for _, b := range f.Buckets {
		fmt.Fprintf(t, "%d\t%d\t%s\t", b.Low, b.High, human.Number(b.Plies))
		for _, share := range append(b.Predicted[:], b.Seen[:]...) {
			fmt.Fprintf(t, "%.3f\t", share)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// standardErrorText writes a standard error, if it is known.
func standardErrorText(standard float64) string {
	if standard == 0 {
		return ""
	}
	return fmt.Sprintf(" (standard error %.1f)", standard)
}
