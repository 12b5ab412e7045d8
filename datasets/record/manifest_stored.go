package record

import (
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// StoredManifest is what remains in memory of the manifest on disk, or the error of reading
// it.
type StoredManifest struct {
	*Manifest            // without Files
	Entries   []entryKey // in the order of Files
	Sum       EntrySum   // of the file
	Err       error      // fs.ErrNotExist if there is none
}

// ReadStored reads the manifest on disk. What is wrong with it is in Err.
func ReadStored(d disk.Dir) StoredManifest { return readStored(d, func(Entry) {}) }

// readStored passes every entry of the manifest to each.
func readStored(d disk.Dir, each func(Entry)) (m StoredManifest) {
	m.Manifest, m.Sum, m.Err = ScanManifest(d, func(s Entry, sum EntrySum) {
		m.Entries = append(m.Entries, entryKey{s.Shard, s.Games, sum})
		each(s)
	})
	if m.Err != nil {
		return StoredManifest{Err: m.Err}
	}
	return m
}

// Shards returns the shards of the manifest.
func (m StoredManifest) Shards() map[int]bool {
	listed := make(map[int]bool, len(m.Entries))
	for _, e := range m.Entries {
		listed[e.Shard] = true
	}
	return listed
}

// IsCurrent reports whether the manifest describes all committed shards.
func (m StoredManifest) IsCurrent(h *plan.File, records *Set) bool {
	return records.All.Manifest(h).sameTotals(m.Manifest) && slices.EqualFunc(m.Entries, records.List, sameEntry)
}

// IsEarlier reports whether the manifest describes those committed shards that it lists. It
// may have been written before the others were made.
func (m StoredManifest) IsEarlier(h *plan.File, records *Set) bool {
	listed := m.Shards()
	of := slices.DeleteFunc(slices.Clone(records.List), func(r Shard) bool { return !listed[r.Shard] })
	return records.listed.Manifest(h).sameTotals(m.Manifest) && slices.EqualFunc(m.Entries, of, sameEntry)
}

func sameEntry(e entryKey, r Shard) bool { return e == r.entryKey }

// LostRecord returns ErrCorrupt if a shard of the manifest has no record, and names the first
// such shard.
func (m StoredManifest) LostRecord(records *Set) error {
	for _, e := range m.Entries {
		if _, found := records.find(e.Shard); !found {
			return errNotCommitted(e.Shard)
		}
	}
	return nil
}

// ReadSet reads all records in shard order and passes each one to each, which may be
// nil. stored is the manifest on disk.
func ReadSet(d disk.Dir, h *plan.File, stored StoredManifest, each func(*Commit)) (*Set, error) {
	r, listed := NewSet(h.Plan), stored.Shards()
	for c, err := range Each(d, h) {
		if err != nil {
			return nil, err
		}
		r.Add(c, listed[c.Shard])
		if each != nil {
			each(c)
		}
	}
	return r, nil
}

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

// ErrAboutChanged is explained at Manifest.AboutChanged.
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
