package record

import (
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// ReadManifest reads the manifest of a dataset. The error is fs.ErrNotExist if there is
// none.
func ReadManifest(d disk.Dir) (*Manifest, error) {
	var files []Entry
	m, _, err := ScanManifest(d, func(s Entry, _ EntrySum) { files = append(files, s) })
	if err != nil {
		return nil, err
	}
	m.Files = files
	return m, nil
}

// ErrAboutChanged: see manifest.AboutChanged.
var ErrAboutChanged = fault.Corrupt("title, licence, creator, date or url differ from those in %s", plan.ManifestName)

// AboutChanged reports whether About in plan.json was changed after the manifest was
// written. The plan hash does not cover it.
func (m *Manifest) AboutChanged(h *plan.File) bool {
	return m.About != h.About && m.Documents[0] != SumDocument(plan.FileName, h.Encode())
}

func errNotCommitted(shard int) error { return fault.Corrupt("shard %05d has no commit record", shard) }

// sameTotals compares all members but Documents and Files. Documents may differ, if programs
// of two versions wrote the manifests.
func (m *Manifest) sameTotals(other *Manifest) bool {
	a, b := *m, *other
	a.Documents, b.Documents = nil, nil
	a.Files, b.Files = nil, nil
	return string(canonical.Marshal(a)) == string(canonical.Marshal(b))
}
