package export

import (
	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/models"
	"selfplay/cmd/internal/playback"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/workers"
)

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
			return app.Usage("verify %s: evaluator %s is approximate: its games come out differently when they are played again: use --deep", dir, e.Name)
		}
	}
	set, err := models.From(c)
	if err != nil {
		return err
	}
	defer set.Close()
	series, err := playback.Series(c.Context, app.Catalog(c), dir, ds.Plan(), c.String("book"), set)
	if err != nil {
		return err
	}
	if err := app.CheckTables(series.Memory(0), app.FewerThreads); err != nil {
		return err
	}
	pool := workers.Start(series, series.GamesAtOnce())
	defer pool.Close()
	o.Play = pool.Play
	stop = watchChecks(c, o)
	o.Playing = func(games uint64) {
		stop()
		p := progress.New("playing again", games, app.Log(c), c.App.ErrWriter, app.Quiet(c), "dataset", dir)
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
