package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/networks"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/stats"
	"selfplay/datasets/wdl"
	"selfplay/encode"
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
			"  selfplay rescore --player ab:depth=5,hash=64 --out data/rescored data/demo\n" +
			"  selfplay rescore --player ab:nodes=90000 --where 'surprise>40' --out data/better data/demo\n" +
			"  selfplay rescore --player uci:path=stockfish,nodes=10000 --out data/labelled data/games\n" +
			"  selfplay rescore --player ab --deblunder 20 --new-model 130,364 --out data/new data/demo",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "player", Category: groupPlayers, Usage: "`PLAYER` that searches, such as ab:depth=5; selfplay players lists them"},
			&cli.StringFlag{Name: "where", Category: groupPlayers, Value: "all", Usage: "`WHICH` positions: all, sample=FRACTION, surprise>POINTS (score against result) or blunder>POINTS (lost by the move played); points are hundredths of a game"},
			&cli.BoolFlag{Name: "keep-old", Category: groupRows, Usage: "keep the old scores, best moves and nodes in columns old_score, old_best_action and old_nodes"},
			&cli.IntFlag{Name: "workers", Category: groupOutput, DefaultText: "one per processor; twice the batch of a model", Usage: "search `W` games at once"},
			&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "make the dataset in the directory `OUT`"},
			checkFlag(),
			jsonFlag(),
		}, append(modelFlags(), rescoreFlags()...)...),
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
	models   *modelSet
}

func runRescore(c *cli.Context, dir string) error {
	set, err := modelsFrom(c)
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
func rescoringFrom(c *cli.Context, dir string, set *modelSet) (r *rescoring, err error) {
	r = &rescoring{dir: dir, models: set}
	if err := requireFlags(c, "player", "out"); err != nil {
		return nil, err
	}
	r.out = c.String("out")
	if r.check, err = checkLevelFrom(c); err != nil {
		return nil, err
	}
	if r.ds, r.shape, err = openKnown(c, dir); err != nil {
		return nil, err
	}
	if r.shape.Unique {
		return nil, usagef("read %s: its rows are unique: rescore the datasets that it was made from", dir)
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
	if err := applyDeblunder(c, r.shape, newModelFlagName); err != nil {
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
	player, err := catalogOf(c).Players.ParseFrom(&r.series.Game.Game, text, find)
	switch {
	case err != nil:
		return usagef("%v", err)
	case !player.AlwaysSearches():
		return usagef("player %q: it does not search, so it has no scores", text)
	}
	r.series.Players = [2]workers.PlayerSpec{player, player}
	if err := r.models.RefuseUnused(); err != nil {
		return err
	}
	if err := r.plan.AddEvaluators(r.models.Plan()); err != nil {
		return usagef("%v", err)
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
		return usagef("workers %d: want 1 or more", r.workers)
	}
	return checkTables(r.series.Memory(r.workers), fewerWorkers)
}

// readSelection reads which positions are searched again. Win chances are those of the old scores.
func (r *rescoring) readSelection(c *cli.Context) error {
	model, err := readModel(c, modelFlagName, r.shape.WDL)
	if err != nil {
		return err
	}
	text := c.String("where")
	where, err := workers.ParseSelection(text, model, r.plan.Seed)
	switch {
	case errors.Is(err, workers.ErrNoModel):
		return usagef("where %s: the files of %s have no model of scores: pass --model A,B, as %s prints it",
			text, r.dir, ownLine(c, "wdl", r.dir))
	case err != nil:
		return usagef("where %v", err)
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
	if err := makeOut(r.out); err != nil {
		return err
	}
	pool := workers.Start(r.series, r.workers)
	defer pool.Close()
	p := newMeter("rescoring", source.Games(), logOf(c), c.App.ErrWriter, isQuiet(c),
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
		Build:       programVersion(),
		Notify:      p.Notify,
	})
	switch {
	case errors.Is(err, datasets.ErrIncomplete):
		return fmt.Errorf("%w; %s of %s are in shards and %s in journals: the same command resumes",
			err, human.Number(made.Games), human.Count(made.Target, "game"), human.Number(made.Journaled))
	case errors.Is(err, datasets.ErrCorrupt): // as text only: a hint about the source would be wrong
		return errors.New(explainDamage(c, r.out, err).Error())
	}
	return err
}

// comparison is the JSON of rescore. Before and after count the same plies: the compared ones of
// games with a result. If no ply had a score, after counts all rescored plies of such games.
type comparison struct {
	PlanHash string `json:"plan_hash"`
	Games    uint64 `json:"games"`
	Plies    uint64 `json:"plies"`
	Rescored uint64 `json:"rescored"` // plies that were searched again
	Compared uint64 `json:"compared"` // of them, those that had a score

	// Over the compared plies whose scores are both no proven ends, in centi-units.
	MeanShift     float64 `json:"mean_shift"`
	MeanAbsolute  float64 `json:"mean_absolute_shift"`
	BestAgreement float64 `json:"best_move_agreement"` // share of the compared plies

	// With --deblunder: plies whose value target is not the outcome, and games with such plies.
	Deblundered      uint64 `json:"deblundered,omitempty"`
	DeblunderedGames uint64 `json:"deblundered_games,omitempty"`

	Before *worth `json:"before,omitempty"` // nil without old scores
	After  *worth `json:"after,omitempty"`
}

// worth says how well scores predict the results of games.
type worth struct {
	Plies   uint64  `json:"plies"`
	AUC     float64 `json:"auc"`
	LogLoss float64 `json:"log_loss,omitempty"` // of a model that is fitted to these scores, in nats; 0 if none can be
}

// scoreChange collects what a comparison needs.
type scoreChange struct {
	comparison
	shift, absolute int64
	unproven, agree uint64
	before, after   wdl.Tally // of the compared plies
	all             wdl.Tally // of all rescored plies
}

// compare compares the new dataset with the old one and prints what changed.
func (r *rescoring) compare(c *cli.Context) error {
	made, err := datasets.Open(r.out)
	if err != nil {
		return err
	}
	fresh, err := made.Source(c.Context)
	if err != nil {
		return err
	}
	old, err := r.ds.Source(c.Context)
	if err != nil {
		return err
	}
	s := scoreChange{comparison: comparison{PlanHash: made.PlanHash()}, before: wdl.Tally{}, after: wdl.Tally{}, all: wdl.Tally{}}
	if err := r.compareGames(old, fresh, &s); err != nil {
		return err
	}
	s.finish()
	switch {
	case c.Bool("json"):
		return encode.NewRoundedJSON(c.App.Writer).Encode(s.comparison)
	case isQuiet(c):
		return nil
	}
	return s.print(c.App.Writer)
}

// compareGames compares all games, which both sources have in the same order.
func (r *rescoring) compareGames(old, fresh *datasets.Source, s *scoreChange) error {
	next, stop := iter.Pull2(old.All())
	defer stop()
	pos := r.series.Game.New(r.series.Variant)
	var turns []engine.Side
	var chosen []bool
	var values []int16
	for b, err := range fresh.All() {
		if err != nil {
			return err
		}
		a, err, ok := next()
		if err != nil {
			return err
		}
		if !ok || a.Game != b.Game || len(a.Actions) != len(b.Actions) {
			return fmt.Errorf("compare game %d: it is another one in %s", b.Game, r.dir)
		}
		if turns, err = r.series.Turns(pos, a, turns); err != nil {
			return err
		}
		chosen = r.series.Rescore.Choose(a, turns, chosen)
		s.add(a, b, turns, chosen)
		d := r.shape.Deblunder
		if d != nil {
			values = d.Values(b, turns, values)
			s.countValues(b, turns, values)
		}
	}
	return nil
}

// countValues counts the value targets that are not the outcome of the game.
func (s *scoreChange) countValues(r *engine.Record, turns []engine.Side, values []int16) {
	before := s.Deblundered
	for ply, value := range values {
		if value != encode.ValueWin*int16(r.Outcome.For(turns[ply])) {
			s.Deblundered++
		}
	}
	if s.Deblundered > before {
		s.DeblunderedGames++
	}
}

// add compares a game before and after.
func (s *scoreChange) add(a, b *engine.Record, turns []engine.Side, chosen []bool) {
	s.Games++
	s.Plies += uint64(len(b.Actions))
	for ply := range b.Actions {
		if !chosen[ply] || b.Nodes[ply] == 0 {
			continue
		}
		s.Rescored++
		had := len(a.Nodes) > 0 && a.Nodes[ply] > 0
		if b.Outcome.Result != engine.NoResult {
			outcome := b.Outcome.For(turns[ply])
			s.all.Add(int(b.Scores[ply]), outcome)
			if had {
				s.before.Add(int(a.Scores[ply]), outcome)
				s.after.Add(int(b.Scores[ply]), outcome)
			}
		}
		if had {
			s.compare(int(a.Scores[ply]), int(b.Scores[ply]), a.Best[ply] == b.Best[ply])
		}
	}
}

func (s *scoreChange) compare(a, b int, sameBest bool) {
	s.Compared++
	if sameBest {
		s.agree++
	}
	if max(a, -a) > engine.MaxStatic || max(b, -b) > engine.MaxStatic {
		return
	}
	s.unproven++
	s.shift += int64(b - a)
	s.absolute += int64(max(b-a, a-b))
}

func (s *scoreChange) finish() {
	if s.unproven > 0 {
		s.MeanShift, s.MeanAbsolute = float64(s.shift)/float64(s.unproven), float64(s.absolute)/float64(s.unproven)
	}
	if s.Compared > 0 {
		s.BestAgreement = float64(s.agree) / float64(s.Compared)
	}
	if s.Compared == 0 {
		s.after = s.all
	}
	s.Before, s.After = worthOf(s.before), worthOf(s.after)
}

// worthOf returns how well scores predict results, nil without any.
func worthOf(t wdl.Tally) *worth {
	n := t.Sum().All()
	if n == 0 {
		return nil
	}
	w := &worth{Plies: n, AUC: stats.AUC(t)}
	if m, err := wdl.Fit(t); err == nil {
		w.LogLoss = t.LogLoss(m)
	}
	return w
}

func (s *comparison) print(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "games\t%s, %s\n", human.Number(s.Games), human.Count(s.Plies, "ply"))
	fmt.Fprintf(t, "rescored\t%s, of which %s had a score\n", human.Count(s.Rescored, "ply"), human.Number(s.Compared))
	if s.Compared > 0 {
		fmt.Fprintf(t, "shift\t%+.1f of the score on average, %.1f in size\n", s.MeanShift, s.MeanAbsolute)
		fmt.Fprintf(t, "best move\tthe same in %.1f %%\n", 100*s.BestAgreement)
	}
	if s.Deblundered > 0 {
		fmt.Fprintf(t, "deblundered\t%s of %s\n", human.Count(s.Deblundered, "ply"), human.Count(s.DeblunderedGames, "game"))
	}
	s.Before.print(t, "before")
	s.After.print(t, "after")
	fmt.Fprintf(t, "plan\t%s\n", s.PlanHash)
	return t.Flush()
}

func (w *worth) print(t io.Writer, name string) {
	if w == nil {
		fmt.Fprintf(t, "%s\tno scores of games with a result\n", name)
		return
	}
	loss := "no model fits"
	if w.LogLoss > 0 {
		loss = fmt.Sprintf("log loss %.4f by a model fitted to them", w.LogLoss)
	}
	fmt.Fprintf(t, "%s\t%s with a result: AUC %.4f, %s\n", name, human.Count(w.Plies, "ply"), w.AUC, loss)
}
