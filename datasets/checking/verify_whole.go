package checking

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/internal/goroutine"
)

// checkWhole checks everything but the content of the data files: plan, target, files
// without a record, and derived files. files are the data files found on disk.
func (v *verifier) checkWhole(stored record.StoredManifest, files []string, records *record.Set) {
	if err := v.checkCanonical(plan.FileName, v.file.Encode()); err != nil {
		v.problem(ProblemPlan, noShard, plan.FileName, err)
	}
	v.report.Totals = records.All.Totals
	v.checkFolders()
	v.checkBookkeeping()
	v.checkNetworks()
	v.checkAnswers()
	if v.isRead(plan.CommitsFolder) {
		v.checkShardList(stored, files, records)
	}
}

// checkShardList compares target, data files and derived files with the list of the committed
// shards. All records must have been read: the shard of any other one would seem to be lost.
func (v *verifier) checkShardList(stored record.StoredManifest, files []string, records *record.Set) {
	r := v.report
	target, err := record.CheckTarget(v.d, v.file.Plan, records.End(v.file.Plan))
	if err != nil {
		v.problem(ProblemTarget, noShard, plan.TargetName, err)
	}
	if v.isRead(plan.TargetName) {
		r.Missing = records.Missing(v.file.Plan, target)
		v.checkUnrecorded(files, records, target)
	}
	current := v.checkDerived(stored, records)
	r.Complete = current && target > 0 && len(r.Missing) == 0
}

// checkUnrecorded reports data files that no record names. Those of a missing shard are
// pending: the next run compares them with what it makes. Those of a shard that has more games by now are
// leftovers.
func (v *verifier) checkUnrecorded(files []string, records *record.Set, target uint64) {
	for _, name := range files {
		switch records.StateOf(v.file.Plan, name, target) {
		case record.Recorded:
		case record.Pending:
			v.report.Pending = append(v.report.Pending, name)
		case record.Replaced:
			v.report.Leftovers = append(v.report.Leftovers, name)
		default:
			v.problem(ProblemForeign, noShard, name, fault.Corrupt("no record names this file"))
		}
	}
}

// checkBookkeeping lists temporary files, but for those of a process that is seen to be alive by its lease.
func (v *verifier) checkBookkeeping() {
	live := map[string]bool{}
	for _, name := range v.list(disk.TempFolder) {
		owner, _, _ := strings.Cut(name, ".")
		if _, probed := live[owner]; !probed {
			live[owner] = disk.ProbeLease(v.d, owner) == disk.LeaseHeld
		}
		if !live[owner] {
			v.report.Leftovers = append(v.report.Leftovers, path.Join(disk.TempFolder, name))
		}
	}
}

// checkAnswers reports answers of approximate models that are missing, although the dataset has games, or damaged.
func (v *verifier) checkAnswers() {
	for _, e := range v.file.Plan.Evaluators {
		if !e.Approximate {
			continue
		}
		_, err := record.ReadAnswers(v.d, e.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			v.problem(ProblemAnswers, noShard, record.AnswersName(e.Name), err)
		}
	}
}

// checkNetworks reports networks that are missing or damaged, and other files beside them.
func (v *verifier) checkNetworks() {
	p := v.file.Plan
	for _, sum := range p.Networks {
		if _, err := plan.ReadNetwork(v.d, sum); err != nil {
			v.problem(ProblemNetwork, noShard, plan.NetworkName(sum), err)
		}
	}
	for _, name := range v.list(plan.NetworksFolder) {
		if sum, ok := strings.CutSuffix(name, plan.NetworkSuffix); !ok || !slices.Contains(p.Networks, sum) {
			v.problem(ProblemForeign, noShard, path.Join(plan.NetworksFolder, name), fault.Corrupt("the plan does not name this network"))
		}
	}
}

// readRecords reads all commit records, several at once, and reports the invalid ones.
func (v *verifier) readRecords(ctx context.Context, stored record.StoredManifest) (*record.Set, error) {
	r, listed := record.NewSet(v.file.Plan), stored.Shards()
	err := parallel(ctx, v.recordNames(), func(s int) {
		c, err := record.Read(v.d, v.file, s)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it is being repaired
		case err != nil:
			v.problem(ProblemRecord, s, plan.CommitName(s), err)
			if other := new(record.OtherPlanError); errors.As(err, &other) {
				v.askWitness(plan.CommitName(s), other.Hash)
			}
		default:
			v.askWitness(plan.CommitName(s), c.Plan)
			r.Add(c, listed[s])
		}
	})
	r.Sort()
	return r, err
}

// askWitness counts the plan hash of an intact record or manifest.
func (v *verifier) askWitness(file, hash string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.plan.Add(file, hash, v.file)
}

// recordNames returns the shards that have a record, and reports files that are none.
func (v *verifier) recordNames() (shards []int) {
	for _, name := range v.list(plan.CommitsFolder) {
		s, ok := plan.ShardOfRecord(name)
		if !ok {
			v.problem(ProblemForeign, noShard, path.Join(plan.CommitsFolder, name), record.ErrName)
			continue
		}
		shards = append(shards, s)
	}
	return shards
}

// parallel calls do for every shard, for up to GOMAXPROCS at once. It returns the cause of
// ctx when ctx ends, and a panic of do as an error.
func parallel[S any](ctx context.Context, shards []S, do func(s S)) error {
	g := goroutine.New()
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range shards {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			do(s)
			return nil
		})
	}
	return cmp.Or(g.Wait(), context.Cause(ctx))
}

// checkDerived checks the derived files and reports whether they describe the committed
// shards. stored was read before the records. Until a run ends, the derived files are
// missing or describe an earlier state.
func (v *verifier) checkDerived(stored record.StoredManifest, records *record.Set) (current bool) {
	err := stored.Err
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
	case stored.AboutChanged(v.file):
		v.problem(ProblemPlan, noShard, plan.FileName, record.ErrAboutChanged)
		return false
	case stored.IsCurrent(v.file, records):
		v.checkDocuments(stored)
		return true
	default:
		err = v.checkEarlier(stored, records)
	}
	if err != nil && v.unchanged(stored) {
		v.problem(ProblemManifest, noShard, plan.ManifestName, err)
		v.reportConflicts(stored, records)
	}
	return false
}

// checkEarlier checks a manifest of an earlier state: all its shards must still be
// committed, and their totals must agree.
func (v *verifier) checkEarlier(stored record.StoredManifest, records *record.Set) error {
	if err := stored.LostRecord(records); err != nil {
		return err
	}
	if !stored.IsEarlier(v.file, records) {
		return fault.Corrupt("differs from the commit records")
	}
	return nil
}

// reportConflicts reports the shards about which the manifest and their records disagree.
func (v *verifier) reportConflicts(stored record.StoredManifest, records *record.Set) {
	if stored.Err != nil {
		return
	}
	for _, d := range stored.Conflicts(v.d, v.file, records) {
		v.problem(ProblemManifest, d.Shard, plan.CommitName(d.Shard), d.Err)
	}
}

// checkDocuments compares the documents with their sums in the manifest.
func (v *verifier) checkDocuments(stored record.StoredManifest) {
	if stored.Documents[0] != record.SumDocument(plan.FileName, v.file.Encode()) {
		v.problem(ProblemManifest, noShard, plan.ManifestName, fault.Corrupt("wrong sum of %s", plan.FileName))
	}
	for _, want := range stored.Documents[1:] {
		found, err := record.SumStored(v.d, want.Name)
		switch {
		case err == nil && found == want, !v.unchanged(stored):
		case err != nil:
			v.problem(ProblemCard, noShard, want.Name, err)
		case v.isCurrentText(found):
			v.problem(ProblemManifest, noShard, plan.ManifestName, fault.Corrupt("wrong sum of %s", want.Name))
		default:
			v.problem(ProblemCard, noShard, want.Name, fault.Corrupt("differs from its sum in %s", plan.ManifestName))
		}
	}
}

// isCurrentText reports whether a document is exactly what this program would write. Then
// the document is right, and its sum is wrong. Most manifests need no such check, so it
// reads the whole manifest for it.
func (v *verifier) isCurrentText(found record.DocumentSum) bool {
	m, err := record.ReadManifest(v.d)
	if err != nil {
		return false
	}
	for _, f := range record.DerivedFiles(m, v.file) {
		if f.DocumentSum == found {
			return true
		}
	}
	return false
}

// unchanged reports whether the manifest on disk is still the stored one, or still cannot
// be read. A writer replaces the manifest before it replaces the files that the manifest
// lists, so a changed manifest explains differences.
func (v *verifier) unchanged(stored record.StoredManifest) bool {
	_, sum, err := record.ScanManifest(v.d, func(record.Entry, record.EntrySum) {})
	if stored.Err != nil || err != nil {
		return stored.Err != nil && err != nil && !errors.Is(err, fs.ErrNotExist)
	}
	return sum == stored.Sum
}

// The names of a dataset and of its folder for bookkeeping, without those that begin with a dot.
var (
	rootNames   = []string{plan.FileName, plan.ManifestName, plan.CardName, plan.CroissantName, plan.Positions, plan.Games, plan.NetworksFolder}
	hiddenNames = baseNames(plan.CommitsFolder, plan.AnswersFolder, journal.Folder, plan.RunsFolder, disk.TempFolder,
		disk.RemovedFolder, plan.TargetName, disk.LockName, plan.FailuresName, disk.ProbeName)
)

func baseNames(names ...string) (list []string) {
	for _, name := range names {
		list = append(list, path.Base(name))
	}
	return list
}

// checkFolders reports files that neither a run nor any other command puts where they are. What a
// killed run leaves has names of its own, and is none of them.
func (v *verifier) checkFolders() {
	among := func(names []string) func(string) bool {
		return func(name string) bool { return slices.Contains(names, name) }
	}
	v.checkNames(".", among(rootNames))
	v.checkNames(journal.Folder, journal.IsName)
	v.checkJournals()
	v.checkNames(plan.RunsFolder, status.IsBeatName)
	var answers []string
	for _, e := range v.file.Plan.Evaluators {
		if e.Approximate {
			answers = append(answers, path.Base(record.AnswersName(e.Name)))
		}
	}
	v.checkNames(plan.AnswersFolder, among(answers))
	v.checkNames(disk.Hidden, among(hiddenNames))
}

// checkJournals reports what has the name of a journal, and is none.
func (v *verifier) checkJournals() {
	bad, _ := journal.Unreadable(v.d) // checkNames reports a folder that cannot be read
	for name, err := range bad {
		v.problem(ProblemForeign, noShard, name, err)
	}
}

// checkNames reports the files of a folder that are not expected there.
func (v *verifier) checkNames(folder string, expected func(name string) bool) {
	for _, name := range v.list(folder) {
		if !expected(name) {
			v.problem(ProblemForeign, noShard, path.Join(folder, name), errUnexpected)
		}
	}
}

var errUnexpected = fault.Corrupt("no file of a dataset has this name")
