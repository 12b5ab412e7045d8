package program

import (
	"bytes"
	"flag"
	"fmt"
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

// TestSummaryOfAStoppedRunSaysWhatCounts, and names finalize where it completes the dataset.
func TestSummaryOfAStoppedRunSaysWhatCounts(t *testing.T) {
	resumes := "the same command resumes"
	for _, c := range []struct {
		games, end   uint64
		tasks        int
		counts, next string
	}{
		{0, 0, 0, "nothing before a shard is whole", resumes},
		{300, 300, 0, "300 games with 9,000 rows in shards; finalize completes the dataset with them", resumes + "; to end here: selfplay finalize --as-it-stands data/demo"},
		{300, 400, 0, "300 games with 9,000 rows in shards; games before the last one are missing, and --games 400 makes only these", resumes},
		{300, 300, 2, "300 games with 9,000 rows in shards", resumes},
	} {
		s := summary{
			job:   &job{out: "data/demo", task: making.Task{Count: c.tasks}},
			c:     cli.NewContext(&cli.App{Name: "selfplay"}, new(flag.FlagSet), nil),
			why:   fmt.Errorf("%w: terminated", datasets.ErrIncomplete),
			ended: ended{Run: status.Run{Finished: status.Finished{Counts: record.Counts{Games: c.games}}, Rows: 30 * c.games}, end: c.end},
		}
		if s.counts() != c.counts || s.next() != c.next {
			t.Errorf("%d games up to %d, %d tasks: %q, %q", c.games, c.end, c.tasks, s.counts(), s.next())
		}
	}
}
