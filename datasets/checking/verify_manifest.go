package checking

import (
	"errors"
	"io/fs"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// checkDerived checks the derived files and reports whether they describe the committed
// shards. stored was read before the records. Until a run ends, the derived files are
// missing or describe an earlier state.
func (v *verifier) checkDerived(stored record.StoredManifest, records *record.Set) (current bool) {
	err := stored.Err
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
	case stored.AboutChanged(v.h):
		v.problem(ProblemPlan, noShard, plan.FileName, record.ErrAboutChanged)
		return false
	case stored.IsCurrent(v.h, records):
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
func (v *verifier) checkEarlier(stored record.StoredManifest, records *record.Set) error {
	if err := stored.LostRecord(records); err != nil {
		return err
	}
	if !stored.IsEarlier(v.h, records) {
		return fault.Corrupt("differs from the commit records")
	}
	return nil
}

// reportDisputes reports the shards about which the manifest and their records disagree.
func (v *verifier) reportDisputes(stored record.StoredManifest, records *record.Set) {
	if stored.Err != nil {
		return
	}
	for _, d := range stored.Disputes(v.d, v.h, records) {
		v.problem(ProblemManifest, d.Shard, plan.CommitName(d.Shard), d.Err)
	}
}
