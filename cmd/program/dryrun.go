package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// dryRun prints what the run would take, from a short trial, and with --plan its plan. If the
// dataset exists, the estimate covers only the missing games. It keeps nothing.
func (j *job) dryRun(c *cli.Context) error {
	completed, hash, err := plan.Complete(j.plan, j.shape.Description())
	if err != nil {
		return err
	}
	commits, err := commitsOf(j.out, completed, hash)
	if err != nil {
		return err
	}
	e := estimate{job: j, plan: completed, hash: hash}
	e.games, e.shards = making.Remaining(completed, j.task, commits, j.games)
	if e.games > 0 {
		p := progress.New("trying", 0, app.Log(c), c.App.ErrWriter, app.Quiet(c), "why", "--dry-run")
		if err := e.try(c.Context, p); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return encode.NewRoundedJSON(c.App.Writer).Encode(e.summary())
	}
	if err := e.print(c.App.Writer); err != nil || !c.Bool("plan") {
		return err
	}
	return printPlan(c.App.Writer, completed)
}

func printPlan(w io.Writer, p plan.Plan) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "\n%s\n", text)
	}
	return err
}

// commitsOf returns the commits of the dataset in out, none if it does not exist. It
// refuses a dataset with another plan, as a run does.
func commitsOf(out string, p plan.Plan, hash string) ([]*record.Commit, error) {
	ds, err := datasets.Open(out)
	switch {
	case errors.Is(err, datasets.ErrNotDataset):
		return nil, nil
	case err != nil:
		return nil, err
	case ds.PlanHash() != hash:
		return nil, ds.PlanError(p)
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
