package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/networks"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/workers"
)

// runJob is one run: the content of the dataset, and settings that no byte depends on.
type runJob struct {
	*runContent
	out     string
	games   uint64
	workers int
	cores   int // of the machine that --dry-run plans for
	check   record.CheckLevel
	minFree uint64
	stop    stopping
	times   stopTimes // of the stop; the clock runs since the flags are settled
	release func()    // ends the clock
	task    making.Task
	about   plan.About
	rebuild bool
	preset  usedPreset

	publishing publishing
}

// jobFrom reads all flags of run. The caller closes the job. Models load meanwhile, which may take minutes: a stop
// ends that too.
func jobFrom(c *cli.Context) (*runJob, error) {
	preset, err := settleFlags(c)
	if err != nil {
		return nil, err
	}
	j := &runJob{preset: preset, out: c.String("out"), rebuild: c.Bool("rebuild")}
	if j.stop, err = stoppingFrom(c); err != nil {
		return nil, err
	}
	set, err := modelsFrom(c)
	if err != nil {
		return nil, err
	}
	clock := j.stop
	if c.Bool("dry-run") {
		clock.after = 0 // it only calculates with it
	}
	j.times, j.release = clock.begin(c.Context)
	set.Until(j.times.asked)
	if err = j.read(c, set); err == nil {
		return j, nil
	}
	asked := j.times.asked
	if asked.Err() != nil {
		err = fmt.Errorf("%w: %w while the models load; the same command resumes", datasets.ErrIncomplete, context.Cause(asked))
	}
	set.Close()
	j.release()
	return nil, err
}

// close ends the models and the clock.
func (j *runJob) close() {
	j.models.Close()
	j.release()
}

// read reads the flags that are left.
func (j *runJob) read(c *cli.Context, set *modelSet) (err error) {
	if j.runContent, err = contentFrom(c, set); err != nil {
		return err
	}
	for _, read := range []func(*cli.Context) error{j.readGames, j.readResources, j.readRest} {
		if err = read(c); err != nil {
			return err
		}
	}
	return refuseOtherAbout(c, j.out, j.about)
}

// settleFlags sets flags from the environment, the file and the preset, and refuses a line that lacks a
// required flag. It returns the preset.
func settleFlags(c *cli.Context) (preset usedPreset, err error) {
	if err := noArgs(c); err != nil {
		return preset, err
	}
	if err := refuseUnknownVariables(c); err != nil {
		return preset, err
	}
	if err := cmp.Or(setVariables(c), applyConfig(c)); err != nil {
		return preset, err
	}
	if err := requireFlags(c, "game", "games", "out"); err != nil {
		return preset, err
	}
	if err := errors.Join(useStores(c), checkStore(c.String("out"))); err != nil { // the file may have set the flags
		return preset, err
	}
	return usePreset(c)
}

// readGames reads the number of games and this run's task.
func (j *runJob) readGames(c *cli.Context) (err error) {
	j.games = c.Uint64("games")
	shard := uint64(j.plan.ShardGames)
	most := plan.MaxShards * shard
	if j.games < 1 || j.games > most {
		return usagef("games %d: want 1 to %d, that is %d shards of %d", j.games, most, plan.MaxShards, shard)
	}
	j.task, err = taskFrom(c, j.games, shard)
	return err
}

// readResources reads what the run may use.
func (j *runJob) readResources(c *cli.Context) (err error) {
	if j.cores, err = coresFrom(c); err != nil {
		return err
	}
	if j.workers, err = workersFrom(c, &j.series, j.cores); err != nil {
		return err
	}
	used := j.workers
	if c.IsSet("cores") {
		used = j.trialWorkers()
	}
	if err := checkTables(j.series.Memory(used), fewerWorkers); err != nil {
		return err
	}
	j.minFree, err = minFreeFrom(c)
	return err
}

// readRest reads how the run checks files, where it publishes its state and
// what the card says.
func (j *runJob) readRest(c *cli.Context) (err error) {
	if j.check, err = checkLevelFrom(c); err != nil {
		return err
	}
	if j.publishing, err = publishingFrom(c); err != nil {
		return err
	}
	j.about, err = aboutFrom(c)
	return err
}

// coresFrom reads --cores, and refuses flags of a dry run without --dry-run.
func coresFrom(c *cli.Context) (int, error) {
	for _, name := range []string{"cores", "plan"} {
		if c.IsSet(name) && !c.Bool("dry-run") {
			return 0, usagef("flag --%s: want --dry-run with it", name)
		}
	}
	if !c.IsSet("cores") {
		return runtime.GOMAXPROCS(0), nil
	}
	n := c.Int("cores")
	if n < 1 || n > maxWorkers {
		return 0, usagef("cores %d: want 1 to %d", n, maxWorkers)
	}
	return n, nil
}

func minFreeFlag() cli.Flag {
	return &cli.StringFlag{Name: "min-free", Category: groupOutput, DefaultText: "1GiB, or 2 % of a small disk",
		Usage: "stop before less than `BYTES` of the disk are free, such as 500MB or 5GiB; 0 turns it off"}
}

// minFreeFrom reads --min-free.
func minFreeFrom(c *cli.Context) (uint64, error) {
	if !c.IsSet("min-free") {
		return making.DefaultMinFree, nil
	}
	text := c.String("min-free")
	n, ok := human.ParseSize(text)
	if !ok {
		return 0, usagef("min-free %q: want bytes with a unit, such as 500MB or 5GiB, or 0", text)
	}
	return uint64(n), nil
}

// trialWorkers returns the workers of the trial. More than the processors play no faster, but workers of a model wait
// for it most of the time, and together they fill its batches.
func (j *runJob) trialWorkers() int {
	if j.series.GamesAtOnce() > 0 {
		return j.workers
	}
	return min(j.workers, runtime.GOMAXPROCS(0))
}

// planFlags set the plan: everything that the bytes of a dataset depend on.
func planFlags(games encode.Catalog) []cli.Flag {
	return slices.Concat(gameFlags(games), []cli.Flag{seedFlag(), maxPliesFlag()},
		playerFlags(), playFlags(), rowFlags(""), deblunderFlags("", "that of the players"), shardFlags())
}

// runContent is what a run puts into a dataset: the games to play, how a game becomes rows, and
// the plan.
type runContent struct {
	series workers.Series
	shape  *rows.Shape
	plan   plan.Plan
	nets   [][]byte // files of the players' networks
	models *modelSet
}

// contentFrom reads the plan flags. set has the models that players ask.
func contentFrom(c *cli.Context, set *modelSet) (*runContent, error) {
	series, err := seriesFrom(c, set)
	if err != nil {
		return nil, err
	}
	if err := readPlay(c, &series); err != nil {
		return nil, err
	}
	t := newContent(series)
	t.models = set
	if err := t.plan.AddEvaluators(set.Plan()); err != nil {
		return nil, usagef("%v", err)
	}
	if err := applyRows(c, t.shape); err != nil {
		return nil, err
	}
	if err := applyDeblunder(c, t.shape, modelFlagName); err != nil {
		return nil, err
	}
	if err := applyShards(c, &t.plan); err != nil {
		return nil, err
	}
	t.plan.Play = series.Settings()
	t.shape.Into(&t.plan)
	if err := t.plan.Validate(); err != nil {
		return nil, usagef("%v", err)
	}
	return t, nil
}

// seriesFrom reads the flags of the game and its players.
func seriesFrom(c *cli.Context, set *modelSet) (s workers.Series, err error) {
	if s.Game, s.Variant, err = gameFrom(c); err != nil {
		return s, err
	}
	find := set.Sources(s.Game, s.Variant, networks.Finder(c.String("out")))
	if s.Players, err = playersFrom(c, &s.Game.Game, find); err != nil {
		return s, err
	}
	if err := set.RefuseUnused(); err != nil {
		return s, err
	}
	s.Seed = c.Uint64("seed")
	s.MaxPlies, err = maxPliesFrom(c, &s.Game.Game)
	return s, err
}

// newContent returns the content of a dataset of s, with default rows. All plans of new games
// are made here.
func newContent(s workers.Series) *runContent {
	p := plan.Plan{
		Game:     s.Game.Name,
		Variant:  s.Variant,
		Rules:    s.Game.Rules,
		Seed:     s.Seed,
		MaxPlies: s.MaxPlies,
		Actions:  s.Game.Actions.Version,
	}
	for side, spec := range s.Players {
		p.Players[side] = plan.Player{Spec: spec.String(), Version: spec.Version()}
	}
	nets := networks.FilesOf(s.Players[:]...)
	p.SetNetworks(nets)
	p.AddStaticScores(s.Game.StaticFingerprint(s.Variant))
	shape := rows.New(s.Game, s.Variant, s.Seed, s.Searches())
	shape.Caps, shape.WDL = s.Caps(), s.WDL()
	if len(s.Opening.Book) > 0 {
		shape.AddStartPly()
	}
	shape.Into(&p)
	return &runContent{series: s, shape: shape, plan: p, nets: nets}
}

// indexVariables hold the index of a process: Kubernetes indexed jobs, Slurm arrays and AWS
// Batch arrays. The number of tasks is never read from the environment. Kubernetes does not
// pass it, and Slurm passes that of the last submission: resubmitting tasks 3 and 7 alone
// would assign them other shards.
var indexVariables = []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"}

func taskFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "task-count", Category: groupCluster, Usage: "share the work among `N` runs of the same command; selfplay finalize completes the dataset"},
		&cli.IntFlag{Name: "task-index", Category: groupCluster, Usage: "number `I` of this run, from 0", DefaultText: "from " + strings.Join(indexVariables, ", ")},
	}
}

// taskFrom reads taskFlags: the part of the dataset that this run makes.
func taskFrom(c *cli.Context, games, shardGames uint64) (t making.Task, err error) {
	if !c.IsSet("task-count") {
		if c.IsSet("task-index") {
			return t, usagef("flag --task-index needs --task-count")
		}
		return t, nil
	}
	t.Count = c.Int("task-count")
	if t.Count < 1 || t.Count > plan.MaxShards {
		return t, usagef("task-count %d: want 1 to %d", t.Count, plan.MaxShards)
	}
	index, source, err := taskIndex(c)
	if err != nil {
		return t, err
	}
	t.Index = index
	switch {
	case t.Index < 0 || t.Index >= t.Count:
		return t, usagef("%s %d: want 0 to %d, for --task-count %d", source, t.Index, t.Count-1, t.Count)
	case games%shardGames != 0:
		return t, usagef("games %d: tasks make whole shards, want a multiple of %d", games, shardGames)
	}
	return t, nil
}

// taskIndex returns the index of this task and the name of the flag or variable it is from.
func taskIndex(c *cli.Context) (index int, source string, err error) {
	if c.IsSet("task-index") {
		return c.Int("task-index"), "task-index", nil
	}
	for _, name := range indexVariables {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		if index, err = strconv.Atoi(text); err != nil {
			return 0, name, usagef("%s %q: want a number", name, text)
		}
		return index, name, nil
	}
	return 0, "", usagef("flag --task-index is missing, and so are %s", strings.Join(indexVariables, ", "))
}

// warnOfIndex warns if a scheduler started this run as one of several, but --task-count is
// missing: then each of them plays all games.
func warnOfIndex(log *slog.Logger, t making.Task) {
	for _, name := range indexVariables {
		index := os.Getenv(name)
		if index != "" && t.Count == 0 {
			log.Warn("this run plays all games: a scheduler set a task index, but --task-count is missing", "variable", name, "index", index)
		}
	}
}

// A signal, which cancels the context of the command, or --stop-after asks a run to stop.
// No game begins after that. Fast games under way have --grace to finish; those with slow decisions
// end after the next one. Journals keep both, and the next run goes on from there. A second signal
// ends the process at once and loses only searches and fast games under way.

// stopping says when a run stops before its target.
type stopping struct {
	after time.Duration // 0: never
	grace time.Duration
}

func stopFlags() []cli.Flag {
	return []cli.Flag{
		&cli.DurationFlag{Name: "stop-after", Category: groupOutput, Usage: "stop after this `TIME`, such as 8h or 90m; the same command resumes", DefaultText: "never"},
		&cli.DurationFlag{Name: "grace", Category: groupOutput, Value: 25 * time.Second, Usage: "when stopped, let fast games finish, and slow ones their decision, for this `TIME`"},
	}
}

// stoppingFrom reads stopFlags.
func stoppingFrom(c *cli.Context) (stopping, error) {
	s := stopping{after: c.Duration("stop-after"), grace: c.Duration("grace")}
	switch {
	case s.after < 0 || s.after == 0 && c.IsSet("stop-after"):
		return s, usagef("stop-after %v: want more than 0", s.after)
	case s.grace < 0:
		return s, usagef("grace %v: want 0 or more", s.grace)
	}
	return s, nil
}
