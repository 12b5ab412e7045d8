// Package reports makes the reports of datasets for the pages of the server, in the background and
// one at a time. A large dataset is sampled: some of its shards, evenly spread.
//
// Sources: the checks and charts are those of package report.
package reports

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"

	"selfplay/cmd/internal/report"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// Limits of a report.
const (
	maxGames   = 5000 // of a dataset
	maxPlies   = 1 << 20
	legalPlies = 50_000 // whose legal moves are counted
	kept       = 16     // reports
)

// renew is how old a report must be before it is made again because shards were committed.
const renew = 30 * time.Second

// Reports makes and keeps reports. Several goroutines may use it. The zero value is ready.
type Reports struct {
	mu      sync.Mutex
	known   map[string]*State
	order   []string // keys of known, the one used last at the end
	working chan struct{}
}

// State is a report, or how far the making of the first one is.
type State struct {
	Made  bool
	Empty bool          // no shard is committed yet
	HTML  template.HTML // sections of the page; see report.Sections
	Games uint64        // that were read
	Of    uint64        // committed games then
	Done  float64       // share of the work, until Made
	Err   error         // why there is none

	shards int // committed then
	at     time.Time
	busy   bool
	count  *scan.Counter
	target uint64
}

// Of returns the report of one dataset, or of two of one game. It starts to make it if there is
// none, or if it is old and shards were committed since.
func (r *Reports) Of(list ...*catalog.Dataset) (State, error) {
	var names []string
	shards := 0
	for _, d := range list {
		commits, err := d.Commits()
		if err != nil {
			return State{}, err
		}
		names, shards = append(names, d.Name), shards+len(commits)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.find(strings.Join(names, "\n"))
	if old := s.shards != shards && time.Since(s.at) > renew; shards > 0 && !s.busy && (s.at.IsZero() || old) {
		s.busy, s.count, s.target = true, new(scan.Counter), 0
		goroutine.New().Go(func() error { r.make(s, list, shards); return nil })
	}
	now := *s
	now.Empty = shards == 0
	if s.count != nil && s.target > 0 {
		games, _ := s.count.Progress()
		now.Done = min(1, float64(games)/float64(s.target))
	}
	return now, nil
}

// find returns the state with a key, a new one if it is not known. It forgets the one that was not
// used for longest.
func (r *Reports) find(key string) *State {
	if r.known == nil {
		r.known, r.working = map[string]*State{}, make(chan struct{}, 1)
	}
	r.order = append(slices.DeleteFunc(r.order, func(k string) bool { return k == key }), key)
	if len(r.order) > kept {
		delete(r.known, r.order[0])
		r.order = r.order[1:]
	}
	if r.known[key] == nil {
		r.known[key] = &State{}
	}
	return r.known[key]
}

// make makes a report.
func (r *Reports) make(s *State, list []*catalog.Dataset, shards int) {
	r.working <- struct{}{}
	defer func() { <-r.working }()
	var next State
	err := goroutine.Catch(func() (err error) { next, err = r.read(s, list); return err })
	r.mu.Lock()
	defer r.mu.Unlock()
	s.busy, s.shards, s.at, s.Err = false, shards, time.Now(), err
	if err == nil {
		s.Made, s.HTML, s.Games, s.Of = true, next.HTML, next.Games, next.Of
	}
}

// read reads datasets and writes their report.
func (r *Reports) read(s *State, list []*catalog.Dataset) (next State, err error) {
	var sources []report.Source
	var game *encode.Game
	for _, d := range list {
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
		commits, err := d.Commits()
		if err != nil {
			return next, err
		}
		chosen := sample(commits)
		r.mu.Lock()
		for _, c := range chosen {
			s.target += c.Games
		}
		r.mu.Unlock()
		if source.Seen, err = collect(ds, shape, chosen, s.count); err != nil {
			return next, err
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

// collect reads the games of shards.
func collect(ds *datasets.Dataset, shape *rows.Shape, shards []*datasets.Commit, n *scan.Counter) (*stats.Collector, error) {
	plies := uint64(0)
	for _, c := range shards {
		plies += c.Plies()
	}
	total := stats.New(shape.Game, shape.Variant, max(1, plies/legalPlies))
	total.Model = shape.WDL
	return total, scan.Games(context.Background(), ds, shards, total, n)
}

// sample returns shards, evenly spread, that have about maxGames games and maxPlies plies: one at
// least.
func sample(commits []*datasets.Commit) (chosen []*datasets.Commit) {
	games, plies := uint64(0), uint64(0)
	for _, c := range commits {
		games, plies = games+c.Games, plies+c.Plies()
	}
	every := int(max(1, (games+maxGames-1)/maxGames, (plies+maxPlies-1)/maxPlies))
	for i := 0; i < len(commits); i += every {
		chosen = append(chosen, commits[i])
	}
	return chosen
}
