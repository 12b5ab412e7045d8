package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/encode"
)

// run is one call of Make.
type run struct {
	d      disk.Dir
	h      *header
	o      Options
	lock   *disk.Lock
	target uint64

	mu      sync.Mutex // guards all that follows, and Notify
	done    totals
	made    int
	open    int   // shards being made
	stopped error // ErrIncomplete once Play was asked to stop
}

// totals are of the shards that are committed. Their records stay on disk until the end:
// of a hundred thousand they would be most of what a run holds.
type totals struct {
	shards map[int]bool
	games  uint64
	rows   uint64
	bytes  int64
}

func (t *totals) add(c *Commit) {
	t.shards[c.Shard] = true
	t.games += c.Games
	t.rows += c.Rows
	t.bytes += c.bytes()
}

// begin takes the lock and reads or writes the plan.
func begin(root string, plan Plan, o Options) (*run, error) {
	h, err := newHeader(plan, o.Description, o.About)
	if err != nil {
		return nil, err
	}
	r := &run{d: disk.Dir{Root: root, FS: o.disk}, o: o, done: totals{shards: map[int]bool{}}}
	if r.d.FS == nil {
		r.d.FS = disk.OS{}
	}
	if err := refuseForeign(r.d); err != nil {
		return nil, err
	}
	if err := r.d.FS.MkdirAll(r.d.Path(disk.Hidden)); err != nil {
		return nil, err
	}
	if r.lock, err = disk.Acquire(r.d, o.Task.shared()); err != nil {
		return nil, err
	}
	r.d.Owner = r.lock.Owner()
	if r.h, err = openPlan(r.d, h, o.Task.shared()); err != nil {
		r.lock.Release()
		return nil, err
	}
	return r, nil
}

// newHeader completes a plan with what follows from the description, and from this
// program: the plan may come from a dataset that an earlier one wrote.
func newHeader(p Plan, d Description, a About) (*header, error) {
	if err := colfile.CheckColumns(d.Columns); err != nil {
		return nil, err
	}
	p = p.WithDefaults().clone()
	p.Writer = WriterVersion
	p.Columns = columnNames(d.Columns)
	p.Description = d.Hash()
	a.Date = cmp.Or(a.Date, defaultDate)
	a.Title = cmp.Or(a.Title, d.Title+" self-play")
	return &header{p, p.Hash(), d, a}, p.Validate()
}

// refuseForeign refuses a directory that holds something else than a dataset.
func refuseForeign(d disk.Dir) error {
	names, err := d.List(".")
	if err != nil {
		return err
	}
	var foreign string
	for _, name := range names {
		if name == planName {
			return nil
		}
		if !strings.HasPrefix(name, ".") {
			foreign = name
		}
	}
	if foreign == "" {
		return nil
	}
	// The list may be older than a plan that another task is just writing, but that
	// comes before any other name.
	if there, err := d.Exists(planName); !there {
		if err != nil {
			return err
		}
		return fmt.Errorf("make %s: %w: it holds %s but no %s", d.Root, ErrNotDataset, foreign, planName)
	}
	return nil
}

// openPlan writes the plan of a new dataset, or compares it with the one there.
func openPlan(d disk.Dir, h *header, shared bool) (*header, error) {
	if err := makeHidden(d); err != nil {
		return nil, err
	}
	if err := d.Sweep(shared); err != nil {
		return nil, err
	}
	there, err := readHeader(d)
	if errors.Is(err, ErrNotDataset) {
		err = d.Create(planName, h.encode())
		if err == nil || errors.Is(err, fs.ErrExist) { // of a task that was faster
			there, err = readHeader(d)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case there.hash != h.hash:
		return nil, &PlanError{d.Root, there.plan.Diff(h.plan)}
	}
	return there, makeFolders(d)
}

// resume finds out what is there and what is missing.
func (r *run) resume(games uint64) error {
	if r.o.Task.shared() {
		if err := r.checkTask(games); err != nil {
			return err
		}
	} else if err := finishSuperseding(r.d, r.h.plan); err != nil {
		return err
	}
	commits, err := readCommits(r.d, r.h)
	if err != nil {
		return err
	}
	if r.target, err = setTarget(r.d, commits, games, r.o.Task.shared()); err != nil {
		return err
	}
	if commits, err = r.retire(commits); err != nil {
		return err
	}
	e := Event{Kind: EventResumed}
	for _, c := range commits {
		if err := checkSizes(r.d, c); err != nil {
			return err
		}
		r.done.add(c)
		e.Games += c.Games
		e.Rows += c.Rows
	}
	if err := journal.Sweep(r.d, r.done.shards); err != nil {
		return err
	}
	r.notify(e)
	return nil
}

// makeShards makes the missing shards, several at once, in order.
func (r *run) makeShards(ctx context.Context) error {
	var missing []int
	for s := range r.h.plan.shards(r.target) {
		if !r.done.shards[s] && r.o.Task.has(s) {
			missing = append(missing, s)
		}
	}
	var next atomic.Int64
	g, inner := errgroup.WithContext(ctx)
	for range min(cmp.Or(r.o.Open, runtime.GOMAXPROCS(0)), len(missing)) {
		g.Go(func() error {
			m := r.maker()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(missing) || r.stop(nil) {
					return nil
				}
				if err := r.makeShard(inner, m, missing[i]); err != nil && !r.stop(err) {
					return err
				}
			}
		})
	}
	err := g.Wait()
	if cause := context.Cause(ctx); err != nil && cause != nil && (errors.Is(err, cause) || errors.Is(err, ctx.Err())) {
		return fmt.Errorf("%w: %w", ErrIncomplete, cause)
	}
	if err == nil {
		err = r.stopped
	}
	return err
}

// stop takes note if err means that games are not played any more, and reports
// whether that is so. It ends no other shard: each delivers what is under way.
func (r *run) stop(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var inner *ShardError
	if errors.Is(err, ErrIncomplete) && errors.As(err, &inner) && r.stopped == nil {
		r.stopped = inner.Err
	}
	return r.stopped != nil && (err == nil || errors.Is(err, ErrIncomplete))
}

func (r *run) maker() *shardMaker {
	return &shardMaker{
		d: r.d, h: r.h, play: r.o.Play, rows: r.o.Rows(), check: r.o.Check, build: r.o.Build, keep: !r.o.NoJournal, notify: r.notify,
		positions: encode.NewTable(r.h.description.Columns),
		games:     encode.NewTable(GameColumns()),
	}
}

func (r *run) makeShard(ctx context.Context, m *shardMaker, s int) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if done, err := r.madeByAnother(s); done || err != nil {
		return err
	}
	if err := r.begins(s); err != nil {
		return err
	}
	first, games := r.h.plan.games(s, r.target)
	c, err := m.make(ctx, s, first, games)
	r.mu.Lock()
	r.open--
	if err == nil {
		r.done.add(c)
		r.made++
	}
	r.mu.Unlock()
	if err != nil {
		return &ShardError{"make", s, err}
	}
	r.notify(Event{Kind: EventCommitted, Shard: s, Games: c.Games, Rows: c.Rows, Bytes: c.bytes()})
	return nil
}

// begins counts shard s as open, if there is room for it.
func (r *run) begins(s int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.checkSpace(); err != nil {
		return &ShardError{"make", s, err}
	}
	r.open++
	return nil
}

func (r *run) notify(e Event) {
	if r.o.Notify == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.o.Notify(e)
}

func (r *run) summary() Summary {
	return Summary{
		PlanHash: r.h.hash, Target: r.target, Made: r.made,
		Shards: len(r.done.shards), Games: r.done.games, Rows: r.done.rows, Bytes: r.done.bytes,
	}
}

// journaled returns how many games of the target are in journals of shards that this run
// has to make and has not.
func (r *run) journaled() (games uint64, err error) {
	names, err := r.d.List(journal.Folder)
	open := map[int]bool{}
	for _, name := range names {
		if s, ok := journal.ShardOf(name); ok && !r.done.shards[s] && s < r.h.plan.shards(r.target) && r.o.Task.has(s) {
			open[s] = true
		}
	}
	for s := range open {
		first, n := r.h.plan.games(s, r.target)
		kept, bad := journal.Read(r.d, r.h.hash, s, first, first+n)
		games += uint64(len(kept))
		err = errors.Join(err, bad)
	}
	return games, err
}

// finalize writes the derived files of all that is committed.
func (r *run) finalize() error {
	commits, err := readCommits(r.d, r.h)
	if err != nil {
		return err
	}
	return finalize(r.d, r.h, commits)
}

func (c *Commit) bytes() int64 { return c.Files[positionsFile].Bytes + c.Files[gamesFile].Bytes }
