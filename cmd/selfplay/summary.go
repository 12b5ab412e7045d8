package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"selfplay/datasets"
	"selfplay/engine"
)

// summary is what a run says when it is over, on one screen.
type summary struct {
	*job
	made    datasets.Summary
	resumed datasets.Event // what was there before
	took    time.Duration
	err     error // why the run is over, nil if it has reached its target
}

func (s *summary) print(w io.Writer) error {
	ds, err := datasets.Open(s.out)
	if err != nil {
		return err
	}
	info, err := ds.Info()
	if err != nil {
		return err
	}
	results, positionBytes, err := endings(ds)
	if err != nil {
		return err
	}
	rows := s.made.Rows - min(s.made.Rows, s.resumed.Rows)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "games\t%s of %s, %s of them new, seed %d\n",
		number(s.made.Games), number(s.made.Target), number(s.made.Games-min(s.made.Games, s.resumed.Games)), s.plan.Seed)
	if s.games < s.made.Target {
		fmt.Fprintf(t, "asked for\t%s games: a dataset keeps what it has\n", number(s.games))
	}
	fmt.Fprintf(t, "rows\t%s, %s of them new, %s a second\n",
		number(s.made.Rows), number(rows), number(uint64(rate(rows, s.took))))
	for _, d := range info.Dropped {
		fmt.Fprintf(t, "left out\t%s rows, %s\n", number(d.Rows), d.Filter)
	}
	fmt.Fprintf(t, "bytes\t%s in %d shards, %.2f a row of positions\n",
		number(uint64(s.made.Bytes)), s.made.Shards, float64(positionBytes)/float64(max(1, s.made.Rows)))
	for _, r := range results {
		fmt.Fprintf(t, "%s\t%s games, %.1f%%\n", r.name, number(r.games), 100*float64(r.games)/float64(s.made.Games))
	}
	fmt.Fprintf(t, "plan\t%.16s\n", s.made.PlanHash)
	fmt.Fprintf(t, "dataset\t%s\n", s.out)
	fmt.Fprintf(t, "next\t%s\n", s.next())
	return t.Flush()
}

// next is what one would do now.
func (s *summary) next() string {
	switch {
	case errors.Is(s.err, datasets.ErrIncomplete):
		return "the same command goes on from here"
	case errors.Is(s.err, datasets.ErrNoSpace):
		return "make room; the same command goes on from here"
	case s.err != nil:
		return "go run ./cmd/export verify " + s.out
	case s.part.Count > 0:
		return fmt.Sprintf("when all %d tasks are done: go run ./cmd/selfplay finalize %s", s.part.Count, s.out)
	}
	return "go run ./cmd/export head " + s.out
}

// ending is how some games ended.
type ending struct {
	name  string
	games uint64
}

// endings counts the games by how they ended, the most frequent first, and the
// bytes of the positions' files.
func endings(ds *datasets.Dataset) (list []ending, positionBytes int64, err error) {
	commits, err := ds.Commits()
	if err != nil {
		return nil, 0, err
	}
	games, names := map[string]uint64{}, ds.Description()
	for _, c := range commits {
		positionBytes += c.Files[0].Bytes
		for _, n := range c.Results {
			games[endingName(names.Results[n.Result], engine.Reason(n.Reason))] += n.Games
		}
	}
	for _, name := range slices.Sorted(maps.Keys(games)) {
		list = append(list, ending{name, games[name]})
	}
	slices.SortStableFunc(list, func(a, b ending) int { return cmp.Compare(b.games, a.games) })
	return list, positionBytes, nil
}

func endingName(result string, reason engine.Reason) string {
	switch result {
	case "":
		return "cut off, " + reason.String()
	case "draw":
		return "draw, " + reason.String()
	}
	return result + " wins, " + reason.String()
}

// number writes a number with its thousands apart.
func number(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
