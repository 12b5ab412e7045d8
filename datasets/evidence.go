package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// The manifest and the commit records are two witnesses of the same shards. If they
// disagree, neither is proof against the other, and writing either one would erase the
// evidence of the damage.

// checkManifest compares the stored manifest with the plan and with the records of the
// shards that both know. It returns nil if there is no readable manifest, since a missing or
// damaged one testifies to nothing. The error is ErrUnsupported if a newer program wrote the
// manifest, and ErrCorrupt if it contradicts the plan or a record.
func checkManifest(d disk.Dir, h *header, commits []*Commit) (*manifest, error) {
	stored, err := readManifest(d)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrCorrupt):
		return nil, nil
	case err != nil:
		return nil, &FileError{Op: "read", Path: manifestName, Err: err}
	case stored.aboutChanged(h):
		return nil, &FileError{Op: "read", Path: PlanName, Err: errAboutChanged}
	}
	if disputes := stored.disputes(h, commits); len(disputes) > 0 {
		return nil, disputes[0]
	}
	return stored, stored.checkTotals(h, commits)
}

// disputes returns an error for each committed shard that the manifest describes in another
// way than its record, in the order of the manifest. Each one is a *ShardError.
func (m *manifest) disputes(h *header, commits []*Commit) (list []error) {
	if m.PlanHash != h.hash {
		return nil // checkTotals reports it: the whole manifest is wrong
	}
	committed := map[int]*Commit{}
	for _, c := range commits {
		committed[c.Shard] = c
	}
	for _, s := range m.Files {
		if c := committed[s.Shard]; c != nil && s != c.manifestShard() {
			list = append(list, &ShardError{"compare", s.Shard, s.dispute(c)})
		}
	}
	return list
}

// dispute names the first fact of a shard in which the manifest and a record differ.
func (s manifestShard) dispute(c *Commit) error {
	said, recorded := s.facts(), c.manifestShard().facts()
	i := 0
	for i < len(said)-1 && said[i] == recorded[i] {
		i++
	}
	return fault.Corrupt("%s says %s, but %s says %s", manifestName, said[i], commitName(c.Shard), recorded[i])
}

// facts lists everything that the manifest says about a shard, as text.
func (s manifestShard) facts() []string {
	list := []string{"split " + s.Split, fmt.Sprintf("%d games from %d", s.Games, s.FirstGame)}
	for _, f := range s.files() {
		list = append(list, f.Name, fmt.Sprintf("%d bytes in %s", f.Bytes, f.Name), fmt.Sprintf("%d rows in %s", f.Rows, f.Name),
			fmt.Sprintf("SHA-256 %.12s of %s", f.SHA256, f.Name), fmt.Sprintf("row digest %.12s of %s", f.RowDigest, f.Name))
	}
	return list
}

// checkTotals compares the totals of the manifest with the records of its shards. It returns
// nil if one of the records is lost: then there is nothing to compare with.
func (m *manifest) checkTotals(h *header, commits []*Commit) error {
	if m.PlanHash != h.hash {
		return &FileError{Op: "read", Path: manifestName, Err: fault.Corrupt("plan hash %.12s, but %s has %.12s", m.PlanHash, PlanName, h.hash)}
	}
	if m.allCommitted(commits) != nil || newManifest(h, m.listed(commits)).agrees(m) {
		return nil
	}
	return &FileError{Op: "read", Path: manifestName, Err: errOtherTotals}
}

// errOtherTotals: the sums over all shards contradict the records, though no entry of a
// shard does.
var errOtherTotals = fault.Corrupt("its totals differ from the records in %s", commitsName)

// listed returns the records of the shards that are in the manifest.
func (m *manifest) listed(commits []*Commit) []*Commit {
	listed := map[int]bool{}
	for _, s := range m.Files {
		listed[s.Shard] = true
	}
	return slices.DeleteFunc(slices.Clone(commits), func(c *Commit) bool { return !listed[c.Shard] })
}
