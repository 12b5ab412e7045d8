package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"

	"selfplay/datasets"
	"selfplay/workers"
)

// trialTime is how long a dry run plays, unless one game takes longer.
const trialTime = 2 * time.Second

// rowGroup is how many rows of a shard are in memory at once.
const rowGroup = 64 << 10

// tryOut says what the run would make and, by a short trial, what it would take. It
// writes nothing.
func (j *job) tryOut(ctx context.Context, w io.Writer) error {
	plan, hash, err := datasets.PlanOf(j.plan, j.shape.Description())
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", text); err != nil {
		return err
	}
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	pool := workers.Start(j.series, j.workers)
	defer pool.Close()
	t, err := datasets.Try(ctx, j.plan, j.games, trialTime, j.options(pool.Play))
	if err != nil {
		return err
	}
	return j.estimate(t, hash, float64(before.Sys), w)
}

// estimate scales a trial up to the games of the run.
func (j *job) estimate(t datasets.Trial, hash string, memory float64, w io.Writer) error {
	games := j.games
	if j.part.Count > 0 { // as even as whole shards allow
		games = (games + uint64(j.part.Count) - 1) / uint64(j.part.Count)
	}
	scale := float64(games) / float64(max(1, t.Games))
	perShard := float64(t.Rows) / float64(max(1, t.Games)) * float64(j.plan.ShardGames)
	memory += float64(j.options(nil).Open) * float64(t.Row) * min(perShard, rowGroup) * 2 // rows, and pages made of them
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "plan\t%s\n", hash)
	fmt.Fprintf(table, "games\t%s in %d shards of %s\n", number(games),
		(games+uint64(j.plan.ShardGames)-1)/uint64(j.plan.ShardGames), number(uint64(j.plan.ShardGames)))
	fmt.Fprintf(table, "rows\tabout %s, %.1f a game of %.1f plies\n", number(uint64(scale*float64(t.Rows))),
		float64(t.Rows)/float64(max(1, t.Games)), float64(t.Plies)/float64(max(1, t.Games)))
	fmt.Fprintf(table, "time\tabout %v with %d workers\n", time.Duration(scale*float64(t.Took)).Round(time.Second), j.workers)
	fmt.Fprintf(table, "disk\tabout %s\n", sizeText(scale*float64(t.Bytes)))
	fmt.Fprintf(table, "memory\tabout %s\n", sizeText(memory))
	fmt.Fprintf(table, "trial\t%s games in %v; nothing was written\n", number(t.Games), t.Took.Round(time.Millisecond))
	return table.Flush()
}
