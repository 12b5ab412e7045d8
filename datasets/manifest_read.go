package datasets

import (
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// readManifest reads the manifest of a dataset. The error is fs.ErrNotExist if there is
// none.
func readManifest(d disk.Dir) (*manifest, error) {
	var files []manifestShard
	m, _, err := scanManifest(d, func(s manifestShard, _ entrySum) { files = append(files, s) })
	if err != nil {
		return nil, err
	}
	m.Files = files
	return m, nil
}

// errAboutChanged: see manifest.aboutChanged.
var errAboutChanged = fault.Corrupt("title, licence, creator, date or url differ from those in %s", plan.ManifestName)

// aboutChanged reports whether About in plan.json was changed after the manifest was
// written. The plan hash does not cover it.
func (m *manifest) aboutChanged(h *plan.File) bool {
	return m.About != h.About && m.Documents[0] != sumDocument(plan.FileName, h.Encode())
}

func errNotCommitted(shard int) error { return fault.Corrupt("shard %05d has no commit record", shard) }

// sameTotals compares all members but Documents and Files. Documents may differ, if programs
// of two versions wrote the manifests.
func (m *manifest) sameTotals(other *manifest) bool {
	a, b := *m, *other
	a.Documents, b.Documents = nil, nil
	a.Files, b.Files = nil, nil
	return string(canonical.Marshal(a)) == string(canonical.Marshal(b))
}
