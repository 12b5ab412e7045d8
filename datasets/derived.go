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

// derivedFiles returns the derived files in the order in which they are written. The manifest
// comes last, because it vouches for the others.
func derivedFiles(m *manifest, h *plan.File) []derivedFile {
	card := card(m, h)
	files := []derivedFile{
		newDerivedFile(plan.CardName, func(w *bufio.Writer) { _, _ = w.Write(card) }),
		newDerivedFile(plan.CroissantName, func(w *bufio.Writer) { writeCroissant(m, w, h) }),
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
	files, err := outdated(d, derivedFiles(r.records.all.newManifest(h, r.entries), h))
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
