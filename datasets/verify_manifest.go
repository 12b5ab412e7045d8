package datasets

import (
	"errors"
	"io/fs"

	"selfplay/datasets/internal/fault"
)

// storedManifest is the manifest on disk, or the error of reading it.
type storedManifest struct {
	*manifest
	err error
}

// checkDerived checks the derived files and reports whether they describe the committed
// shards. m is the manifest that the records give; stored was read before the records.
// Until a run ends, the derived files are missing or describe an earlier state.
func (v *verifier) checkDerived(m *manifest, stored storedManifest, commits []*Commit) (current bool) {
	err := stored.err
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
	case stored.aboutChanged(v.ds.h):
		v.problem(ProblemPlan, noShard, PlanName, errAboutChanged)
		return false
	case m.agrees(stored.manifest):
		v.checkDocuments(stored.manifest)
		return true
	default:
		err = v.checkEarlier(stored.manifest, commits)
	}
	if err != nil && v.unchanged(stored.manifest) {
		v.problem(ProblemManifest, noShard, manifestName, err)
		v.reportDisputes(stored.manifest, commits)
	}
	return false
}

// checkEarlier checks a manifest of an earlier state: all its shards must still be
// committed, and their totals must agree.
func (v *verifier) checkEarlier(stored *manifest, commits []*Commit) error {
	if err := stored.allCommitted(commits); err != nil {
		return err
	}
	if !newManifest(v.ds.h, stored.listed(commits)).agrees(stored) {
		return fault.Corrupt("differs from the commit records")
	}
	return nil
}

// reportDisputes reports the shards about which the manifest and their records disagree.
func (v *verifier) reportDisputes(stored *manifest, commits []*Commit) {
	if stored == nil {
		return
	}
	for _, err := range stored.disputes(v.ds.h, commits) {
		var shard *ShardError
		if errors.As(err, &shard) {
			v.problem(ProblemManifest, shard.Shard, commitName(shard.Shard), shard.Err)
		}
	}
}

// unchanged reports whether the manifest on disk is still m, where nil means that it could
// not be read. A writer replaces the manifest before it replaces the files that the
// manifest lists, so a changed manifest explains differences.
func (v *verifier) unchanged(m *manifest) bool {
	now, err := readManifest(v.ds.d)
	if m == nil || err != nil {
		return m == nil && err != nil && !errors.Is(err, fs.ErrNotExist)
	}
	return string(now.encode()) == string(m.encode())
}

// checkDocuments compares the documents with their sums in the manifest.
func (v *verifier) checkDocuments(stored *manifest) {
	if stored.Documents[0] != sumDocument(PlanName, v.ds.h.encode()) {
		v.problem(ProblemManifest, noShard, manifestName, fault.Corrupt("wrong sum of %s", PlanName))
	}
	for _, want := range stored.Documents[1:] {
		data, err := v.ds.d.ReadFile(want.Name)
		switch {
		case err == nil && sumDocument(want.Name, data) == want, !v.unchanged(stored):
		case err != nil:
			v.problem(ProblemCard, noShard, want.Name, err)
		case v.isCurrentText(stored, want.Name, data):
			v.problem(ProblemManifest, noShard, manifestName, fault.Corrupt("wrong sum of %s", want.Name))
		default:
			v.problem(ProblemCard, noShard, want.Name, fault.Corrupt("differs from its sum in %s", manifestName))
		}
	}
}

// isCurrentText reports whether a document is exactly what this program would write. Then
// the document is right, and its sum is wrong.
func (v *verifier) isCurrentText(m *manifest, name string, data []byte) bool {
	for _, f := range m.derived(v.ds.h) {
		if f.name == name {
			return string(f.data) == string(data)
		}
	}
	return false
}
