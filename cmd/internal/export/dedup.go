package export

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/rows"
)

func dedupCommand() *cli.Command {
	return &cli.Command{
		Name:      "dedup",
		Usage:     "make a dataset of the games of one or several, with a row only where a position is there for the first time",
		ArgsUsage: "DIR...",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`OUT`, the directory of the dataset that is made"},
			memoryFlag(memoryForPositions),
			rowflags.CheckFlag(),
			jsonFlag("print one line of JSON"),
		},
		Action: runDedup,
	}
}

// deduplication is one call of the command.
type deduplication struct {
	dirs   []string
	out    string
	sets   []*datasets.Dataset
	shape  *rows.Shape
	plan   datasets.Plan
	check  datasets.CheckLevel
	memory int64
}

func runDedup(c *cli.Context) error {
	d, err := chosenDedup(c)
	if err != nil {
		return err
	}
	if err := d.make(c); err != nil {
		return err
	}
	if app.Quiet(c) {
		return nil
	}
	return tellInfo(c, d.out)
}

// chosenDedup reads flags and plans.
func chosenDedup(c *cli.Context) (d *deduplication, err error) {
	d = new(deduplication)
	if d.dirs, err = app.Dirs(c, math.MaxInt); err != nil {
		return nil, err
	}
	if d.out, err = app.Required(c, "out"); err != nil {
		return nil, err
	}
	if d.check, err = rowflags.Check(c); err != nil {
		return nil, err
	}
	if d.memory, err = chosenMemory(c, dedup.MinMemory); err != nil {
		return nil, err
	}
	if err := refuseTwice(d.dirs); err != nil {
		return nil, err
	}
	for _, dir := range d.dirs {
		ds, err := datasets.Open(dir)
		if err != nil {
			return nil, err
		}
		if err := refuseInside(dir, d.out); err != nil {
			return nil, err
		}
		d.sets = append(d.sets, ds)
	}
	if d.shape, err = rows.Of(d.sets[0].Plan()); err != nil {
		return nil, app.Usage("read %s: %v", d.dirs[0], err)
	}
	return d, d.refuse()
}

// refuseTwice refuses a directory that another name stands for too.
func refuseTwice(dirs []string) error {
	var seen []os.FileInfo
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
			return app.Usage("%s is given twice", dir)
		}
		seen = append(seen, info)
	}
	return nil
}

// refuse refuses datasets whose rows do not go together.
func (d *deduplication) refuse() error {
	if d.shape.Unique {
		return app.Usage("read %s: its rows are unique already: take what it was made from", d.dirs[0])
	}
	first := d.sets[0].Plan()
	for i, ds := range d.sets[1:] {
		same := ds.Plan()
		for _, name := range differences(first, same) {
			advice := ": export rows makes them alike"
			if first.Game != same.Game || first.Variant != same.Variant {
				advice = ""
			}
			return app.Usage("read %s: its %s%s", d.dirs[i+1], name, advice)
		}
	}
	if f := d.shape.Filter; len(d.sets) > 1 && (f.Keep != 0 || f.MaxRows != 0) {
		return app.Usage("read %s: its rows are a sample, drawn by numbers of games that would change: export rows --keep 1 --max-rows-per-game 0 first", d.dirs[0])
	}
	return nil
}

// differences tells in what two plans differ besides what was played and how it is
// cut up and stored.
func differences(p, q datasets.Plan) []string {
	q.Players, q.Seed, q.MaxPlies, q.Play = p.Players, p.Seed, p.MaxPlies, p.Play
	q.Format, q.BoardType, q.Codec, q.Writer, q.ShardGames, q.Validation = p.Format, p.BoardType, p.Codec, p.Writer, p.ShardGames, p.Validation
	return q.Diff(p)
}

// make makes the dataset, or what is missing of it.
func (d *deduplication) make(c *cli.Context) error {
	games := new(chain)
	for _, ds := range d.sets {
		before := games.games
		err := games.add(c.Context, ds)
		if errors.Is(err, datasets.ErrUnfinished) {
			return app.Usage("%v: let selfplay run finish it first", err)
		}
		if err != nil {
			return err
		}
		d.join(ds.Plan(), ds.PlanHash(), games.games-before)
	}
	x, err := dedup.Find(c.Context, d.shape, games.all(), games.size(), d.memory)
	if errors.Is(err, dedup.ErrMemory) {
		return app.Usage("compare positions: %v", err)
	}
	if err != nil {
		return err
	}
	d.shape.Unique = true
	d.shape.Into(&d.plan)
	if err := rowflags.MakeOut(d.out); err != nil {
		return err
	}
	p := progress.New("replaying", games.games, app.Log(c), c.App.ErrWriter, app.Quiet(c),
		"game", d.plan.Game, "from", strings.Join(d.dirs, " "), "out", d.out)
	stop := p.Watch(games)
	defer stop()
	_, err = datasets.Make(c.Context, d.out, d.plan, games.games, datasets.Options{
		Play:        games.Play,
		NoJournal:   true, // the games are there
		Rows:        x.Rows(d.shape),
		Description: d.sets[0].Description(),
		About:       d.sets[0].About(),
		Check:       d.check,
		Build:       app.Version(),
		Notify:      p.Notify,
	})
	return err
}

// various stands for players of more than one dataset that are not the same.
const various = "various"

// join lays a dataset into the plan: where its games come from is part of it, so that
// the plan says all that the bytes depend on. The first gives how they are cut up and
// stored.
func (d *deduplication) join(p datasets.Plan, hash string, games uint64) {
	from := fmt.Sprintf("from=%s:%d", hash, games)
	if d.plan.Game == "" {
		d.plan, d.plan.Play = p, nil
	}
	d.plan.Play = append(d.plan.Play, from)
	for side, player := range p.Players {
		if player != d.plan.Players[side] {
			d.plan.Players[side] = datasets.Player{Spec: various}
		}
	}
	if d.plan.Seed != p.Seed {
		d.plan.Seed = 0
	}
	d.plan.MaxPlies = max(d.plan.MaxPlies, p.MaxPlies)
}
