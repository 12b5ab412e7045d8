package reports

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"html/template"

	"selfplay/cmd/internal/report"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/stats"
	"selfplay/encode"
)

// Limits of a report.
const (
	maxGames   = 5000 // of a dataset
	maxPlies   = 1 << 20
	legalPlies = 50_000 // whose legal moves are counted

	// memory is enough for the rows of every dataset that is compared by default, so nothing is
	// written to files.
	memory = 1 << 30
)

// commitsOf returns the records of the shards of datasets.
func commitsOf(list []*catalog.Dataset) (all [][]*record.Commit, err error) {
	for _, d := range list {
		commits, err := d.Commits()
		if err != nil {
			return nil, err
		}
		all = append(all, commits)
	}
	return all, nil
}

// hashOf returns a hash of records. It tells whether they have changed.
func hashOf(all [][]*record.Commit) uint64 {
	h := fnv.New64a()
	for i, commits := range all {
		for _, c := range commits {
			fmt.Fprintln(h, i, c.Sum) // never fails
		}
	}
	return h.Sum64()
}

// read reads datasets and writes their report.
func (r *Reports) read(s *State, list []*catalog.Dataset) (next State, err error) {
	all, err := commitsOf(list)
	if err != nil {
		return next, err
	}
	next.shards = hashOf(all)
	var sources []report.Source
	var game *encode.Game
	for i, d := range list {
		ds, err := d.Data()
		if err != nil {
			return next, err
		}
		shape, err := d.Shape()
		if err != nil {
			return next, err
		}
		if game != nil && game.Name != shape.Game.Name {
			return next, fmt.Errorf("compare datasets of %s and %s: want one game", game.Name, shape.Game.Name)
		}
		game = &shape.Game
		source := report.Source{Name: d.Name, Dataset: ds}
		if source.Info, err = ds.Info(); err != nil {
			return next, err
		}
		commits := all[i]
		parts := record.PartsOf(commits)
		chosen := sample(parts, plies(commits))
		source.Sampled = len(chosen) < len(parts)
		compared := report.Comparison{Dataset: ds, Shape: shape, Commits: commits}
		exact, err := compared.ByDefault()
		if err != nil {
			return next, err
		}
		r.mu.Lock()
		for _, c := range chosen {
			s.target += c.Games
		}
		if exact {
			s.target += compared.Games()
		}
		r.mu.Unlock()
		if source.Seen, err = collect(ds, shape, chosen, plies(commits), s.count); err != nil {
			return next, err
		}
		if exact {
			if source.Overlap, err = compared.Measure(context.Background(), memory, s.count); err != nil {
				return next, err
			}
		}
		for _, c := range commits {
			next.Of += c.Games
		}
		for _, c := range chosen {
			next.Games += c.Games
		}
		sources = append(sources, source)
	}
	made, err := report.New(game, sources...)
	if err != nil {
		return next, err
	}
	var b bytes.Buffer
	err = made.Sections(&b)
	next.HTML = template.HTML(b.String())
	return next, err
}

// collect reads the games of parts of shards, which have at most the given number of plies.
func collect(ds *datasets.Dataset, shape *rows.Shape, parts []*record.Part, plies uint64, n *scan.Counter) (*stats.Collector, error) {
	total := stats.New(shape.Game, shape.Variant, shape.WDL, max(1, plies/legalPlies))
	return total, scan.Games(context.Background(), ds, parts, total, n)
}

// plies returns the number of plies of shards.
func plies(commits []*record.Commit) (n uint64) {
	for _, c := range commits {
		n += c.Plies()
	}
	return n
}

// sample returns parts of every split, evenly spread, that have about maxGames games and maxPlies
// plies, where all have the given number of plies: one at least of each split.
func sample(parts []*record.Part, plies uint64) (chosen []*record.Part) {
	games := uint64(0)
	for _, p := range parts {
		games += p.Games
	}
	every := int(max(1, (games+maxGames-1)/maxGames, (plies+maxPlies-1)/maxPlies))
	seen := map[string]int{} // parts by split
	for _, p := range parts {
		if seen[p.Split]%every == 0 {
			chosen = append(chosen, p)
		}
		seen[p.Split]++
	}
	return chosen
}
