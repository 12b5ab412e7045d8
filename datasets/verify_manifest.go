package datasets

import (
	"errors"
	"io/fs"
	"slices"

	"selfplay/datasets/internal/fault"
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
	case stored.aboutChanged(v.ds.h):
		v.problem(ProblemPlan, noShard, PlanName, errAboutChanged)
		return false
	case records.all.manifest(v.ds.h).sameTotals(stored.manifest) && slices.Equal(stored.entries, records.list):
		v.checkDocuments(stored)
		return true
	default:
		err = v.checkEarlier(stored, records)
	}
	if err != nil && v.unchanged(stored) {
		v.problem(ProblemManifest, noShard, manifestName, err)
		v.reportDisputes(stored, records)
	}
	return false
}

// checkEarlier checks a manifest of an earlier state: all its shards must still be
// committed, and their totals must agree.
func (v *verifier) checkEarlier(stored storedManifest, records *recordSet) error {
	listed := stored.shards()
	of := slices.DeleteFunc(slices.Clone(records.list), func(r shardRecord) bool { return !listed[r.shard] })
	if len(of) < len(listed) {
		return stored.lostRecord(records)
	}
	if !records.listed.manifest(v.ds.h).sameTotals(stored.manifest) || !slices.Equal(stored.entries, of) {
		return fault.Corrupt("differs from the commit records")
	}
	return nil
}

// lostRecord names the first shard of the manifest that has no record.
func (m storedManifest) lostRecord(records *recordSet) error {
	games := records.games()
	for _, e := range m.entries {
		if _, ok := games[e.shard]; !ok {
			return errNotCommitted(e.shard)
		}
	}
	return nil
}

// reportDisputes reports the shards about which the manifest and their records disagree. It
// reads both again, as Verify keeps only their sums.
func (v *verifier) reportDisputes(stored storedManifest, records *recordSet) {
	if stored.err != nil || stored.PlanHash != v.ds.h.hash {
		return
	}
	sums := map[int]entrySum{}
	for _, r := range records.list {
		sums[r.shard] = r.sum
	}
	_, _, _ = scanManifest(v.ds.d, func(s manifestShard, sum entrySum) {
		if recorded, ok := sums[s.Shard]; !ok || recorded == sum {
			return
		}
		if c, err := readCommit(v.ds.d, v.ds.h, s.Shard); err == nil && s != c.manifestShard() {
			v.problem(ProblemManifest, s.Shard, commitName(s.Shard), s.dispute(c))
		}
	})
}

// unchanged reports whether the manifest on disk is still the stored one, or still cannot
// be read. A writer replaces the manifest before it replaces the files that the manifest
// lists, so a changed manifest explains differences.
func (v *verifier) unchanged(stored storedManifest) bool {
	_, sum, err := scanManifest(v.ds.d, func(manifestShard, entrySum) {})
	if stored.err != nil || err != nil {
		return stored.err != nil && err != nil && !errors.Is(err, fs.ErrNotExist)
	}
	return sum == stored.sum
}
