package program

import (
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
)

// indexVariables hold the index of a process: Kubernetes indexed jobs, Slurm arrays and AWS
// Batch arrays. The number of tasks is never read from the environment. Kubernetes does not
// pass it, and Slurm passes that of the last submission: resubmitting tasks 3 and 7 alone
// would assign them other shards.
var indexVariables = []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"}

func taskFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "task-count", Category: app.Cluster, Usage: "share the work among `N` runs of the same command; selfplay finalize completes the dataset"},
		&cli.IntFlag{Name: "task-index", Category: app.Cluster, Usage: "number `I` of this run, from 0", DefaultText: "from " + strings.Join(indexVariables, ", ")},
	}
}

// taskFrom reads taskFlags: the part of the dataset that this run makes.
func taskFrom(c *cli.Context, games, shardGames uint64) (t making.Task, err error) {
	if !c.IsSet("task-count") {
		if c.IsSet("task-index") {
			return t, app.Usage("flag --task-index needs --task-count")
		}
		return t, nil
	}
	t.Count = c.Int("task-count")
	if t.Count < 1 || t.Count > plan.MaxShards {
		return t, app.Usage("task-count %d: want 1 to %d", t.Count, plan.MaxShards)
	}
	index, source, err := taskIndex(c)
	if err != nil {
		return t, err
	}
	t.Index = index
	switch {
	case t.Index < 0 || t.Index >= t.Count:
		return t, app.Usage("%s %d: want 0 to %d, for --task-count %d", source, t.Index, t.Count-1, t.Count)
	case games%shardGames != 0:
		return t, app.Usage("games %d: tasks make whole shards, want a multiple of %d", games, shardGames)
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
			return 0, name, app.Usage("%s %q: want a number", name, text)
		}
		return index, name, nil
	}
	return 0, "", app.Usage("flag --task-index is missing, and so are %s", strings.Join(indexVariables, ", "))
}

// warnOfIndex warns if a scheduler started this run as one of several, but --task-count is
// missing: then each of them plays all games.
func warnOfIndex(log *slog.Logger, t making.Task) {
	for _, name := range indexVariables {
		if index := os.Getenv(name); index != "" && t.Count == 0 {
			log.Warn("this run plays all games: a scheduler set a task index, but --task-count is missing", "variable", name, "index", index)
		}
	}
}
