package datasets

import (
	"bufio"
	"errors"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// derivedFile is a file that follows from the plan and the commit records. Those of 100,000
// shards have over 60 MB, so they are written piece by piece and never held in memory.
type derivedFile struct {
	documentSum
	write func(w *bufio.Writer) // writes the text; w keeps the first error
}

func newDerivedFile(name string, write func(w *bufio.Writer)) derivedFile {
	s := newSummer()
	w := bufio.NewWriter(s)
	write(w)
	_ = w.Flush() // a summer has no errors
	return derivedFile{s.document(name), write}
}

// derived returns the derived files in the order in which they are written. The manifest
// comes last, because it vouches for the others.
func (m *manifest) derived(h *plan.File) []derivedFile {
	card := m.card(h)
	files := []derivedFile{
		newDerivedFile(plan.CardName, func(w *bufio.Writer) { _, _ = w.Write(card) }),
		newDerivedFile(plan.CroissantName, func(w *bufio.Writer) { m.writeCroissant(w, h) }),
	}
	complete := *m
	complete.Documents = []documentSum{sumDocument(plan.FileName, h.Encode())}
	for _, f := range files {
		complete.Documents = append(complete.Documents, f.documentSum)
	}
	return append(files, newDerivedFile(plan.ManifestName, complete.write))
}

// derivation is everything that derived files follow from.
type derivation struct {
	stored  storedManifest  // on disk before
	records *recordSet      // of all committed shards
	entries []manifestShard // of the same shards
}

// readDerivation reads the manifest and all commit records. entries, which take most of the memory, are
// needed to write.
func readDerivation(d disk.Dir, h *plan.File, entries bool) (r derivation, err error) {
	r.stored = readStoredManifest(d)
	r.records, err = readRecordSet(d, h, r.stored, func(c *Commit) {
		if entries {
			r.entries = append(r.entries, c.manifestShard())
		}
	})
	return r, err
}

// write writes the derived files that are missing or different. If documents change, it
// first removes the manifest that vouches for the old ones. It refuses to replace a manifest
// that lists shards without a record: nothing else knows of them.
func (r *derivation) write(d disk.Dir, h *plan.File) error {
	if len(r.entries) == 0 {
		return nil
	}
	if err := checkReplaceable(d, h, r.stored, r.records); err != nil {
		return err
	}
	files, err := outdated(d, r.records.all.newManifest(h, r.entries).derived(h))
	if err != nil {
		return err
	}
	if replacesDocuments(files) {
		if err := dropManifest(d); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := d.ReplaceBy(f.Name, f.write); err != nil {
			return err
		}
	}
	return nil
}

// checkReplaceable returns an error if the stored manifest must stay: checkManifest finds a
// reason, or it is the only evidence of a lost shard.
func checkReplaceable(d disk.Dir, h *plan.File, stored storedManifest, records *recordSet) error {
	err := checkManifest(d, h, stored, records)
	if err == nil {
		if err = stored.lostRecord(records); err != nil {
			err = &fault.FileError{Op: "write", Path: plan.ManifestName, Err: err}
		}
	}
	return err
}

// replacesDocuments reports whether files contain the manifest and a document for which
// the stored manifest vouches.
func replacesDocuments(files []derivedFile) bool {
	n := len(files)
	return n > 1 && files[n-1].Name == plan.ManifestName
}

// outdated returns the files that are missing on disk or have other content.
func outdated(d disk.Dir, files []derivedFile) (list []derivedFile, err error) {
	for _, f := range files {
		stored, err := sumStored(d, f.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, &fault.FileError{Op: "read", Path: f.Name, Err: err}
		}
		if err != nil || stored != f.documentSum {
			list = append(list, f)
		}
	}
	return list, nil
}

// dropManifest removes the manifest, if it exists.
func dropManifest(d disk.Dir) error {
	found, err := d.Exists(plan.ManifestName)
	if err != nil || !found {
		return err
	}
	if err := d.Remove(plan.ManifestName); err != nil {
		return err
	}
	return d.SyncFolder(plan.ManifestName)
}
