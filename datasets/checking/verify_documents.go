package checking

import (
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
