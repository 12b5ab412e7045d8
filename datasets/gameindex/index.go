package gameindex

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

// Index is an index of the games of a dataset.
type Index struct {
	root  string
	ds    *datasets.Dataset
	shape *rows.Shape
	file  string // "" if the index is not saved

	state   atomic.Pointer[state]
	mu      sync.Mutex // guards the fields below: one Update or Close at a time
	records *datasets.CommitFollower
	saved   int   // games of the saved shards that are still committed
	saving  error // why the index could not be saved

	failures map[int]*failure // shards that could not be read, by number
}

// Status says how far an index is.
type Status struct {
	Shards  int    // committed, when Update looked last
	Indexed int    // of these
	Games   uint64 // of all committed shards
	// Failed is the shards that could not be read, in order. Update tries them again when their
	// files have changed.
	Failed []*datasets.ShardError
	// Saving is why the index file could not be written; nil if it could. The index works without.
	Saving error
}

// ErrReplaced means that another dataset has taken the place of the one that was opened. Open it again.
var ErrReplaced = errors.New("replaced by a dataset of another plan")

// Open opens the dataset in root and the saved index of its games in the folder cache, which may
// not exist yet. If cache is "", the index is kept in memory only. The index has the shards that
// were saved and are still committed; Update adds the others. For errors see datasets.OpenRooted and
// rows.OfDataset; a damaged index file is none.
func Open(games encode.Catalog, root, cache string) (*Index, error) {
	ds, err := datasets.OpenRooted(root)
	if err != nil {
		return nil, err
	}
	ix := &Index{root: root, ds: ds, records: ds.Follow()}
	ix.records.Stats = true // a repair may have made a shard anew
	if ix.shape, err = rows.OfDataset(games, ds); err != nil {
		return nil, fmt.Errorf("index %s: %w", root, err)
	}
	if cache != "" {
		ix.file = fileName(cache, root)
	}
	return ix, ix.open()
}

// open loads the index file.
func (ix *Index) open() error {
	commits, err := ix.records.Look()
	if err != nil {
		return err
	}
	s := ix.load(commits)
	ix.publish(commits, s)
	ix.saved = s.games
	return nil
}

// Shape returns how the games of the dataset become rows. The caller must not change it.
func (ix *Index) Shape() *rows.Shape { return ix.shape }

// Model returns the model by which drops are measured, nil if the dataset has none.
func (ix *Index) Model() *encode.WDL { return ix.shape.WDL }

// Status returns how far the index is.
func (ix *Index) Status() Status { return ix.state.Load().status }

// Game returns a game by its number in the dataset; false if the index does not have it.
func (ix *Index) Game(number uint64) (Game, bool) {
	s := ix.state.Load()
	i := sort.Search(len(s.shards), func(i int) bool { c := s.shards[i].commit; return number < c.FirstGame+c.Games })
	if i == len(s.shards) || number < s.shards[i].commit.FirstGame {
		return Game{}, false
	}
	return s.game(s.shards[i], int(number-s.shards[i].commit.FirstGame)), true
}

// find returns a shard by its number, nil if the state does not have it.
func (s *state) find(number int) *shard {
	i, found := slices.BinarySearchFunc(s.shards, number, func(sh *shard, n int) int { return sh.commit.Shard - n })
	if !found {
		return nil
	}
	return s.shards[i]
}

// publish makes s the state of the index.
func (ix *Index) publish(commits []*record.Commit, s *state) {
	s.status = Status{Shards: len(commits), Indexed: len(s.shards), Failed: ix.failed(), Saving: ix.saving}
	for _, c := range commits {
		s.status.Games += c.Games
	}
	ix.state.Store(s)
}
