// Package servetest makes small datasets for tests of the server, and compares its answers with
// golden files.
package servetest

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// Dataset describes a dataset to make. Zero values have defaults.
type Dataset struct {
	Game   string // cotulenh by default
	Player string // random by default
	Games  uint64 // 12 by default
	Shard  int    // games of a shard, 4 by default; a third of the shards are for validation
	Format string // plan.Parquet by default
	Board  string // plan.List by default
	Hash   bool   // with the column hash
	Stop   int    // the run is stopped when it has finished this many games of each open shard
}

// Known are the games and players of this module.
var Known = workers.Catalog{Games: encode.Games(), Players: workers.PlayerTypes()}

// Make makes a dataset in dir/name, or extends it, and returns its directory. dir may be a URL.
func Make(t testing.TB, dir, name string, d Dataset) string {
	t.Helper()
	plan, options := d.run(t)
	out := filepath.Join(dir, name)
	if disk.IsURL(dir) {
		out = dir + "/" + name
	}
	if _, err := making.Make(t.Context(), out, plan, cmp.Or(d.Games, 12), options); err != nil && (d.Stop == 0 || !errors.Is(err, datasets.ErrIncomplete)) {
		t.Fatal(err)
	}
	return out
}

// stopped returns a Play that is stopped after some games of each shard.
func stopped(play datasets.Play, after int) datasets.Play {
	return func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		if err := play(ctx, games[:after], journal, sink); err != nil {
			return err
		}
		return datasets.ErrIncomplete
	}
}

// run returns the plan of a dataset and how to make it.
func (d Dataset) run(t testing.TB) (plan.Plan, making.Options) {
	t.Helper()
	game, err := encode.Games().Find(cmp.Or(d.Game, "cotulenh"))
	must.Do(t, err)
	spec := cmp.Or(d.Player, "random")
	player, err := workers.ParsePlayer(&game.Game, spec)
	must.Do(t, err)
	const seed, maxPlies = 5, 60
	players := [2]workers.PlayerSpec{player, player}
	pool := workers.Start(workers.Series{Game: game, Players: players, Seed: seed, MaxPlies: maxPlies}, 2)
	t.Cleanup(func() { pool.Close() })
	shape := rows.New(game, "", seed, spec != "random")
	shape.Format, shape.BoardType = cmp.Or(d.Format, plan.Parquet), cmp.Or(d.Board, plan.List)
	if d.Hash {
		shape.Extra = append(shape.Extra, "hash")
	}
	plan := plan.Plan{
		Game: game.Name, Rules: game.Rules, Actions: game.Actions.Version, Seed: seed, MaxPlies: maxPlies, ShardGames: cmp.Or(d.Shard, 4), Validation: 334,
		Players: [2]plan.Player{{Spec: spec, Version: 1}, {Spec: spec, Version: 1}},
	}
	shape.Into(&plan)
	options := making.Options{Play: pool.Play, Rows: shape.Rows(), Description: shape.Description()}
	if d.Stop > 0 {
		options.Play, options.OpenShards = stopped(pool.Play, d.Stop), 1
	}
	return plan, options
}
