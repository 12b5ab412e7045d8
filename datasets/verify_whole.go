package datasets

import (
	"errors"
	"io/fs"
	"path"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"slices"
)

// whole checks the dataset as a whole: plan, totals, files without a record, and the
// derived files. The manifest, or why there is none, was read before all else.
func (v *verifier) whole(there *manifest, bad error, files []string, commits []*Commit) {
	if err := v.asWritten(planName, v.ds.h.encode()); err != nil {
		v.problem(ProblemPlan, noShard, planName, err)
	}
	m := newManifest(v.ds.h, commits)
	r := v.report
	r.Shards, r.Games, r.Rows, r.Bytes = m.Shards, m.Games, m.Rows, m.Bytes
	target, err := checkTarget(v.ds.d, v.ds.h.plan, commits)
	if err != nil {
		v.problem(ProblemTarget, noShard, targetName, err)
	}
	r.Missing = missingShards(v.ds.h.plan, commits, target)
	v.extra(files, commits)
	v.bookkeeping()
	current := v.derived(m, there, bad, commits)
	r.Complete = current && target > 0 && len(r.Missing) == 0
}

// extra reports files that no record names. Those of a missing shard are
// pending: the next run compares them with what it makes.
func (v *verifier) extra(files []string, commits []*Commit) {
	known := map[string]bool{}
	for _, c := range commits {
		for _, f := range c.Files {
			known[f.Name] = true
		}
	}
	pending := map[string]bool{}
	for _, s := range v.report.Missing {
		pending[v.ds.h.plan.dataName(positionsName, s)] = true
		pending[v.ds.h.plan.dataName(gamesName, s)] = true
	}
	for _, name := range files {
		switch {
		case known[name]:
		case pending[name]:
			v.report.Pending = append(v.report.Pending, name)
		default:
			v.problem(ProblemForeign, noShard, name, fault.Corrupt("no record names this file"))
		}
	}
}

// bookkeeping looks at shards that are being replaced and at files that are being
// written.
func (v *verifier) bookkeeping() {
	for _, name := range v.list(supersededName) {
		_, ok := shardOf(name)
		if name = path.Join(supersededName, name); !ok {
			v.problem(ProblemForeign, noShard, name, fault.Corrupt("not a shard's record"))
			continue
		}
		v.report.Leftovers = append(v.report.Leftovers, name)
	}
	for _, name := range v.list(disk.TempFolder) {
		v.report.Leftovers = append(v.report.Leftovers, path.Join(disk.TempFolder, name))
	}
}

// derived checks the derived files and reports whether they are of the present state,
// as the manifest tells, which was read before the records. Until a run has come to its
// end they are of an earlier one, or missing.
func (v *verifier) derived(m, there *manifest, err error, commits []*Commit) (current bool) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
	case there.otherAbout(v.ds.h):
		v.problem(ProblemPlan, noShard, planName, errOtherAbout)
		return false
	case m.agrees(there):
		v.documents(there)
		return true
	default:
		err = v.earlier(there, commits)
	}
	if err != nil && v.unchanged(there) {
		v.problem(ProblemManifest, noShard, manifestName, err)
	}
	return false
}

// unchanged reports whether the manifest is still the one that was read, nil if it could
// not be: a writer replaces it before it replaces what it tells of.
func (v *verifier) unchanged(m *manifest) bool {
	now, err := readManifest(v.ds.d)
	if m == nil || err != nil {
		return m == nil && err != nil && !errors.Is(err, fs.ErrNotExist)
	}
	return string(now.encode()) == string(m.encode())
}

// documents checks the sums of the documents.
func (v *verifier) documents(there *manifest) {
	if there.Documents[0] != sumDocument(planName, v.ds.h.encode()) {
		v.problem(ProblemManifest, noShard, manifestName, fault.Corrupt("the sum of %s is another", planName))
	}
	for _, want := range there.Documents[1:] {
		data, err := v.ds.d.ReadFile(want.Name)
		switch {
		case err == nil && sumDocument(want.Name, data) == want, !v.unchanged(there):
		case err != nil:
			v.problem(ProblemCard, noShard, want.Name, err)
		case v.isOwn(there, want.Name, data):
			v.problem(ProblemManifest, noShard, manifestName, fault.Corrupt("the sum of %s is another", want.Name))
		default:
			v.problem(ProblemCard, noShard, want.Name, fault.Corrupt("differs from its sum in %s", manifestName))
		}
	}
}

// isOwn reports whether a document is as this program writes it: then it is right
// whatever its sum.
func (v *verifier) isOwn(m *manifest, name string, data []byte) bool {
	for _, f := range m.derived(v.ds.h) {
		if f.name == name {
			return string(f.data) == string(data)
		}
	}
	return false
}

// earlier checks the manifest of an earlier state: every shard in it is committed still.
func (v *verifier) earlier(old *manifest, commits []*Commit) error {
	if err := old.allCommitted(commits); err != nil {
		return err
	}
	had := map[int]bool{}
	for _, s := range old.Files {
		had[s.Shard] = true
	}
	then := slices.DeleteFunc(slices.Clone(commits), func(c *Commit) bool { return !had[c.Shard] })
	if !newManifest(v.ds.h, then).agrees(old) {
		return fault.Corrupt("differs from the commit records")
	}
	return nil
}
