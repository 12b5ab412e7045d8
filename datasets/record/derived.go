package record

import (
	"bufio"
	"cmp"
	"errors"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// DerivedFile is a file that follows from the plan and the commit records. Those of 100,000
// shards have over 60 MB, so they are written piece by piece and never held in memory.
type DerivedFile struct {
	DocumentSum
	Write func(w *bufio.Writer) // writes the text; w keeps the first error
}

func newDerivedFile(name string, write func(w *bufio.Writer)) DerivedFile {
	s := NewSummer()
	w := bufio.NewWriter(s)
	write(w)
	_ = w.Flush() // a Summer has no errors
	return DerivedFile{s.Document(name), write}
}

// DerivedFiles returns the derived files in the order in which they are written. The manifest
// comes last, because it vouches for the others.
func DerivedFiles(m *Manifest, file *plan.File) []DerivedFile {
	card := card(m, file)
	files := []DerivedFile{
		newDerivedFile(plan.CardName, func(w *bufio.Writer) { _, _ = w.Write(card) }),
		newDerivedFile(plan.CroissantName, func(w *bufio.Writer) { writeCroissant(m, w, file) }),
	}
	complete := *m
	complete.Documents = []DocumentSum{SumDocument(plan.FileName, file.Encode())}
	for _, f := range files {
		complete.Documents = append(complete.Documents, f.DocumentSum)
	}
	return append(files, newDerivedFile(plan.ManifestName, complete.Write))
}

// Derivation is everything that derived files follow from.
type Derivation struct {
	Stored  StoredManifest // on disk before
	Records *Set           // of all committed shards
	entries []Entry        // of the same shards
}

// ReadDerivation reads the manifest and all commit records. entries, which take most of the memory, are
// needed to write.
func ReadDerivation(d disk.Dir, file *plan.File, entries bool) (r Derivation, err error) {
	r.Stored = ReadStored(d)
	r.Records, err = ReadSet(d, file, r.Stored, func(c *Commit) {
		if entries {
			r.entries = append(r.entries, c.Entry())
		}
	})
	return r, err
}

// Write writes the derived files that are missing or different. If documents change, it
// first removes the manifest that vouches for the old ones. It refuses to replace a manifest
// that lists shards without a record: nothing else knows of them.
func (r *Derivation) Write(d disk.Dir, file *plan.File) error {
	if len(r.entries) == 0 {
		return nil
	}
	if err := CheckReplaceable(d, file, r.Stored, r.Records); err != nil {
		return err
	}
	files, err := Outdated(d, DerivedFiles(r.Records.All.NewManifest(file, r.entries), file))
	if err != nil {
		return err
	}
	if ReplacesDocuments(files) {
		if err := DropManifest(d); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := d.ReplaceBy(f.Name, f.Write); err != nil {
			return err
		}
	}
	return nil
}

// ReplacesDocuments reports whether files contain the manifest and a document for which
// the stored manifest vouches.
func ReplacesDocuments(files []DerivedFile) bool {
	n := len(files)
	return n > 1 && files[n-1].Name == plan.ManifestName
}

// Outdated returns the files that are missing on disk or have other content. A pipe, a device and a
// file that is too large are other content too: they are replaced without being read to their end.
func Outdated(d disk.Dir, files []DerivedFile) (list []DerivedFile, err error) {
	for _, f := range files {
		stored, err := SumStored(d, f.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fault.ErrCorrupt) {
			return nil, &fault.FileError{Op: "read", Path: f.Name, Err: err}
		}
		if err == nil && stored == f.DocumentSum {
			continue
		}
		if err := checkPlace(d, f.Name); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// CheckPlaces returns an error if a folder is in the place of a derived file.
func CheckPlaces(d disk.Dir) error {
	return cmp.Or(checkPlace(d, plan.CardName), checkPlace(d, plan.CroissantName), checkPlace(d, plan.ManifestName))
}

// checkPlace refuses a folder in the place of a derived file: its content is not ours to delete.
// Everything else is replaced. A link is replaced itself, and not the file that it leads to.
func checkPlace(d disk.Dir, name string) error {
	info, err := d.FS.Lstat(d.Path(name))
	if err == nil && info.IsDir() {
		return &fault.FileError{Op: "write", Path: name, Err: errFolder}
	}
	return nil
}

var errFolder = errors.New("a folder has the name of this file: move the folder away, then repeat the command")
