package record

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// The manifest and the commit records are two witnesses of the same shards. If they
// disagree, neither is proof against the other, and writing either one would erase the
// evidence of the damage.

// CheckManifest compares the stored manifest with the plan and with the records of the
// shards that both know. It returns nil if there is no readable manifest, since a missing or
// damaged one testifies to nothing. The error is ErrUnsupported if another program wrote the
// manifest, and ErrCorrupt if it contradicts the plan or a record.
func CheckManifest(d disk.Dir, h *plan.File, stored StoredManifest, records *Set) error {
	switch {
	case errors.Is(stored.Err, fs.ErrNotExist), errors.Is(stored.Err, fault.ErrCorrupt):
		return nil
	case stored.Err != nil:
		return &fault.FileError{Op: "read", Path: plan.ManifestName, Err: stored.Err}
	case stored.AboutChanged(h):
		return &fault.FileError{Op: "read", Path: plan.FileName, Err: ErrAboutChanged}
	}
	if disputes := stored.Disputes(d, h, records); len(disputes) > 0 {
		return disputes[0]
	}
	return stored.checkTotals(h, records)
}

// Disputes returns an error for each committed shard that the manifest describes in another
// way than its record, in the order of the manifest. If there are any, it reads manifest and
// records again, because only their sums are in memory.
func (m StoredManifest) Disputes(d disk.Dir, h *plan.File, records *Set) (list []*fault.ShardError) {
	if m.PlanHash != h.Hash || !slices.ContainsFunc(m.Entries, records.dispute) {
		return nil // checkTotals reports another plan: the whole manifest is wrong
	}
	_, _, _ = ScanManifest(d, func(s Entry, sum EntrySum) {
		if !records.dispute(entryKey{s.Shard, s.Games, sum}) {
			return
		}
		if c, err := Read(d, h, s.Shard); err == nil && !s.equal(c.Entry()) {
			list = append(list, &fault.ShardError{Op: "compare", Shard: s.Shard, Err: s.dispute(c)})
		}
	})
	return list
}

// dispute reports whether the shard of an entry has a record that says something else.
func (r *Set) dispute(e entryKey) bool {
	found, ok := r.find(e.Shard)
	return ok && found.entryKey != e
}

// dispute names the first fact of a shard in which the manifest and a record differ.
func (s Entry) dispute(c *Commit) error {
	said, recorded := s.facts(), c.Entry().facts()
	i := 0
	for i < min(len(said), len(recorded))-1 && said[i] == recorded[i] {
		i++
	}
	return fault.Corrupt("%s says %s, but %s says %s", plan.ManifestName, said[i], plan.CommitName(c.Shard), recorded[i])
}

// facts lists everything that the manifest says about a shard, as text.
func (s Entry) facts() []string {
	list := []string{fmt.Sprintf("%d games from %d", s.Games, s.FirstGame), fmt.Sprintf("%d files", len(s.Files))}
	for _, f := range s.Files {
		list = append(list, f.Name, fmt.Sprintf("%d bytes in %s", f.Bytes, f.Name), fmt.Sprintf("%d rows in %s", f.Rows, f.Name),
			fmt.Sprintf("SHA-256 %.12s of %s", f.SHA256, f.Name), fmt.Sprintf("row digest %.12s of %s", f.RowDigest, f.Name))
	}
	return list
}

// checkTotals compares the totals of the manifest with the records of its shards. It returns
// nil if one of the records is lost: then there is nothing to compare with.
func (m StoredManifest) checkTotals(h *plan.File, records *Set) error {
	if m.PlanHash != h.Hash {
		return &fault.FileError{Op: "read", Path: plan.ManifestName, Err: fault.Corrupt("plan hash %.12s, but %s has %.12s", m.PlanHash, plan.FileName, h.Hash)}
	}
	if m.LostRecord(records) != nil || m.IsEarlier(h, records) {
		return nil
	}
	return &fault.FileError{Op: "read", Path: plan.ManifestName, Err: errOtherTotals}
}

// errOtherTotals: the sums over all shards contradict the records, though no entry of a
// shard does.
var errOtherTotals = fault.Corrupt("its totals differ from the records in %s", plan.CommitsFolder)

// CheckReplaceable returns an error if the stored manifest must stay: CheckManifest finds a
// reason, or it is the only evidence of a lost shard.
func CheckReplaceable(d disk.Dir, h *plan.File, stored StoredManifest, records *Set) error {
	err := CheckManifest(d, h, stored, records)
	if err == nil {
		if err = stored.LostRecord(records); err != nil {
			err = &fault.FileError{Op: "write", Path: plan.ManifestName, Err: err}
		}
	}
	return err
}
