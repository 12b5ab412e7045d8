package checking

import (
	"errors"
	"io/fs"

	"selfplay/datasets/derived"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// checkDocuments compares the documents with their sums in the manifest.
func (v *verifier) checkDocuments(stored record.StoredManifest) {
	if stored.Documents[0] != record.SumDocument(plan.FileName, v.h.Encode()) {
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
	for _, f := range derived.Files(m, v.h) {
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
