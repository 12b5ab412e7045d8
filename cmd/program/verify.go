package program

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/plan"
	"selfplay/datasets/scan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "check that a dataset is as it was committed",
		ArgsUsage: "DIR",
		Description: "Compares the SHA-256 of every file unless --quick, --deep or --regenerate is given. The exit\n" +
			"code is 4 if the dataset is damaged.\n\n" +
			"Examples:\n  selfplay verify data/demo\n  selfplay verify --deep --sample 0.1 data/demo\n" +
			"  selfplay verify --regenerate --sample 0.01 data/demo",
		Flags:  verificationFlags(),
		Action: runVerify,
	}
}

// verificationFlags are the flags of verify and repair.
func verificationFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "quick", Usage: "check commit records, names and sizes only"},
		&cli.BoolFlag{Name: "deep", Usage: "also read every row and replay every game"},
		&cli.BoolFlag{Name: "regenerate", Usage: "also play every game again with the players of the plan, journaled ones too; includes --deep"},
		&cli.StringFlag{Name: "sample", Value: "1", Usage: "with --deep or --regenerate: take this `FRACTION` of the games, in whole thousandths"},
		&cli.StringFlag{Name: "book", Usage: "with --regenerate: `FILE` of the opening book, if the plan has one"},
		jsonFlag(),
	}, modelFlags()...)
}

// levelTexts say what each level checks.
var levelTexts = map[checking.VerifyLevel]string{
	checking.VerifyQuick: "records, names and sizes",
	checking.VerifySums:  "the SHA-256 of every file",
	checking.VerifyDeep:  "every row, and a replay of every game",

	checking.VerifyRegenerate: "every row, a replay of every game, and every game played again",
}

func runVerify(c *cli.Context) error {
	dir, err := dirArg(c)
	if err != nil {
		return err
	}
	options, err := verificationFrom(c, dir)
	if err != nil {
		return err
	}
	report, err := verify(c, dir, options)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = encode.NewJSON(c.App.Writer).Encode(verifyVerdict{report.OK(), *report})
	} else {
		err = printVerified(c.App.Writer, options, report)
	}
	if err == nil && !report.OK() {
		err = explainProblems(c, dir, report)
	}
	return err
}

// explainProblems returns the error of a verification that found problems.
func explainProblems(c *cli.Context, dir string, r *checking.VerifyReport) error {
	count := human.Count(len(r.Problems), "problem")
	if !r.Damaged() {
		return fmt.Errorf("verify %s: %s: %s", dir, count, readAdvice)
	}
	return fmt.Errorf("verify %s: %w: %s; %s", dir, errDamaged, count, damageRemedy(c, dir, r.Problems))
}

// readAdvice says what to do about files and folders that could not be read.
const readAdvice = "what could not be read may be intact: delete nothing, make it readable and verify again"

// damageRemedy says what to do about problems. Nothing is to be deleted before all of the dataset is read.
func damageRemedy(c *cli.Context, dir string, problems []checking.Problem) string {
	var texts []string
	networks, unread := countKind(problems, checking.ProblemNetwork), countKind(problems, checking.ProblemUnreadable)
	switch {
	case unread > 0:
		texts = append(texts, readAdvice)
	case networks < len(problems):
		texts = append(texts, repairAdvice(c, dir, damageFlags(c)...))
	}
	if networks > 0 {
		texts = append(texts, human.Count(networks, "network")+": "+plan.NetworkAdvice)
	}
	return strings.Join(texts, "; ")
}

// countKind returns the number of problems of a kind.
func countKind(problems []checking.Problem, kind checking.ProblemKind) (n int) {
	for _, p := range problems {
		if p.Kind == kind {
			n++
		}
	}
	return n
}

// watchChecks shows the progress of a verification until stop is called.
func watchChecks(c *cli.Context, v *checking.VerifyOptions) (stop func()) {
	n := new(scan.Counter)
	p := newMeter("checking", 0, logOf(c), c.App.ErrWriter, isQuiet(c))
	v.Begin, v.Checked = p.Expect, n.Add
	return p.Watch(n)
}

// verify verifies a dataset. It plays its games again if the options ask for it.
func verify(c *cli.Context, dir string, o checking.VerifyOptions) (report *checking.VerifyReport, err error) {
	err = withPlayers(c, dir, &o, func() error {
		report, err = checking.Verify(c.Context, dir, o)
		return err
	})
	return report, err
}

// verificationFrom reads the flags.
func verificationFrom(c *cli.Context, dir string) (v checking.VerifyOptions, err error) {
	again := c.Bool("regenerate")
	quick, deep := c.Bool("quick"), c.Bool("deep") || again
	switch {
	case quick && again:
		return v, usagef("flags --quick and --regenerate exclude each other")
	case quick && deep:
		return v, usagef("flags --quick and --deep exclude each other")
	case c.IsSet("sample") && !deep:
		return v, usagef("flag --sample needs --deep or --regenerate: no other level replays games")
	case c.IsSet("evaluator") && !again:
		return v, usagef("flag --evaluator needs --regenerate: no other level asks a model")
	case c.IsSet("book") && !again:
		return v, usagef("flag --book needs --regenerate: no other level plays games")
	case quick:
		v.Level = checking.VerifyQuick
		return v, nil
	case !deep:
		v.Level = checking.VerifySums
		return v, nil
	}
	v.Level = checking.VerifyDeep
	if again {
		v.Level = checking.VerifyRegenerate
	}
	if v.Sample, err = encode.ParseKeep(c.String("sample")); err != nil {
		return v, usagef("sample %v", err)
	}
	if v.Rows, err = replayOf(c, dir); v.Rows == nil {
		v.Level = checking.VerifySums // the games cannot be replayed; the checksums show why
	}
	return v, err
}

// verifyVerdict is the JSON of verify: a report with its conclusion.
type verifyVerdict struct {
	OK bool `json:"ok"`
	checking.VerifyReport
}

func printVerified(w io.Writer, v checking.VerifyOptions, r *checking.VerifyReport) error {
	for _, p := range r.Problems {
		fmt.Fprintln(w, human.Quoted(p.Error()))
	}
	conclusion := "ok"
	switch {
	case r.Damaged():
		conclusion = "damaged"
	case !r.OK():
		conclusion = "not read as a whole"
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s, %s, %s; checked: %s\n", conclusion,
		human.Count(r.Shards, "shard"), human.Count(r.Games, "game"), human.Count(r.Rows, "row"), human.Count(r.Bytes, "byte"), checkedText(v))
	if len(r.Leftovers) > 0 {
		_, err = fmt.Fprintf(w, "left over: %s\n", leftoversText(r.Leftovers))
	}
	switch {
	case err != nil || r.Complete || !r.OK():
	case len(r.Missing) > 0:
		_, err = fmt.Fprintf(w, "incomplete: %s missing\n", human.Count(len(r.Missing), "shard"))
	default:
		_, err = fmt.Fprintln(w, "incomplete: manifest and card missing")
	}
	return err
}

// leftoversText names the first leftovers and counts the others.
func leftoversText(names []string) string {
	shown := names[:min(len(names), 5)]
	text := human.Quoted(strings.Join(shown, ", "))
	more := len(names) - len(shown)
	if more > 0 {
		text += fmt.Sprintf(" and %s more", human.Number(more))
	}
	return text
}

// checkedText says what was checked.
func checkedText(v checking.VerifyOptions) string {
	percent := 100 * float64(v.Sample) / float64(engine.One)
	switch {
	case v.Level == checking.VerifyDeep && v.Sample > 0:
		return fmt.Sprintf("every row, and a replay of %.3g %% of the games", percent)
	case v.Level == checking.VerifyRegenerate && v.Sample > 0:
		return fmt.Sprintf("every row, and %.3g %% of the games, replayed and played again", percent)
	}
	return levelTexts[v.Level]
}

// withPlayers calls verify and shows its progress. If o asks to play games again, it starts
// the players of the dataset in dir and then shows theirs.
func withPlayers(c *cli.Context, dir string, o *checking.VerifyOptions, verify func() error) error {
	stop := func() {}
	defer func() { stop() }()
	if o.Level < checking.VerifyRegenerate {
		stop = watchChecks(c, o)
		return verify()
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	for _, e := range ds.Plan().Evaluators {
		if e.Approximate {
			return usagef("verify %s: evaluator %s is approximate: its games come out differently when they are played again: use --deep", dir, e.Name)
		}
	}
	set, err := modelsFrom(c)
	if err != nil {
		return err
	}
	defer set.Close()
	series, err := seriesOfPlan(c.Context, catalogOf(c), dir, ds.Plan(), c.String("book"), set)
	if err != nil {
		return err
	}
	if err := checkTables(series.Memory(0), fewerThreads); err != nil {
		return err
	}
	pool := workers.Start(series, series.GamesAtOnce())
	defer pool.Close()
	o.Play = pool.Play
	stop = watchChecks(c, o)
	o.Playing = func(games uint64) {
		stop()
		p := newMeter("playing again", games, logOf(c), c.App.ErrWriter, isQuiet(c), "dataset", dir)
		p.Start()
		stop = p.Watch(pool)
	}
	return verify()
}

// damageFlags returns the flags with which repair finds what verify found.
func damageFlags(c *cli.Context) (flags []string) {
	for _, name := range []string{"deep", "regenerate"} {
		if c.Bool(name) {
			flags = append(flags, "--"+name)
		}
	}
	for _, name := range []string{"sample", "book"} {
		if c.IsSet(name) {
			flags = append(flags, "--"+name, c.String(name))
		}
	}
	return flags
}
