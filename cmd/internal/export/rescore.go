package export

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/models"
	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/engine"
	"selfplay/workers"
)

func rescoreCommand() *cli.Command {
	return &cli.Command{
		Name:      "rescore",
		Usage:     "make a dataset of the same games with scores of another player",
		ArgsUsage: "DIR",
		Description: "The player searches every position again, or those of --where. The new dataset has its scores,\n" +
			"best moves, policies and nodes; moves and outcomes stay. If it is stopped, the same command\n" +
			"resumes. At the end it prints what the new scores are worth beside the old ones.\n\n" +
			"Examples:\n" +
			"  export rescore --player ab:depth=5,hash=64 --out data/rescored data/demo\n" +
			"  export rescore --player ab:nodes=90000 --where 'surprise>40' --out data/better data/demo\n" +
			"  export rescore --player uci:path=stockfish,nodes=10000 --out data/labelled data/games\n" +
			"  export rescore --player ab --deblunder 20 --new-model 130,364 --out data/new data/demo",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "player", Category: app.Players, Usage: "`PLAYER` that searches, such as ab:depth=5; selfplay players lists them"},
			&cli.StringFlag{Name: "where", Category: app.Players, Value: "all", Usage: "`WHICH` positions: all, sample=FRACTION, surprise>POINTS (score against result) or blunder>POINTS (lost by the move played); points are hundredths of a game"},
			&cli.BoolFlag{Name: "keep-old", Category: app.Rows, Usage: "keep the old scores, best moves and nodes in columns old_score, old_best_action and old_nodes"},
			&cli.IntFlag{Name: "workers", Category: app.Output, DefaultText: "one per processor; twice the batch of a model", Usage: "search `W` games at once"},
			&cli.StringFlag{Name: "out", Category: app.Output, Usage: "make the dataset in the directory `OUT`"},
			rowflags.CheckFlag(),
			app.JSONFlag(),
		}, append(models.Flags(), rowflags.RescoreFlags()...)...),
		Action: onDataset(runRescore),
	}
}

// rescoring is one call of rescore.
type rescoring struct {
	dir, out string
	ds       *datasets.Dataset
	shape    *rows.Shape
	plan     plan.Plan
	series   workers.Series
	nets     [][]byte // of the old players and the new one
	workers  int
	check    record.CheckLevel
	models   *models.Set
}

func runRescore(c *cli.Context, dir string) error {
	set, err := models.From(c)
	if err != nil {
		return err
	}
	defer set.Close()
	r, err := rescoringFrom(c, dir, set)
	if err != nil {
		return err
	}
	source, err := r.ds.Source(c.Context)
	if err != nil {
		return explainUnfinished(err)
	}
	r.plan.Play = slices.DeleteFunc(r.plan.Play, func(text string) bool { return !strings.HasPrefix(text, plan.ImportPart) })
	r.plan.Play = append(r.plan.Play, fmt.Sprintf("%s%s:%d", plan.FromPart, r.ds.PlanHash(), source.Games()), r.series.RescoreSetting())
	if err := r.make(c, source); err != nil {
		return err
	}
	return r.compare(c)
}

// rescoringFrom reads the flags.
func rescoringFrom(c *cli.Context, dir string, set *models.Set) (r *rescoring, err error) {
	r = &rescoring{dir: dir, models: set}
	if err := app.RequireFlags(c, "player", "out"); err != nil {
		return nil, err
	}
	r.out = c.String("out")
	if r.check, err = rowflags.Check(c); err != nil {
		return nil, err
	}
	if r.ds, r.shape, err = openKnown(c, dir); err != nil {
		return nil, err
	}
	if r.shape.Unique {
		return nil, app.Usage("read %s: its rows are unique: rescore the datasets that it was made from", dir)
	}
	if err := refuseInside(dir, r.out); err != nil {
		return nil, err
	}
	r.plan = r.ds.Plan()
	if err := r.readSeries(c); err != nil {
		return nil, err
	}
	r.series.KeepOld, r.shape.Old = c.Bool("keep-old"), c.Bool("keep-old")
	r.shape.Searched, r.shape.Caps = true, r.shape.Caps || r.series.Caps()
	r.shape.WDL, r.shape.Deblunder = nil, nil // they were made for other scores
	if err := rowflags.ApplyDeblunder(c, r.shape, rowflags.NewModel); err != nil {
		return nil, err
	}
	r.shape.Into(&r.plan)
	return r, nil
}

// readSeries reads who searches what.
func (r *rescoring) readSeries(c *cli.Context) error {
	p := r.plan
	r.series = workers.Series{Game: r.shape.Game, Variant: p.Variant, Seed: p.Seed, MaxPlies: p.MaxPlies}
	text := c.String("player")
	find := r.models.Sources(r.series.Game, p.Variant, networks.Finder(r.out, r.dir))
	player, err := app.Catalog(c).Players.ParseFrom(&r.series.Game.Game, text, find)
	switch {
	case err != nil:
		return app.Usage("%v", err)
	case !player.AlwaysSearches():
		return app.Usage("player %q: it does not search, so it has no scores", text)
	}
	r.series.Players = [2]workers.PlayerSpec{player, player}
	if err := r.models.RefuseUnused(); err != nil {
		return err
	}
	if err := r.plan.AddEvaluators(r.models.Plan()); err != nil {
		return app.Usage("%v", err)
	}
	if r.nets, err = r.ds.Networks(); err != nil {
		return err
	}
	r.nets = append(r.nets, networks.FilesOf(player)...)
	r.plan.SetNetworks(r.nets)
	r.plan.AddStaticScores(r.shape.StaticFingerprint())
	if err := r.readSelection(c); err != nil {
		return err
	}
	r.workers = r.series.GamesAtOnce()
	if c.IsSet("workers") {
		r.workers = c.Int("workers")
	}
	if c.IsSet("workers") && r.workers < 1 {
		return app.Usage("workers %d: want 1 or more", r.workers)
	}
	return app.CheckTables(r.series.Memory(r.workers), app.FewerWorkers)
}

// readSelection reads which positions are searched again. Win chances are those of the old scores.
func (r *rescoring) readSelection(c *cli.Context) error {
	model, err := rowflags.ReadModel(c, rowflags.Model, r.shape.WDL)
	if err != nil {
		return err
	}
	text := c.String("where")
	where, err := workers.ParseSelection(text, model, r.plan.Seed)
	switch {
	case errors.Is(err, workers.ErrNoModel):
		return app.Usage("where %s: the files of %s have no model of scores: pass --model A,B, as %s prints it",
			text, r.dir, app.ExportLine(c, "wdl", r.dir))
	case err != nil:
		return app.Usage("where %v", err)
	}
	r.series.Rescore = &where
	return nil
}

// awaitIdle returns when the next shard may begin, nil for the usual number of open shards.
func (r *rescoring) awaitIdle(pool *workers.Pool) func(context.Context) bool {
	if r.series.GamesAtOnce() == 0 {
		return nil
	}
	return pool.AwaitIdle
}

// make makes the missing shards of the new dataset.
func (r *rescoring) make(c *cli.Context, source *datasets.Source) error {
	if err := rowflags.MakeOut(r.out); err != nil {
		return err
	}
	pool := workers.Start(r.series, r.workers)
	defer pool.Close()
	p := progress.New("rescoring", source.Games(), app.Log(c), c.App.ErrWriter, app.Quiet(c),
		"game", r.plan.Game, "player", c.String("player"), "from", r.dir, "out", r.out)
	p.AwaitResume()
	defer p.Watch(pool)()
	made, err := making.Make(c.Context, r.out, r.plan, source.Games(), making.Options{
		Play: func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
			read, stop := source.Reader(games[0])
			defer stop()
			err := pool.Rescore(ctx, games, read, journal, sink)
			if failure := (*workers.ModelError)(nil); errors.As(err, &failure) {
				return fmt.Errorf("%w: %w", datasets.ErrIncomplete, err)
			}
			return err
		},
		AwaitIdle:   r.awaitIdle(pool),
		Rows:        r.shape.Rows(),
		Description: r.shape.Description(),
		About:       r.ds.About(),
		Networks:    r.nets,
		Answers:     r.models.Answers(),
		Recheck:     r.models.Recheck(),
		Check:       r.check,
		OpenShards:  min(max(r.workers, 1), runtime.GOMAXPROCS(0)),
		Build:       app.Version(),
		Notify:      p.Notify,
	})
	switch {
	case errors.Is(err, datasets.ErrIncomplete):
		return fmt.Errorf("%w; %s of %s are in shards and %s in journals: the same command resumes",
			err, human.Number(made.Games), human.Count(made.Target, "game"), human.Number(made.Journaled))
	case errors.Is(err, datasets.ErrCorrupt): // as text only: a hint about the source would be wrong
		return errors.New(app.ExplainDamage(c, r.out, err).Error())
	}
	return err
}
