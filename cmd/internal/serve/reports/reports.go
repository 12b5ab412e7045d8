// Package reports makes the reports of datasets for the pages of the server, in the background and
// one at a time. A large dataset is sampled: some of its shards, evenly spread.
//
//	reports.go  Reports: which reports are made and kept
//	read.go     what a report reads
//
// Sources: the checks and charts are those of package report.
package reports

import (
	"html/template"
	"log/slog"
	"slices"
	"sync"
	"time"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/scan"
	"selfplay/internal/goroutine"
)

// Limits of all reports.
const (
	maxMaking = 8  // that are made or wait for it
	kept      = 16 // more than maxMaking
)

// renew is how old a report must be before it is made again because the shards have changed, or
// because it could not be made.
const renew = 30 * time.Second

// Reports makes and keeps reports. Several goroutines may use it. The zero value is ready.
type Reports struct {
	Log *slog.Logger // of reports that cannot be made; nil for none

	mu      sync.Mutex
	known   map[key]*State
	order   []key // keys of known, the one used last at the end
	making  int   // reports that are made or wait for it
	working chan struct{}
}

// key is the dataset of a report, or the two. A dataset that takes the place of another one has
// another key.
type key [2]*catalog.Dataset

// list returns the datasets of a key.
func (k key) list() []*catalog.Dataset {
	return slices.DeleteFunc(k[:], func(d *catalog.Dataset) bool { return d == nil })
}

// State is a report, or how far the making of the first one is.
type State struct {
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
func (r *Reports) Of(list ...*catalog.Dataset) (State, error) {
	var k key
	copy(k[:], list)
	commits, err := commitsOf(list)
	if err != nil {
		return State{}, err
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
func (s *State) wanted(shards uint64) bool {
	old := time.Since(s.at) > renew && (s.shards != shards || s.Err != nil)
	return !s.busy && (s.at.IsZero() || old)
}

// start makes a report in the background.
func (r *Reports) start(k key, s *State) {
	r.making++
	s.busy, s.count, s.target = true, new(scan.Counter), 0
	goroutine.New().Go(func() error { r.make(k, s); return nil })
}

// find returns the state with a key. A new one is kept unless the limit of reports that are made is
// reached; the one is then forgotten that was not used for longest and is not being made.
func (r *Reports) find(k key) *State {
	if r.known == nil {
		r.known, r.working = map[key]*State{}, make(chan struct{}, 1)
	}
	s := r.known[k]
	if s == nil {
		if s = new(State); r.making == maxMaking {
			return s
		}
		r.known[k] = s
	}
	r.order = append(slices.DeleteFunc(r.order, func(o key) bool { return o == k }), k)
	if len(r.order) > kept {
		i := slices.IndexFunc(r.order, func(o key) bool { return !r.known[o].busy })
		delete(r.known, r.order[i])
		r.order = slices.Delete(r.order, i, i+1)
	}
	return s
}

// make makes a report.
func (r *Reports) make(k key, s *State) {
	r.working <- struct{}{}
	defer func() { <-r.working }()
	var next State
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
func (r *Reports) log(k key, err error) {
	if r.Log == nil {
		return
	}
	var names []string
	for _, d := range k.list() {
		names = append(names, d.Name)
	}
	r.Log.Error("make report", "datasets", names, "error", err)
}
