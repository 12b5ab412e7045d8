package datasets

import (
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// storedManifest is what remains in memory of the manifest on disk, or the error of reading
// it.
type storedManifest struct {
	*manifest              // without Files
	entries   []shardEntry // in the order of Files
	sum       entrySum     // of the file
	err       error        // fs.ErrNotExist if there is none
}

func readStoredManifest(d disk.Dir) (m storedManifest) {
	m.manifest, m.sum, m.err = scanManifest(d, func(s manifestShard, sum entrySum) {
		m.entries = append(m.entries, shardEntry{s.Shard, s.Games, sum})
	})
	if m.err != nil {
		return storedManifest{err: m.err}
	}
	return m
}

// shards returns the shards of the manifest.
func (m storedManifest) shards() map[int]bool {
	listed := make(map[int]bool, len(m.entries))
	for _, e := range m.entries {
		listed[e.shard] = true
	}
	return listed
}

// isCurrent reports whether the manifest describes all committed shards.
func (m storedManifest) isCurrent(h *plan.File, records *recordSet) bool {
	return records.all.manifest(h).sameTotals(m.manifest) && slices.EqualFunc(m.entries, records.list, sameEntry)
}

// isEarlier reports whether the manifest describes those committed shards that it lists. It
// may have been written before the others were made.
func (m storedManifest) isEarlier(h *plan.File, records *recordSet) bool {
	listed := m.shards()
	of := slices.DeleteFunc(slices.Clone(records.list), func(r shardRecord) bool { return !listed[r.shard] })
	return records.listed.manifest(h).sameTotals(m.manifest) && slices.EqualFunc(m.entries, of, sameEntry)
}

func sameEntry(e shardEntry, r shardRecord) bool { return e == r.shardEntry }

// lostRecord returns ErrCorrupt if a shard of the manifest has no record, and names the first
// such shard.
func (m storedManifest) lostRecord(records *recordSet) error {
	for _, e := range m.entries {
		if _, found := records.find(e.shard); !found {
			return errNotCommitted(e.shard)
		}
	}
	return nil
}
