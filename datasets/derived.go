package datasets

import (
	"errors"
	"io/fs"

	"selfplay/datasets/disk"
)

// derivedFile is a file that follows from the plan and the commit records.
type derivedFile struct {
	name string
	data []byte
}

// derived returns the derived files in the order in which they are written. The manifest
// comes last, because it vouches for the others.
func (m *manifest) derived(h *header) []derivedFile {
	files := []derivedFile{{cardName, m.card(h)}, {croissantName, m.croissant(h)}}
	complete := *m
	complete.Documents = []documentSum{sumDocument(PlanName, h.encode())}
	for _, f := range files {
		complete.Documents = append(complete.Documents, sumDocument(f.name, f.data))
	}
	return append(files, derivedFile{manifestName, complete.encode()})
}

// writeDerived writes the derived files that are missing or different. If documents
// change, it first removes the manifest that vouches for the old ones. It refuses to
// replace a manifest that lists shards without a record: nothing else knows of them.
func writeDerived(d disk.Dir, h *header, commits []*Commit) error {
	if len(commits) == 0 {
		return nil
	}
	if err := checkReplaceable(d, h, commits); err != nil {
		return err
	}
	files, err := outdated(d, newManifest(h, commits).derived(h))
	if err != nil {
		return err
	}
	if replacesDocuments(files) {
		if err := dropManifest(d); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := d.Replace(f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}

// checkReplaceable returns an error if the stored manifest must stay: checkManifest finds a
// reason, or it is the only evidence of a lost shard.
func checkReplaceable(d disk.Dir, h *header, commits []*Commit) error {
	stored, err := checkManifest(d, h, commits)
	if err != nil || stored == nil {
		return err
	}
	if err := stored.allCommitted(commits); err != nil {
		return &FileError{Op: "write", Path: manifestName, Err: err}
	}
	return nil
}

// replacesDocuments reports whether files contain the manifest and a document for which
// the stored manifest vouches.
func replacesDocuments(files []derivedFile) bool {
	n := len(files)
	return n > 1 && files[n-1].name == manifestName
}

// outdated returns the files that are missing on disk or have other content.
func outdated(d disk.Dir, files []derivedFile) (list []derivedFile, err error) {
	for _, f := range files {
		data, err := d.ReadFile(f.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, &FileError{Op: "read", Path: f.name, Err: err}
		}
		if err != nil || string(data) != string(f.data) {
			list = append(list, f)
		}
	}
	return list, nil
}

// dropManifest removes the manifest, if it exists.
func dropManifest(d disk.Dir) error {
	found, err := d.Exists(manifestName)
	if err != nil || !found {
		return err
	}
	if err := d.Remove(manifestName); err != nil {
		return err
	}
	return d.SyncFolder(manifestName)
}
