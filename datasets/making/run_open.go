package making

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"selfplay/datasets"
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
	file, err := plan.New(p, o.Description, o.About)
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
	if err := o.checkRebuild(r.d, file); err != nil {
		return nil, err
	}
	if err := o.checkAnswers(r.d, file); err != nil {
		return nil, err
	}
	networks, err := o.networksOf(r.d, file.Plan)
	if err != nil {
		return nil, err
	}
	if err := r.d.FS.MkdirAll(r.d.Path(disk.Hidden)); err != nil {
		return nil, err
	}
	r.lock, err = disk.Acquire(r.d, r.o.Task.shared())
	if err != nil {
		return nil, err
	}
	r.d.Owner = r.lock.Owner()
	r.file, r.planRestored, err = openPlan(r.d, file, networks, r.o.Task.shared())
	if err == nil {
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
	if records, err := d.List(plan.CommitsFolder); len(records) > 0 || err != nil {
		return err // openPlan decides about a dataset that has lost its plan
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

// openPlan writes the plan of a new dataset, or compares it with the existing one. A plan that is damaged, missing
// or of another dataset is replaced by file, if records and manifest vouch for it.
func openPlan(d disk.Dir, file *plan.File, networks map[string][]byte, shared bool) (found *plan.File, restored bool, err error) {
	if err := record.MakeHidden(d); err != nil {
		return nil, false, err
	}
	if err := d.Sweep(shared); err != nil {
		return nil, false, err
	}
	found, err = plan.Read(d)
	if errors.Is(err, fault.ErrNotDataset) {
		err = placeNetworks(d, file.Plan, networks)
		if err == nil {
			found, err = file, d.Create(plan.FileName, file.Encode())
		}
		if errors.Is(err, fs.ErrExist) { // another task was faster
			found, err = plan.Read(d)
		}
	}
	if err == nil && found.Hash != file.Hash {
		err = datasets.NewPlanError(d, found, file.Plan)
	}
	if !shared && (errors.Is(err, fault.ErrCorrupt) || errors.Is(err, datasets.ErrPlanMismatch)) {
		if restored, err = restorePlan(d, file, err); restored && err == nil {
			found, err = plan.Read(d)
		}
	}
	if err != nil {
		return nil, false, err
	}
	return found, restored, errors.Join(placeNetworks(d, file.Plan, networks), record.MakeFolders(d))
}

// restorePlan writes plan.json again if records and manifest vouch for it, and keeps the file that was there. Otherwise it
// returns why, the reason for which the plan cannot be used.
func restorePlan(d disk.Dir, file *plan.File, why error) (restored bool, err error) {
	w, m, err := record.ReadPlanWitnesses(d, file)
	if err != nil || !w.Vouch() {
		return false, cmp.Or(err, why)
	}
	now := *file
	if m != nil && m.PlanHash == file.Hash {
		now.About = m.About
	}
	if err := d.SetAside(plan.FileName); err != nil {
		return false, err
	}
	return true, d.Create(plan.FileName, now.Encode())
}

// checkRebuild returns ErrNoRecords for a copy without .selfplay/, unless Options.Rebuild
// is set.
func (o *Options) checkRebuild(d disk.Dir, file *plan.File) error {
	if o.Rebuild {
		return nil
	}
	if missing, err := record.HasNoBookkeeping(d); !missing {
		return err
	}
	if found, err := plan.Read(d); err != nil || found.Hash != file.Hash {
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
	e.PlanRestored = r.planRestored
	if e.NoJournals, err = journal.Unreadable(r.d); err != nil {
		return err
	}
	if !r.o.NoJournal {
		e.Journaled, err = r.journaled()
		if err != nil {
			return err
		}
	}
	r.notify(e)
	return nil
}

// share returns the games of the shards of this run, and those of them that are not committed.
func (r *run) share() (games, missing uint64) {
	for s := range r.file.Plan.Shards(r.target) {
		if !r.o.Task.has(s) {
			continue
		}
		_, n := r.file.Plan.GamesOf(s, r.target)
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
	known, err := record.ReadDerivation(r.d, r.file, r.derives())
	if err != nil {
		return nil, err
	}
	records := known.Records
	if err := record.CheckManifest(r.d, r.file, known.Stored, records); err != nil {
		return nil, err
	}
	if r.derives() {
		r.known = &known
	}
	r.target = max(games, records.End(r.file.Plan))
	if !shared { // a task never lowers the target
		if err := r.dropAbandoned(known); err != nil {
			return nil, err
		}
	}
	if err := record.SetTarget(r.d, r.target, shared); err != nil {
		return nil, err
	}
	return records.List, record.CheckAllSizes(r.d, r.file.Plan, records.List)
}

// dropAbandoned removes the files that a killed run published beyond the new target.
func (r *run) dropAbandoned(known record.Derivation) error {
	before, err := record.ReadStoredTarget(r.d)
	if err != nil && !errors.Is(err, fault.ErrCorrupt) { // SetTarget decides about a damaged target
		return err
	}
	names, err := known.Records.Abandoned(r.d, r.file.Plan, known.Stored, before.Games, r.target)
	return errors.Join(err, record.DropFiles(r.d, names))
}

// checkTask refuses runs that tasks cannot do. Tasks that extend a shard on a disk need the same number of games: no
// lock keeps one of them from replacing the record of another.
func (r *run) checkTask(games uint64) error {
	t, size := r.o.Task, uint64(r.file.Plan.ShardGames)
	if t.Index < 0 || t.Index >= t.Count {
		return fmt.Errorf("make task %d of %d: %w: want an index from 0 to %d", t.Index, t.Count, datasets.ErrNotForTasks, t.Count-1)
	}
	if games%size != 0 && !r.soleTask {
		return fmt.Errorf("make task: %d games: %w: want a multiple of %d, the games of a shard", games, datasets.ErrNotForTasks, size)
	}
	return nil
}

// recordOf returns the record of shard s, which the run makes or extends, nil if it has none. done reports that
// another task has committed the shard with all games; it is added to the totals then.
func (r *run) recordOf(s int) (c *record.Commit, done bool, err error) {
	r.mu.Lock()
	_, short := r.short[s]
	r.mu.Unlock()
	if !short && !r.o.Task.shared() {
		return nil, false, nil
	}
	c, err = record.ReadWhole(r.d, r.file, s)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addShard(c.Fact())
	return c, r.committed[s], nil
}

// isExtended reports whether another task has replaced a record and removed the files of the shorter shard, so that
// err says that they are gone.
func (r *run) isExtended(c *record.Commit, err error) bool {
	if c == nil || !disk.IsGone(err) {
		return false
	}
	now, readErr := record.Read(r.d, r.file, c.Shard)
	return readErr == nil && now.Games > c.Games
}

// Remaining returns the number of games that a run of task t for games games would play,
// and the number of their shards. The games of a short shard are not played again.
func Remaining(p plan.Plan, t Task, committed []*record.Commit, games uint64) (n uint64, shards int) {
	games = max(games, record.EndOf(committed))
	have := map[int]uint64{}
	for _, c := range committed {
		have[c.Shard] = c.Games
	}
	for _, s := range record.Missing(p, committed, games) {
		if t.has(s) {
			_, want := p.GamesOf(s, games)
			n += want - have[s]
			shards++
		}
	}
	return n, shards
}

// networksOf returns the given files by their sums. It returns an error if a file that the
// plan names is neither given nor in the dataset: nothing has been written yet.
func (o *Options) networksOf(d disk.Dir, p plan.Plan) (files map[string][]byte, err error) {
	files = map[string][]byte{}
	for _, data := range o.Networks {
		files[plan.SumOfNetwork(data)] = data
	}
	for _, sum := range p.Networks {
		if files[sum] != nil {
			continue
		}
		if _, err := plan.ReadNetwork(d, sum); err != nil {
			return nil, fmt.Errorf("make %s: %w", d.String(), err)
		}
	}
	return files, nil
}

// placeNetworks writes the networks of the plan that the dataset lacks, and checks the others.
func placeNetworks(d disk.Dir, p plan.Plan, files map[string][]byte) error {
	if len(p.Networks) == 0 {
		return nil
	}
	if err := d.MakeFolders(plan.NetworksFolder); err != nil {
		return err
	}
	for _, sum := range p.Networks {
		found, err := d.Exists(plan.NetworkName(sum))
		if err == nil && !found {
			err = d.Create(plan.NetworkName(sum), files[sum])
			if errors.Is(err, fs.ErrExist) { // another task was faster
				err = nil
			}
		}
		if err == nil {
			_, err = plan.ReadNetwork(d, sum)
		}
		if err != nil {
			return err
		}
	}
	return d.FS.SyncDir(d.Root)
}

// ErrNested means that a directory lies inside a dataset, where a dataset of its own would
// damage the outer one.
var ErrNested = errors.New("inside another dataset")

// CheckNested returns ErrNested if a directory, which need not exist, lies inside a dataset. It
// follows links. In an object store it asks for the plan below each shorter prefix.
func CheckNested(dir string) error {
	if disk.IsURL(dir) {
		return checkNestedURL(dir)
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for parent := resolve(full); parent != filepath.Dir(parent); {
		parent = filepath.Dir(parent)
		if isDataset(parent) {
			return fmt.Errorf("make %s: %w: %s", dir, ErrNested, parent)
		}
	}
	return nil
}

// checkNestedURL is CheckNested in an object store. Datasets in other buckets are no matter.
func checkNestedURL(url string) error {
	d, err := disk.At(url)
	if err != nil {
		return err
	}
	scheme, rest, _ := strings.Cut(d.URL, "://")
	for parent := path.Dir(rest); parent != "."; parent = path.Dir(parent) {
		outer, err := disk.At(scheme + "://" + parent)
		if err != nil {
			return err
		}
		found, err := isStoredDataset(outer)
		if err != nil {
			return err
		}
		if found {
			return fmt.Errorf("make %s: %w: %s", d, ErrNested, outer)
		}
	}
	return nil
}

// isStoredDataset is isDataset in an object store. It reads the plan, because the answer to a read says
// what is wrong with credentials.
func isStoredDataset(d disk.Dir) (bool, error) {
	if _, err := d.ReadFile(plan.FileName); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return false, err
	}
	for _, name := range []string{plan.TargetName, plan.ManifestName} {
		if found, err := d.Exists(name); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// resolve follows the links in a path as far as it exists.
func resolve(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) && path != filepath.Dir(path) {
		return filepath.Join(resolve(filepath.Dir(path)), filepath.Base(path))
	}
	if err != nil {
		return path
	}
	return real
}

// isDataset reports whether a folder has the plan of a dataset, and bookkeeping or a
// manifest.
func isDataset(dir string) bool {
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	return has(plan.FileName) && (has(disk.Hidden) || has(plan.ManifestName))
}
