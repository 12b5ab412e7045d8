package datasets

import (
	"errors"
	"io/fs"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// checkDerived checks the derived files and reports whether they describe the committed
// shards. stored was read before the records. Until a run ends, the derived files are
// missing or describe an earlier state.
func (v *verifier) checkDerived(stored storedManifest, records *recordSet) (current bool) {
	err := stored.err
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
	case stored.aboutChanged(v.h):
		v.problem(ProblemPlan, noShard, plan.FileName, errAboutChanged)
		return false
	case stored.isCurrent(v.h, records):
		v.checkDocuments(stored)
		return true
	default:
		err = v.checkEarlier(stored, records)
	}
	if err != nil && v.unchanged(stored) {
		v.problem(ProblemManifest, noShard, plan.ManifestName, err)
		v.reportDisputes(stored, records)
	}
	return false
}

// checkEarlier checks a manifest of an earlier state: all its shards must still be
// committed, and their totals must agree.
func (v *verifier) checkEarlier(stored storedManifest, records *recordSet) error {
	if err := stored.lostRecord(records); err != nil {
		return err
	}
	if !stored.isEarlier(v.h, records) {
		return fault.Corrupt("differs from the commit records")
	}
	return nil
}

// reportDisputes reports the shards about which the manifest and their records disagree.
func (v *verifier) reportDisputes(stored storedManifest, records *recordSet) {
	if stored.err != nil {
		return
	}
	for _, d := range stored.disputes(v.d, v.h, records) {
		v.problem(ProblemManifest, d.Shard, plan.CommitName(d.Shard), d.Err)
	}
}

// unchanged reports whether the manifest on disk is still the stored one, or still cannot
// be read. A writer replaces the manifest before it replaces the files that the manifest
// lists, so a changed manifest explains differences.
func (v *verifier) unchanged(stored storedManifest) bool {
	_, sum, err := scanManifest(v.d, func(manifestShard, entrySum) {})
	if stored.err != nil || err != nil {
		return stored.err != nil && err != nil && !errors.Is(err, fs.ErrNotExist)
	}
	return sum == stored.sum
}
