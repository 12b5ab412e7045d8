package record

import (
	"slices"

	"selfplay/datasets/disk"
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

func ReadStored(d disk.Dir) (m StoredManifest) {
	m.Manifest, m.Sum, m.Err = ScanManifest(d, func(s Entry, sum EntrySum) {
		m.Entries = append(m.Entries, entryKey{s.Shard, s.Games, sum})
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
