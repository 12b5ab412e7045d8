package making

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/derived"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
)

// openRun takes the lock of the dataset in root. It reads the plan, or writes it if the
// dataset is new.
func openRun(root string, p plan.Plan, o Options) (*run, error) {
	d, err := o.dir(root)
	if err != nil {
		return nil, err
	}
	h, err := plan.New(p, o.Description, o.About)
	if err != nil {
		return nil, err
	}
	r := &run{d: d, o: o, committed: map[int]bool{}, short: map[int]record.Shard{}}
	if d.IsStore() && !o.Task.shared() {
		r.o.Task, r.soleTask = Task{Index: 0, Count: 1}, true
	}
	if err := cmp.Or(CheckNested(d.String()), refuseForeign(r.d), record.CheckFolders(r.d)); err != nil {
		return nil, err
	}
	if err := o.checkRebuild(r.d, h); err != nil {
		return nil, err
	}
	if err := o.checkAnswers(r.d, h); err != nil {
		return nil, err
	}
	networks, err := o.networksOf(r.d, h.Plan)
	if err != nil {
		return nil, err
	}
	if err := r.d.FS.MkdirAll(r.d.Path(disk.Hidden)); err != nil {
		return nil, err
	}
	if r.lock, err = disk.Acquire(r.d, r.o.Task.shared()); err != nil {
		return nil, err
	}
	r.d.Owner = r.lock.Owner()
	if r.h, err = openPlan(r.d, h, networks, r.o.Task.shared()); err == nil {
		err = o.keepAnswers(r.d)
	}
	if err != nil {
		r.lock.Release()
		return nil, err
	}
	return r, nil
}

// dir returns the directory of the dataset in root.
func (o *Options) dir(root string) (disk.Dir, error) {
	if o.Disk != nil {
		return disk.Dir{Root: root, FS: o.Disk}, nil
	}
	return disk.At(root)
}

// refuseForeign refuses a directory that holds files but no plan.
func refuseForeign(d disk.Dir) error {
	names, err := d.List(".")
	if err != nil {
		return err
	}
	var foreign string
	for _, name := range names {
		if name == plan.FileName {
			return nil
		}
		if !strings.HasPrefix(name, ".") && name != plan.NetworksFolder { // written before the plan
			foreign = name
		}
	}
	if foreign == "" {
		return nil
	}
	// Another task may have created the dataset since the directory was listed. It writes
	// the plan before any other visible name, so look for the plan once more.
	if found, err := d.Exists(plan.FileName); !found {
		if err != nil {
			return err
		}
		return fmt.Errorf("make %s: %w: it holds %s but no %s", d, fault.ErrNotDataset, foreign, plan.FileName)
	}
	return nil
}

// openPlan writes the plan of a new dataset, or compares it with the existing one.
func openPlan(d disk.Dir, h *plan.File, networks map[string][]byte, shared bool) (*plan.File, error) {
	if err := record.MakeHidden(d); err != nil {
		return nil, err
	}
	if err := d.Sweep(shared); err != nil {
		return nil, err
	}
	found, err := plan.Read(d)
	if errors.Is(err, fault.ErrNotDataset) {
		if err = placeNetworks(d, h.Plan, networks); err == nil {
			found, err = h, d.Create(plan.FileName, h.Encode())
		}
		if errors.Is(err, fs.ErrExist) { // another task was faster
			found, err = plan.Read(d)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case found.Hash != h.Hash:
		return nil, datasets.NewPlanError(d, found, h.Plan)
	}
	return found, errors.Join(placeNetworks(d, h.Plan, networks), record.MakeFolders(d))
}

// checkRebuild returns ErrNoRecords for a copy without .selfplay/, unless Options.Rebuild
// is set.
func (o *Options) checkRebuild(d disk.Dir, h *plan.File) error {
	if o.Rebuild {
		return nil
	}
	if missing, err := record.HasNoBookkeeping(d); !missing {
		return err
	}
	if found, err := plan.Read(d); err != nil || found.Hash != h.Hash {
		return err // openPlan refuses another plan
	}
	return fmt.Errorf("make %s: %w", d, datasets.ErrNoRecords)
}

// resume determines the committed and the missing shards.
func (r *run) resume(games uint64) error {
	kept, err := r.readRecords(games)
	if r.o.Task.shared() && errors.Is(err, fault.ErrCorrupt) {
		kept, err = r.readRecords(games) // what another task was extending looks like damage for a moment
	}
	if err != nil {
		return err
	}
	for _, k := range kept {
		r.addShard(k)
	}
	if err := journal.Sweep(r.d, r.committed); err != nil {
		return err
	}
	e := status.Event{
		Kind: status.EventResumed, Shards: len(r.committed), Games: r.done.Games, Rows: r.done.Rows, Bytes: r.done.Bytes,
		Target: r.target,
	}
	if len(r.missing()) > 0 {
		r.known = nil
	}
	e.Share, e.Missing = r.share()
	if !r.o.NoJournal {
		if e.Journaled, err = r.journaled(); err != nil {
			return err
		}
	}
	r.notify(e)
	return nil
}

// share returns the games of the shards of this run, and those of them that are not committed.
func (r *run) share() (games, missing uint64) {
	for s := range r.h.Plan.Shards(r.target) {
		if !r.o.Task.has(s) {
			continue
		}
		_, n := r.h.Plan.GamesOf(s, r.target)
		games += n
		if !r.committed[s] {
			missing += n - r.short[s].Games
		}
	}
	return games, missing
}

// readRecords checks the commit records and the sizes of their files, sets the target and returns the records.
func (r *run) readRecords(games uint64) ([]record.Shard, error) {
	shared := r.o.Task.shared()
	if shared {
		if err := r.checkTask(games); err != nil {
			return nil, err
		}
	}
	known, err := derived.Read(r.d, r.h, r.derives())
	if err != nil {
		return nil, err
	}
	records := known.Records
	if err := record.CheckManifest(r.d, r.h, known.Stored, records); err != nil {
		return nil, err
	}
	if r.derives() {
		r.known = &known
	}
	r.target = max(games, records.End(r.h.Plan))
	if !shared { // a task never lowers the target
		if err := r.dropAbandoned(known); err != nil {
			return nil, err
		}
	}
	if err := record.SetTarget(r.d, r.target, shared); err != nil {
		return nil, err
	}
	return records.List, record.CheckAllSizes(r.d, r.h.Plan, records.List)
}

// dropAbandoned removes the files that a killed run published beyond the new target.
func (r *run) dropAbandoned(known derived.Derivation) error {
	before, err := record.ReadStoredTarget(r.d)
	if err != nil && !errors.Is(err, fault.ErrCorrupt) { // SetTarget decides about a damaged target
		return err
	}
	names, err := known.Records.Abandoned(r.d, r.h.Plan, known.Stored, before.Games, r.target)
	return errors.Join(err, record.DropFiles(r.d, names))
}
