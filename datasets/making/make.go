// Package making makes datasets: Make plays the games of the missing shards, or takes them from a Source,
// and commits one shard after the other, several at once. It knows no game: the caller passes functions
// that play games and turn them into rows. Package datasets describes the life of a shard.
package making

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Make extends the dataset in root to games games and creates it if it does not exist.
// The same call resumes a run that was stopped or killed; committed shards are kept.
//
// Make returns when all its goroutines have ended. It holds the lock of the dataset while
// it runs: exclusively, or shared if Options.Task is set. In an object store no lock reaches other
// machines, so Make works as a task does, and may run there several times at once.
//
// The error is ErrIncomplete if ctx ended or Play was asked to stop; the others are
// ErrNoSpace, ErrPlanMismatch, ErrNotDataset, ErrNoRecords, ErrNotForTasks, ErrLocked,
// ErrNondeterminism, ErrUnsupported and ErrCorrupt, or plain errors of the disk and of
// Play. The summary is valid with any error that occurs while shards are made. If the
// run failed before that, Summary.Target is 0.
func Make(ctx context.Context, root string, p plan.Plan, games uint64, o Options) (Summary, error) {
	if games == 0 {
		return Summary{}, fmt.Errorf("make dataset: no games")
	}
	if most := plan.MaxShards * uint64(p.WithDefaults().ShardGames); games > most {
		return Summary{}, fmt.Errorf("make dataset: %d games: at most %d in %d shards", games, most, plan.MaxShards)
	}
	r, err := openRun(root, p, o)
	if err != nil {
		return Summary{}, explainNoSpace(explainEnd(ctx, err))
	}
	defer r.lock.Release()
	if err := r.resume(games); err != nil {
		return Summary{PlanHash: r.file.Hash}, explainNoSpace(explainEnd(ctx, err))
	}
	beats := r.startHeartbeat() // a run that is refused leaves none
	err = r.finish(r.discardDoubtful(ctx, r.makeShards(ctx)))
	s := r.summary()
	if errors.Is(err, fault.ErrIncomplete) {
		journaled, countErr := r.journaled()
		s.Journaled, err = plan.Total(journaled), cmp.Or(countErr, err)
		if s.Info != nil {
			s.Info.AddJournaled(journaled)
		}
	}
	err = explainNoSpace(err)
	r.endHeartbeat(beats, err)
	return s, err
}

// finish writes the derived files of a run that ended with err, unless the run failed or
// is a task. The only task of a dataset in a store writes them if it is done: other runs may
// have added shards to an unfinished dataset since. It returns err joined with its own error.
func (r *run) finish(err error) error {
	stopped := errors.Is(err, fault.ErrIncomplete)
	if !r.derives() || r.soleTask && err != nil || err != nil && !stopped {
		return err
	}
	finalizeErr := r.finalize()
	switch {
	case finalizeErr == nil, stopped && errors.Is(finalizeErr, fault.ErrCorrupt):
		return err // the run that completes the dataset decides about damage and reports it
	default:
		return finalizeErr // a stop is no excuse for it
	}
}

// Options are the inputs of a run besides the plan. Check, Open, Build and Notify affect
// no byte outside .selfplay/. Make does not change Options; the functions in it must not
// change while Make runs.
type Options struct {
	Play        datasets.Play
	Rows        func() datasets.RowFunc // returns a new RowFunc for a goroutine
	Description plan.Description
	About       plan.About        // used only when the dataset is created
	Check       record.CheckLevel // of new data files; CheckFull by default
	Answers     []record.Answers  // of approximate models of the plan, to fixed positions
	// Recheck, if it is set, asks the models of the players again before a shard is committed, and when the run is
	// stopped. If they have changed, it returns ErrNondeterminism: the games since the last check are discarded with
	// their journals. Several goroutines call it.
	Recheck    func(context.Context) error
	Networks   [][]byte // files of networks; those that the plan names are copied to the dataset
	OpenShards int      // shards made at once; 0 means GOMAXPROCS
	// AwaitIdle, if it is set, waits until Play has handed out all games of the open shards and can play more.
	// Shards then begin one by one, however many are open, and OpenShards does not count. It returns
	// false when its context ends.
	AwaitIdle func(ctx context.Context) bool
	Build     string // version of the program, for the commit records
	Task      Task   // the part of this process; the zero Task is everything
	NoJournal bool   // set it if games are cheap to get again: they are not journaled

	// Rebuild makes all shards of a dataset that was copied without .selfplay/ again, and
	// compares them with its files. Otherwise such a dataset is ErrNoRecords.
	Rebuild bool

	// MinFree is the number of bytes that must stay free on the disk: 0 for no limit,
	// DefaultMinFree for a value that fits the disk. It is checked before each shard.
	MinFree uint64

	// Notify receives the events of the run. Calls come from several goroutines, but
	// never two at once. It must not block. It may be nil.
	Notify func(status.Event)

	// Run returns the run as the program knows it, for the heartbeat. Any goroutine may call it. Without it a heartbeat
	// has the games that were played.
	Run func() status.Run

	Disk disk.FS // nil means that of the root; tests replace it
}

// Summary says what a run did and what the dataset contains now.
type Summary struct {
	PlanHash string
	Target   uint64 // games; larger than requested if more were committed already
	record.Totals
	Made      int    // shards that this run made
	Journaled uint64 // games in journals of unfinished shards; set if the run was stopped

	// Info is the dataset as the run left it; nil of a task and of a run that failed.
	Info *datasets.Info
}

// Task is the part of one process among several that make a dataset together. Task{i, n}
// makes the shards s with s mod n == i. Writing derived files is
// left to Finalize. The zero Task makes all shards. A task may be run twice, even at the
// same time.
type Task struct{ Index, Count int }

// shared reports whether the task shares the dataset with others.
func (t Task) shared() bool { return t.Count > 0 }

// has reports whether the task makes shard s.
func (t Task) has(s int) bool { return t.Count == 0 || s%t.Count == t.Index }

// run is one call of Make.
type run struct {
	d        disk.Dir
	file     *plan.File
	o        Options
	lock     *disk.Lock
	target   uint64
	soleTask bool // the only task of a dataset in a store, which also writes the derived files

	// known is what derived files follow from, if this run writes them and has no shard to make.
	known *record.Derivation

	info *datasets.Info // of the dataset, once its derived files are written

	mu        sync.Mutex // guards the fields below and calls of Options.Notify
	done      record.Totals
	begun     []int                // shards that this run began to make
	committed map[int]bool         // the shards of done that have all games of the target
	short     map[int]record.Shard // the others
	made      int

	planRestored bool  // plan.json was written again
	open         int   // shards being made
	stopped      error // is ErrIncomplete after Play was asked to stop

	played atomic.Uint64 // games that Play finished
}

// addShard counts a committed shard, in the place of a shorter one. The records of whole shards are not kept:
// those of 100,000 shards would take most of the memory of a run.
func (r *run) addShard(s record.Shard) {
	if before, found := r.short[s.Shard]; found {
		r.done.Remove(before)
		delete(r.short, s.Shard)
	}
	r.done.Add(s)
	if _, want := r.file.Plan.GamesOf(s.Shard, r.target); s.Games < want {
		r.short[s.Shard] = s
		return
	}
	r.committed[s.Shard] = true
}

func (r *run) notify(e status.Event) {
	if r.o.Notify == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.o.Notify(e)
}

func (r *run) summary() Summary {
	return Summary{PlanHash: r.file.Hash, Target: r.target, Totals: r.done, Made: r.made, Info: r.info}
}

// journaled returns the numbers of journaled games of the shards that this run should make
// and has not made, by shard. Games beyond the target do not count.
func (r *run) journaled() (map[int]uint64, error) {
	games, err := journal.NewCounter(r.d, r.file.Hash).Games()
	have := func(s int) uint64 { return r.short[s].Games }
	mine := func(s int) bool { return !r.committed[s] && r.o.Task.has(s) }
	return r.file.Plan.CountJournaled(r.target, games, have, mine), err
}

// derives reports whether the run writes the derived files.
func (r *run) derives() bool { return !r.o.Task.shared() || r.soleTask }

// finalize removes what extended shards have left, and writes the derived files of all committed shards.
func (r *run) finalize() error {
	known := r.known
	if known == nil {
		read, err := record.ReadDerivation(r.d, r.file, true)
		if err != nil {
			return err
		}
		known = &read
	}
	if err := checkListing(r.d, r.file, known.Records, r.target); err != nil {
		return err
	}
	if err := errors.Join(known.Records.DropReplaced(r.d, r.file.Plan), known.Write(r.d, r.file)); err != nil {
		return err
	}
	err := checkWritten(r.d, r.file, known.Records, r.target)
	if err == nil {
		info := datasets.InfoOf(r.file, known.Records, r.target)
		r.info = &info
		if info.Complete {
			r.d.DropRemoved()
		}
	}
	return err
}

// explainEnd adds ErrIncomplete to an error that follows from the end of ctx.
func explainEnd(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && cause != nil && (errors.Is(err, cause) || errors.Is(err, ctx.Err())) {
		return fmt.Errorf("%w: %w", fault.ErrIncomplete, cause)
	}
	return err
}

// missing returns the shards that this run has to make.
func (r *run) missing() (shards []int) {
	for s := range r.file.Plan.Shards(r.target) {
		if !r.committed[s] && r.o.Task.has(s) {
			shards = append(shards, s)
		}
	}
	return shards
}

// makeShards makes the missing shards in order, several at once.
func (r *run) makeShards(ctx context.Context) error {
	missing := r.missing()
	if r.o.AwaitIdle != nil {
		return r.endOfShards(ctx, r.makeOnDemand(ctx, missing))
	}
	var next atomic.Int64
	g, groupCtx := goroutine.WithContext(ctx)
	for range min(cmp.Or(r.o.OpenShards, runtime.GOMAXPROCS(0)), len(missing)) {
		g.Go(func() error { return r.makeNext(groupCtx, missing, &next) })
	}
	return r.endOfShards(ctx, g.Wait())
}

// endOfShards returns the error of makeShards.
func (r *run) endOfShards(ctx context.Context, err error) error {
	err = explainEnd(ctx, err)
	if err == nil {
		err = r.stopped
	}
	return err
}

// makeNext makes one missing shard after the other until none is left or the run is
// stopped. Several goroutines share next.
func (r *run) makeNext(ctx context.Context, missing []int, next *atomic.Int64) error {
	m := r.newMaker()
	for {
		i := int(next.Add(1)) - 1
		if i >= len(missing) || r.noteStop(nil) {
			return nil
		}
		if err := r.makeShard(ctx, m, missing[i]); err != nil && !r.noteStop(err) {
			return err
		}
	}
}

// noteStop records that Play was asked to stop, if err says so. It reports whether the
// run is stopped and err is not another failure. Open shards are not cancelled: each
// still journals the games that it has under way.
func (r *run) noteStop(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var inner *fault.ShardError
	if errors.Is(err, fault.ErrIncomplete) && errors.As(err, &inner) && r.stopped == nil {
		r.stopped = inner.Err
	}
	return r.stopped != nil && (err == nil || errors.Is(err, fault.ErrIncomplete))
}

func (r *run) newMaker() *shardMaker {
	return &shardMaker{
		d: r.d, file: r.file, play: r.o.Play, rows: r.o.Rows(), check: r.o.Check, build: r.o.Build, recheck: r.o.Recheck,
		journaled: !r.o.NoJournal, notify: r.notify, played: &r.played, batch: batchRows(r.file.Plan.Format),
	}
}

// makeShard makes or extends shard s, unless another task has committed it.
func (r *run) makeShard(ctx context.Context, m *shardMaker, s int) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	short, done, err := r.recordOf(s)
	if done || err != nil {
		return err
	}
	first, games := r.file.Plan.GamesOf(s, r.target)
	if err := checkBelowTarget(r.d, first+games); err != nil {
		return &fault.ShardError{Op: "make", Shard: s, Err: err}
	}
	if err := r.beginShard(s); err != nil {
		return err
	}
	c, err := m.make(ctx, short, s, first, games)
	r.endShard(c, err)
	switch {
	case r.isExtended(short, err):
		return r.makeShard(ctx, m, s)
	case err != nil:
		return &fault.ShardError{Op: "make", Shard: s, Err: err}
	}
	e := status.Event{Kind: status.EventCommitted, Shard: s, Games: c.Games, Rows: c.Rows, Bytes: c.Bytes()}
	if short != nil {
		e.Games, e.Rows, e.Bytes = e.Games-short.Games, e.Rows-short.Rows, e.Bytes-short.Bytes()
	}
	r.notify(e)
	return nil
}

// beginShard counts shard s as open if the disk has room for it.
func (r *run) beginShard(s int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.checkSpace(); err != nil {
		return &fault.ShardError{Op: "make", Shard: s, Err: err}
	}
	r.open++
	r.begun = append(r.begun, s)
	return nil
}

// endShard counts a shard as closed, and as committed if err is nil.
func (r *run) endShard(c *record.Commit, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open--
	if err == nil {
		r.addShard(c.Fact())
		r.made++
	}
}

// Games that wait for a model are played by the hundred. Several shards are then open at once, and a long
// game keeps its shard open while others begin. The number of open shards is bounded by the games at once:
// a shard begins only when those before it have no game left to hand out.

// makeOnDemand makes the missing shards. Each begins when Play can play more games.
func (r *run) makeOnDemand(ctx context.Context, missing []int) error {
	g, groupCtx := goroutine.WithContext(ctx)
	idle := new(makers)
	for i, s := range missing {
		if i > 0 && !r.o.AwaitIdle(groupCtx) || r.noteStop(nil) {
			break
		}
		begun := make(chan struct{})
		g.Go(func() error { return r.makeOne(groupCtx, idle, s, sync.OnceFunc(func() { close(begun) })) })
		<-begun
	}
	err := g.Wait()
	if err == nil && ctx.Err() != nil {
		return context.Cause(ctx) // maybe AwaitIdle ended before the last shard began
	}
	return err
}

// makeOne makes a shard. It calls begun when Play has its games, or at the end.
func (r *run) makeOne(ctx context.Context, idle *makers, s int, begun func()) error {
	defer begun()
	m := idle.take()
	if m == nil {
		m = r.newMaker()
	}
	m.play = playAfter(begun, r.o.Play)
	err := r.makeShard(ctx, m, s)
	if err != nil && !r.noteStop(err) {
		return err
	}
	idle.put(m)
	return nil
}

// playAfter returns a Play that calls begun first.
func playAfter(begun func(), play datasets.Play) datasets.Play {
	return func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		begun()
		return play(ctx, games, journal, sink)
	}
}

// makers holds those that make no shard now, to reuse their memory.
type makers struct {
	mu   sync.Mutex
	list []*shardMaker
}

// take returns a maker, nil if there is none.
func (i *makers) take() *shardMaker {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := len(i.list)
	if n == 0 {
		return nil
	}
	m := i.list[n-1]
	i.list = i.list[:n-1]
	return m
}

func (i *makers) put(m *shardMaker) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.list = append(i.list, m)
}

// startHeartbeat begins to write the heartbeat of a run. Call it under the lock.
func (r *run) startHeartbeat() *status.Heartbeat {
	return status.StartHeartbeat(r.d, r.o.Build, r.look)
}

// look returns the state of the run for its heartbeat.
func (r *run) look() (s status.Run) {
	if r.o.Run != nil {
		s = r.o.Run()
	}
	s.TaskCount, s.TaskIndex, s.Played = r.o.Task.Count, nil, r.played.Load()
	if s.TaskCount > 0 {
		s.TaskIndex = &r.o.Task.Index
	}
	return s
}

// endHeartbeat says in the heartbeat how the run ended. A complete dataset keeps no
// heartbeats: all its files are then equal, whatever happened on the way.
func (r *run) endHeartbeat(h *status.Heartbeat, err error) {
	switch {
	case errors.Is(err, fault.ErrIncomplete) && !errors.Is(err, fault.ErrUnanswered):
		h.End(status.Stopped, err)
	case err != nil:
		h.End(status.Failed, err)
	default:
		h.End(status.Done, nil)
		if r.derives() {
			_ = status.ClearBeats(r.d) // they do no harm
		}
	}
}
