package datasets

import (
	"selfplay/datasets/disk"
)

// storedManifest is what Verify keeps of the manifest on disk, or the error of reading it.
type storedManifest struct {
	*manifest               // without Files
	entries   []shardRecord // in the order of Files
	sum       entrySum      // of the file
	err       error
}

func readStoredManifest(d disk.Dir) (m storedManifest) {
	m.manifest, m.sum, m.err = scanManifest(d, func(s manifestShard, sum entrySum) {
		m.entries = append(m.entries, shardRecord{s.Shard, s.Games, sum})
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
