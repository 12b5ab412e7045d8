package main

import (
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
)

// indexVariables are where schedulers tell a process which task it is: Kubernetes
// indexed jobs, Slurm and AWS Batch arrays. None is asked for the number of tasks:
// Kubernetes does not tell it, and Slurm tells of how many were submitted last, so that
// sending tasks 3 and 7 once more would make another dataset's worth of shards theirs.
var indexVariables = []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"}

func taskFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "task-count", Usage: "share the work among `N` runs like this one, then finalize", DefaultText: "none"},
		&cli.IntFlag{Name: "task-index", Usage: "of these be the `I`-th, from 0", DefaultText: strings.Join(indexVariables, ", ")},
	}
}

// chosenPart reads these flags: which part of a dataset of so many games is this
// run's.
func chosenPart(c *cli.Context, games, shardGames uint64) (t datasets.Task, err error) {
	if !c.IsSet("task-count") {
		if c.IsSet("task-index") {
			return t, app.Usage("flag --task-index needs --task-count")
		}
		return t, nil
	}
	t.Count = c.Int("task-count")
	if t.Count < 1 || t.Count > maxShards {
		return t, app.Usage("task-count %d: want 1 to %d", t.Count, maxShards)
	}
	from := "task-index"
	if c.IsSet("task-index") {
		t.Index = c.Int("task-index")
	} else if t.Index, from, err = scheduledIndex(); err != nil {
		return t, err
	}
	switch {
	case t.Index < 0 || t.Index >= t.Count:
		return t, app.Usage("%s %d: want 0 to %d, for --task-count %d", from, t.Index, t.Count-1, t.Count)
	case games%shardGames != 0:
		return t, app.Usage("games %d: tasks make whole shards, want a multiple of %d", games, shardGames)
	}
	return t, nil
}

// warnOfIndex says so if a scheduler seems to have started several runs each of which is
// all of the work: then they were to share it.
func warnOfIndex(log *slog.Logger, t datasets.Task) {
	for _, name := range indexVariables {
		if index := os.Getenv(name); index != "" && t.Count == 0 {
			log.Warn("not a task: all games are played here, as there is no --task-count", "variable", name, "index", index)
		}
	}
}

// scheduledIndex asks the environment.
func scheduledIndex() (index int, from string, err error) {
	for _, name := range indexVariables {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		index, err = strconv.Atoi(text)
		if err != nil {
			return 0, name, app.Usage("%s %q: want a number", name, text)
		}
		return index, name, nil
	}
	return 0, "", app.Usage("flag --task-index is missing, and so are %s", strings.Join(indexVariables, ", "))
}
