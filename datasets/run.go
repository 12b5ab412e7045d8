package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"selfplay/encode"
)

// run is one call of Make.
type run struct {
	d      dir
	h      *header
	o      Options
	lock   *lock
	target uint64

	mu      sync.Mutex // guards commits and Notify
	commits map[int]*Commit
	made    int
}

// begin takes the lock and reads or writes the plan.
func begin(root string, plan Plan, o Options) (*run, error) {
	h, err := newHeader(plan, o.Description, o.About)
	if err != nil {
		return nil, err
	}
	r := &run{d: dir{root, o.disk}, o: o, commits: map[int]*Commit{}}
	if r.d.disk == nil {
		r.d.disk = osDisk{}
	}
	if err := refuseForeign(r.d); err != nil {
		return nil, err
	}
	if err := r.d.disk.MkdirAll(r.d.path(hiddenName)); err != nil {
		return nil, err
	}
	if r.lock, err = acquire(r.d.path(lockName)); err != nil {
		return nil, err
	}
	if r.h, err = openPlan(r.d, h); err != nil {
		r.lock.release()
		return nil, err
	}
	return r, nil
}

// newHeader completes a plan with what follows from the description.
func newHeader(p Plan, d Description, a About) (*header, error) {
	if err := checkColumns(d.Columns); err != nil {
		return nil, err
	}
	p = p.WithDefaults().clone()
	p.Columns = columnNames(d.Columns)
	p.Description = d.Hash()
	a.Date = cmp.Or(a.Date, defaultDate)
	a.Title = cmp.Or(a.Title, d.Title+" self-play")
	return &header{p, p.Hash(), d, a}, p.Validate()
}

// refuseForeign refuses a directory that holds something else than a dataset.
func refuseForeign(d dir) error {
	names, err := d.list(".")
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
	if foreign != "" {
		return fmt.Errorf("make %s: %w: it holds %s but no %s", d.root, ErrNotDataset, foreign, planName)
	}
	return nil
}

// openPlan writes the plan of a new dataset, or compares it with the one there.
func openPlan(d dir, h *header) (*header, error) {
	if err := d.makeFolders(); err != nil {
		return nil, err
	}
	if err := d.sweep(); err != nil {
		return nil, err
	}
	there, err := readHeader(d)
	switch {
	case errors.Is(err, ErrNotDataset):
		return h, d.create(planName, h.encode())
	case err != nil:
		return nil, err
	case there.hash != h.hash:
		return nil, &PlanError{d.root, there.plan.Diff(h.plan)}
	}
	return there, nil
}

// resume finds out what is there and what is missing.
func (r *run) resume(games uint64) error {
	if err := finishRetiring(r.d, r.h.plan); err != nil {
		return err
	}
	commits, err := readCommits(r.d, r.h)
	if err != nil {
		return err
	}
	if r.target, err = setTarget(r.d, commits, games); err != nil {
		return err
	}
	if commits, err = retireShort(r.d, r.h.plan, commits, r.target); err != nil {
		return err
	}
	e := Event{Kind: Resumed}
	for _, c := range commits {
		if err := checkSizes(r.d, c); err != nil {
			return err
		}
		r.commits[c.Shard] = c
		e.Games += c.Games
		e.Rows += c.Rows
	}
	r.notify(e)
	return nil
}

// makeShards makes the missing shards, several at once, in order.
func (r *run) makeShards(ctx context.Context) error {
	var missing []int
	for s := range r.h.plan.shards(r.target) {
		if r.commits[s] == nil {
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
				if i >= len(missing) {
					return nil
				}
				if err := r.makeShard(inner, m, missing[i]); err != nil {
					return err
				}
			}
		})
	}
	err := g.Wait()
	if cause := context.Cause(ctx); err != nil && cause != nil && (errors.Is(err, cause) || errors.Is(err, ctx.Err())) {
		return fmt.Errorf("%w: %w", ErrIncomplete, cause)
	}
	return err
}

func (r *run) maker() *shardMaker {
	return &shardMaker{
		d: r.d, h: r.h, play: r.o.Play, rows: r.o.Rows(), check: r.o.Check, build: r.o.Build, notify: r.notify,
		positions: encode.NewTable(r.h.description.Columns),
		games:     encode.NewTable(GameColumns()),
	}
}

func (r *run) makeShard(ctx context.Context, m *shardMaker, s int) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	first, games := r.h.plan.games(s, r.target)
	c, err := m.make(ctx, s, first, games)
	if err != nil {
		return &ShardError{"make", s, err}
	}
	r.mu.Lock()
	r.commits[s] = c
	r.made++
	r.mu.Unlock()
	r.notify(Event{Kind: Committed, Shard: s, Games: c.Games, Rows: c.Rows, Bytes: c.bytes()})
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

// sorted returns the commits by shard.
func (r *run) sorted() []*Commit {
	var list []*Commit
	for s := range r.h.plan.shards(r.target) {
		if c := r.commits[s]; c != nil {
			list = append(list, c)
		}
	}
	return list
}

func (r *run) summary() Summary {
	s := Summary{PlanHash: r.h.hash, Target: r.target, Made: r.made}
	for _, c := range r.sorted() {
		s.Shards++
		s.Games += c.Games
		s.Rows += c.Rows
		s.Bytes += c.bytes()
	}
	return s
}

func (c *Commit) bytes() int64 { return c.Files[positionsFile].Bytes + c.Files[gamesFile].Bytes }
