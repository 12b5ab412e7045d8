package export

import (
	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/datasets/scan"
)

// readGames adds the games of shards to total, and shows progress.
func readGames[T scan.Collector[T]](c *cli.Context, ds *datasets.Dataset, shards []*record.Commit, total T) error {
	n := new(scan.Counter)
	defer newProgress(c, "reading", shards).Watch(n)()
	return scan.Games(c.Context, ds, shards, total, n)
}

// follow shows the progress of reading shards, which n counts, until stop is called. The
// pairs of keys and values are logged at the start.
func follow(c *cli.Context, doing string, shards []*record.Commit, n *scan.Counter, pairs ...any) (p *progress.Progress, stop func()) {
	p = newProgress(c, doing, shards, pairs...)
	p.Start()
	return p, p.Watch(n)
}

func newProgress(c *cli.Context, doing string, shards []*record.Commit, pairs ...any) *progress.Progress {
	games := uint64(0)
	for _, commit := range shards {
		games += commit.Games
	}
	return progress.New(doing, games, app.Log(c), c.App.ErrWriter, app.Quiet(c), pairs...)
}
