package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// dryRun prints the plan of the run and, from a short trial, what the run would take. If
// the dataset exists, the estimate covers only the missing games. It writes nothing.
func (j *job) dryRun(ctx context.Context, w io.Writer, asJSON bool) error {
	plan, hash, err := plan.Complete(j.plan, j.shape.Description())
	if err != nil {
		return err
	}
	commits, err := commitsOf(j.out, plan, hash)
	if err != nil {
		return err
	}
	e := estimate{job: j, hash: hash}
	e.games, e.shards = making.Remaining(plan, j.task, commits, j.games)
	if !asJSON {
		if err := printPlan(w, plan); err != nil {
			return err
		}
	}
	if e.games > 0 {
		if err := e.try(ctx); err != nil {
			return err
		}
	}
	switch {
	case asJSON:
		return encode.NewRoundedJSON(w).Encode(e.summary(plan))
	case e.games == 0:
		_, err := fmt.Fprintf(w, "plan   %s\ngames  none: the dataset has all games of this command\n", hash)
		return err
	}
	return e.print(w)
}

func printPlan(w io.Writer, plan plan.Plan) error {
	text, err := json.MarshalIndent(plan, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s\n\n", text)
	}
	return err
}

// commitsOf returns the commits of the dataset in out, none if it does not exist. It
// refuses a dataset with another plan, as a run does.
func commitsOf(out string, plan plan.Plan, hash string) ([]*record.Commit, error) {
	ds, err := datasets.Open(out)
	switch {
	case errors.Is(err, datasets.ErrNotDataset):
		return nil, nil
	case err != nil:
		return nil, err
	case ds.PlanHash() != hash:
		return nil, &datasets.PlanError{Dir: out, Differences: ds.Plan().Diff(plan)}
	}
	return ds.Commits()
}

// spaceWarning returns a warning if the disk of out has less free space than needed, and ""
// if it has enough or its free space is unknown, as that of an object store.
func spaceWarning(out string, bytes float64) string {
	if disk.IsURL(out) {
		return ""
	}
	if free, _, ok := disk.Space(existingParent(out)); ok && float64(free) < bytes {
		return fmt.Sprintf(", more than the %s that are free there", human.Size(float64(free)))
	}
	return ""
}

// existingParent returns dir or the nearest of its parents that exists.
func existingParent(dir string) string {
	dir = filepath.Clean(dir)
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
