// Package gameindex answers questions about the games of one dataset: which games match a filter,
// in which order, how often each value occurs, and where a position or a material occurs. It
// serves people and programs that browse datasets of any size.
//
// # Index
//
// An [Index] keeps 28 bytes of each committed game in memory, column by column:
//
//	result, reason   uint8   as in the games table
//	plies            uint16  decisions of the game
//	drop, drop_ply   uint16  largest loss of expected result from a ply to the next; see below
//	lead_first, lead_second
//	                 uint16  largest lead in material of the side that moves first, and of the other
//	players          uint32  number of the pair of players
//	opening          uint16  the first [OpeningPlies] actions, one column each
//
// Shard and row of a game follow from its place. One table says what a column is: by which name
// people and programs know it, how it is sorted, counted and stored. [Index.Update]
// adds the shards that have been committed since, and replaces those that a repair or a longer run
// has made anew. Each shard is added as a whole, and a query sees one state of the index from its
// beginning to its end.
//
// The index is saved in a file outside the dataset: an Arrow file in which a row is a shard, and a
// sum of its bytes. It is a cache: a file that is damaged, of another plan, another model
// or another version counts as missing, and a shard whose games file has another SHA-256 is read
// again. Saving replaces the whole file, so any number of processes may use the same one.
//
// # Drops
//
// A drop is a loss of expected result, the chance of a win plus half of that of a draw, from a ply to
// the next or to a result by the last move, in 10,000ths, by the model of wins, draws and losses in
// the metadata of the dataset (encode.Deblunder.LargestDrop). It is unknown, -1, for games without
// scores and for datasets without a model.
//
// # Positions
//
// [Index.Find] looks for the games with a position or a material. It reads the column hash of the
// positions where the dataset has it, and replays games otherwise, shard by shard until a deadline
// or a limit. It then returns what it found and a cursor to continue from.
//
// # Goroutines
//
// All methods may be called by several goroutines. Calls of Update wait for each other. Queries
// use as many goroutines as there are processors.
package gameindex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/internal/goroutine"
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
	ix.shape, err = rows.OfDataset(games, ds)
	if err != nil {
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

// Update makes the index equal to the dataset as it is now: it reads the shards that have been
// committed since the last call and drops those that are no longer committed. Status and queries
// see the shards as they are added. A shard that cannot be read is left out and listed in
// Status.Failed until its file changes. Update saves the index when it has grown enough.
//
// It returns an error if the records cannot be read, if another dataset has taken the place
// (ErrReplaced), or if ctx ends.
func (ix *Index) Update(ctx context.Context) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	commits, err := ix.commits()
	if err != nil {
		return err
	}
	u := ix.newUpdate(commits)
	for len(u.missing) > 0 {
		batch := u.missing[:min(len(u.missing), u.batch())]
		u.missing = u.missing[len(batch):]
		if err := u.add(ctx, batch); err != nil {
			return err
		}
		if u.state.games-ix.saved >= max(saveGames, ix.saved) {
			ix.save(u.state)
		}
	}
	if n := u.state.games - ix.saved; n > ix.saved/8 {
		ix.save(u.state)
	}
	u.publish()
	return nil
}

// Close saves what has been added since the index was saved last, for which it writes the whole
// file. Call it once, at the end: Update saves often enough in between. Queries still work after it.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if s := ix.state.Load(); s.games != ix.saved {
		ix.save(s)
	}
	return ix.saving
}

// saveGames is the least number of new games for which a long Update saves in between.
const saveGames = 1 << 18

// batch returns the number of shards that are read before they are published together: more in a
// large index, because publishing copies the list of shards.
func (u *update) batch() int { return max(4*runtime.GOMAXPROCS(0), len(u.shards)/32) }

// commits reads the records of the committed shards.
func (ix *Index) commits() ([]*record.Commit, error) {
	now, err := datasets.OpenRooted(ix.root)
	if err != nil {
		return nil, err
	}
	if now.PlanHash() != ix.ds.PlanHash() {
		return nil, ErrReplaced
	}
	return ix.records.Look()
}

// update is an update in progress.
type update struct {
	ix      *Index
	commits []*record.Commit
	missing []*record.Commit // the shards to read
	shards  []*shard         // of the index, in order
	pairs   *numbering
	state   *state // as it was published last
}

// newUpdate publishes the index without the shards that are no longer committed.
func (ix *Index) newUpdate(commits []*record.Commit) *update {
	u, old := &update{ix: ix, commits: commits}, ix.state.Load()
	u.pairs = newNumbering(old.players)
	failures := map[int]*failure{}
	for _, c := range commits {
		sh, f := old.find(c.Shard), ix.failures[c.Shard]
		switch {
		case sh != nil && sh.same(c):
			u.shards = append(u.shards, sh)
		case f != nil && ix.isSame(f, c):
			failures[c.Shard] = f
		default:
			u.missing = append(u.missing, c)
		}
	}
	ix.failures = failures
	if len(u.shards) < len(old.shards) {
		ix.saved = 0 // the file has games that are gone
	}
	u.publish()
	return u
}

func (u *update) publish() {
	u.state = newState(slices.Clone(u.shards), u.pairs.players)
	u.ix.publish(u.commits, u.state)
}

// add reads shards and publishes them.
func (u *update) add(ctx context.Context, batch []*record.Commit) error {
	results := make([]*built, len(batch))
	errs := make([]error, len(batch))
	err := divide(ctx, len(batch), func(numbers iter.Seq[int]) error {
		for i := range numbers {
			errs[i] = goroutine.Catch(func() (err error) { results[i], err = u.ix.newBuilder().build(batch[i]); return err })
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, b := range results {
		if errs[i] != nil {
			u.ix.fail(batch[i], errs[i])
			continue
		}
		ids := u.pairs.adopt(&b.players)
		for row, id := range b.shard.players {
			b.shard.players[row] = ids[id]
		}
		at, _ := slices.BinarySearchFunc(u.shards, b.commit.Shard, func(sh *shard, n int) int { return sh.commit.Shard - n })
		u.shards = slices.Insert(u.shards, at, b.shard)
	}
	u.publish()
	return nil
}

// failure is a shard that could not be read. Reading it again is of no use until its record or its
// file changes, and computing the SHA-256 of a large file again and again is expensive.
type failure struct {
	commit *record.Commit
	files  string // state of the games files; "" if one is missing
	err    error
}

// fail notes why a shard was not read, unless it is gone: a repair or a longer run removes the
// files of a shard after its record.
func (ix *Index) fail(c *record.Commit, err error) {
	if errors.Is(err, fs.ErrNotExist) && !ix.isCommitted(c) {
		return
	}
	ix.failures[c.Shard] = &failure{c, ix.gamesFiles(c), err}
}

// isSame reports whether a shard is as it was when it could not be read.
func (ix *Index) isSame(f *failure, c *record.Commit) bool {
	return slices.Equal(f.commit.Files, c.Files) && f.files != "" && f.files == ix.gamesFiles(c)
}

// gamesFiles returns sizes and times of the games files of a shard, "" if that is impossible.
func (ix *Index) gamesFiles(c *record.Commit) (state string) {
	d, err := disk.At(ix.root)
	if err != nil {
		return ""
	}
	for _, p := range c.Parts() {
		info, err := d.FS.Stat(d.Path(p.Files[plan.GamesFile].Name))
		if err != nil {
			return ""
		}
		state += fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano(), " ")
	}
	return state
}

// failed lists the shards that could not be read, in order.
func (ix *Index) failed() (list []*datasets.ShardError) {
	for s, f := range ix.failures {
		list = append(list, &datasets.ShardError{Op: "index", Shard: s, Err: f.err})
	}
	slices.SortFunc(list, func(a, b *datasets.ShardError) int { return cmp.Compare(a.Shard, b.Shard) })
	return list
}

// isCommitted reports whether a shard is still committed as its record says.
func (ix *Index) isCommitted(c *record.Commit) bool {
	now, err := ix.ds.Commit(c.Shard)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return slices.Equal(now.Files, c.Files)
}
