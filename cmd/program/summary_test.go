package program

import (
	"bytes"
	"flag"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
)

// TestSummaryOfATaskBesideOthers: a task made one shard, and others three. All numbers of the summary are
// those of the dataset.
func TestSummaryOfATaskBesideOthers(t *testing.T) {
	counts := record.Counts{Target: 10, Shards: 5, ShardsDone: 4, Games: 8}
	s := summary{
		job: &job{content: new(content), games: 10, task: making.Task{Count: 2}},
		c:   cli.NewContext(cli.NewApp(), new(flag.FlagSet), nil),
		ended: ended{
			Run: status.Run{
				Finished: status.Finished{Counts: counts, GamesDone: 8}, Rows: 800, Bytes: 9000, Played: 2,
				Endings: []status.Ending{{Name: "draw", Games: 6}, {Name: "goal", Games: 2}},
			},
			info: datasets.Info{Counts: counts, Rows: 800, Bytes: 9000},
		},
	}
	var b bytes.Buffer
	if err := s.print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"8 of 10, 2 of them new", "rows        800,", "9,000 in 4 shards", "6 games, 75.0 %", "2 games, 25.0 %"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}
