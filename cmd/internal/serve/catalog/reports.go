package catalog

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"html/template"
	"log/slog"
	"slices"
	"sync"
	"time"

	"selfplay/cmd/internal/report"
	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/datasets/stats"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// Limits of all reports.
const (
	maxMaking   = 8  // that are made or wait for it
	keptReports = 16 // more than maxMaking
)

// renewReport is how old a report must be before it is made again because the shards have changed, or
// because it could not be made.
const renewReport = 30 * time.Second

// Reports makes the reports of datasets in the background, one at a time, and keeps them. A large
// dataset is sampled: some of its shards, evenly spread. Several goroutines may use it. The zero value is ready.
type Reports struct {
	Log *slog.Logger // of reports that cannot be made; nil for none

	mu      sync.Mutex
	known   map[reportKey]*Report
	order   []reportKey // keys of known, the one used last at the end
	making  int         // reports that are made or wait for it
	working chan struct{}
}

// reportKey is the dataset of a report, or the two. A dataset that takes the place of another one has
// another key.
type reportKey [2]*Dataset

// list returns the datasets of a key.
func (k reportKey) list() []*Dataset {
	return slices.DeleteFunc(k[:], func(d *Dataset) bool { return d == nil })
}

// Report is a report, or how far the making of the first one is.
type Report struct {
	Made  bool
	Empty bool          // no shard is committed yet
	Busy  bool          // too many others are made: ask again
	HTML  template.HTML // sections of the page; see report.Sections
	Games uint64        // that were read
	Of    uint64        // committed games then
	Done  float64       // share of the work, until Made
	Err   error         // why there is none, at the last attempt

	shards uint64 // hash of the records of that attempt
	at     time.Time
	busy   bool
	count  *scan.Counter
	target uint64
}

// Of returns the report of one dataset, or of two of one game. It starts to make it if there is
// none, or if it is old and the shards have changed since or it could not be made.
func (r *Reports) Of(list ...*Dataset) (Report, error) {
	var k reportKey
	copy(k[:], list)
	commits, err := commitsOf(list)
	if err != nil {
		return Report{}, err
	}
	shards, empty := hashOf(commits), len(slices.Concat(commits...)) == 0
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.find(k)
	wanted := !empty && s.wanted(shards)
	if wanted && r.making < maxMaking {
		r.start(k, s)
	}
	now := *s
	now.Empty, now.Busy = empty, wanted && !s.busy
	if s.count != nil && s.target > 0 {
		games, _ := s.count.Progress()
		now.Done = min(1, float64(games)/float64(s.target))
	}
	return now, nil
}

// wanted reports whether a report is to be made of shards with a hash.
func (s *Report) wanted(shards uint64) bool {
	old := time.Since(s.at) > renewReport && (s.shards != shards || s.Err != nil)
	return !s.busy && (s.at.IsZero() || old)
}

// start makes a report in the background.
func (r *Reports) start(k reportKey, s *Report) {
	r.making++
	s.busy, s.count, s.target = true, new(scan.Counter), 0
	goroutine.New().Go(func() error { r.make(k, s); return nil })
}

// find returns the state with a key. A new one is kept unless the limit of reports that are made is
// reached; the one is then forgotten that was not used for longest and is not being made.
func (r *Reports) find(k reportKey) *Report {
	if r.known == nil {
		r.known, r.working = map[reportKey]*Report{}, make(chan struct{}, 1)
	}
	s := r.known[k]
	if s == nil {
		if s = new(Report); r.making == maxMaking {
			return s
		}
		r.known[k] = s
	}
	r.order = append(slices.DeleteFunc(r.order, func(o reportKey) bool { return o == k }), k)
	if len(r.order) > keptReports {
		i := slices.IndexFunc(r.order, func(o reportKey) bool { return !r.known[o].busy })
		delete(r.known, r.order[i])
		r.order = slices.Delete(r.order, i, i+1)
	}
	return s
}

// make makes a report.
func (r *Reports) make(k reportKey, s *Report) {
	r.working <- struct{}{}
	defer func() { <-r.working }()
	var next Report
	err := goroutine.Catch(func() (err error) { next, err = r.read(s, k.list()); return err })
	if err != nil {
		r.log(k, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.making--
	s.busy, s.shards, s.at, s.Err = false, next.shards, time.Now(), err
	if err == nil {
		s.Made, s.HTML, s.Games, s.Of = true, next.HTML, next.Games, next.Of
	}
}

// log logs why a report could not be made.
func (r *Reports) log(k reportKey, err error) {
	if r.Log == nil {
		return
	}
	var names []string
	for _, d := range k.list() {
		names = append(names, d.Name)
	}
	r.Log.Error("make report", "datasets", names, "error", err)
}

// Limits of a report.
const (
	maxReportGames = 5000 // of a dataset
	maxReportPlies = 1 << 20
	legalPlies     = 50_000 // whose legal moves are counted

	// reportMemory is enough for the rows of every dataset that is compared by default, so nothing is
	// written to files.
	reportMemory = 1 << 30
)

// commitsOf returns the records of the shards of datasets.
func commitsOf(list []*Dataset) (all [][]*record.Commit, err error) {
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
func (r *Reports) read(s *Report, list []*Dataset) (next Report, err error) {
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
		chosen := sampleParts(parts, pliesOf(commits))
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
		if source.Seen, err = collectStats(ds, shape, chosen, pliesOf(commits), s.count); err != nil {
			return next, err
		}
		if exact {
			if source.Overlap, err = compared.Measure(context.Background(), reportMemory, s.count); err != nil {
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

// collectStats reads the games of parts of shards, which have at most the given number of plies.
func collectStats(ds *datasets.Dataset, shape *rows.Shape, parts []*record.Part, pliesOf uint64, n *scan.Counter) (*stats.Collector, error) {
	total := stats.New(shape.Game, shape.Variant, shape.WDL, max(1, pliesOf/legalPlies))
	return total, scan.Games(context.Background(), ds, parts, total, n)
}

// pliesOf returns the number of plies of shards.
func pliesOf(commits []*record.Commit) (n uint64) {
	for _, c := range commits {
		n += c.Plies()
	}
	return n
}

// sampleParts returns parts of every split, evenly spread, that have about maxReportGames games and maxReportPlies
// plies, where all have the given number of plies: one at least of each split.
func sampleParts(parts []*record.Part, pliesOf uint64) (chosen []*record.Part) {
	games := uint64(0)
	for _, p := range parts {
		games += p.Games
	}
	every := int(max(1, (games+maxReportGames-1)/maxReportGames, (pliesOf+maxReportPlies-1)/maxReportPlies))
	seen := map[string]int{} // parts by split
	for _, p := range parts {
		if seen[p.Split]%every == 0 {
			chosen = append(chosen, p)
		}
		seen[p.Split]++
	}
	return chosen
}
