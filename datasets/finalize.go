package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
)

// Finalize ends the work of tasks: it cleans up after them, looks whether the files of
// every shard are there with their sizes, writes manifest.json, README.md and
// croissant.json from the commit records, and returns the shards of the target that are
// still to be made. Make ends with the same; so it is also for a dataset whose
// derived files were lost. With asItStands the target is what is there: of a run that
// was stopped nothing is missing then, unless a shard is that lies before others. A
// later run goes on all the same. Without a shard it is ErrIncomplete, or ErrCorrupt if
// there are data files.
func Finalize(root string, asItStands bool) (missing []int, err error) {
	d := disk.Dir{Root: root, FS: disk.OS{}}
	h, err := readHeader(d)
	if err != nil {
		return nil, err
	}
	if err := d.FS.MkdirAll(d.Path(disk.Hidden)); err != nil {
		return nil, err
	}
	l, err := disk.Acquire(d, false)
	if err != nil {
		return nil, err
	}
	defer l.Release()
	d.Owner = l.Owner()
	if err := errors.Join(makeHidden(d), d.Sweep(false), finishSuperseding(d, h.plan)); err != nil {
		return nil, err
	}
	commits, err := readCommits(d, h)
	if err != nil {
		return nil, err
	}
	if len(commits) == 0 {
		return nil, fmt.Errorf("finalize %s: %w", root, noShards(d))
	}
	committed := map[int]bool{}
	for _, c := range commits {
		if err := checkSizes(d, c); err != nil {
			return nil, err
		}
		committed[c.Shard] = true
	}
	var target uint64
	if !asItStands {
		if target, err = readTarget(d); err != nil {
			return nil, err
		}
	}
	target, err = setTarget(d, commits, target, false)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(journal.Sweep(d, committed), finalize(d, h, commits)); err != nil {
		return nil, err
	}
	return missingShards(h.plan, commits, target), nil
}

// noShards says why no shard counts: none was made, or the bookkeeping is lost, as in a
// copy that left out what begins with a dot.
func noShards(d disk.Dir) error {
	for _, folder := range tables {
		names, err := d.List(folder)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			return fault.Corrupt("no shard has a record, but %s are there, as in a copy without %s", folder, disk.Hidden)
		}
	}
	return fmt.Errorf("%w: no shard is there", ErrIncomplete)
}

// derivedFile is a file that follows from the plan and the commit records.
type derivedFile struct {
	name string
	data []byte
}

// derived returns the derived files in the order in which they are written. The
// manifest comes last: where it is of the present state, the others are too.
func (m *manifest) derived(h *header) []derivedFile {
	files := []derivedFile{{cardName, m.card(h)}, {croissantName, m.croissant(h)}}
	whole := *m
	whole.Documents = []documentSum{sumDocument(planName, h.encode())}
	for _, f := range files {
		whole.Documents = append(whole.Documents, sumDocument(f.name, f.data))
	}
	return append(files, derivedFile{manifestName, whole.encode()})
}

// finalize writes the derived files, unless they are there as they should be. A manifest
// that is to be replaced goes before the documents are, for which it vouches: it may be
// of the present state and of a program that has other words for it. One that tells of
// shards without a record stays: it is all that is known of them.
func finalize(d disk.Dir, h *header, commits []*Commit) error {
	if len(commits) == 0 {
		return nil
	}
	if err := mayReplace(d, h, commits); err != nil {
		return err
	}
	files, err := differing(d, newManifest(h, commits).derived(h))
	if err != nil {
		return err
	}
	if vouched(files) {
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

// mayReplace reports why the manifest that is there must stay: a newer program wrote it,
// or only by it can be told that plan.json or a shard is damaged.
func mayReplace(d disk.Dir, h *header, commits []*Commit) error {
	there, err := readManifest(d)
	switch {
	case errors.Is(err, ErrUnsupported):
		return &FileError{Op: "read", Path: manifestName, Err: err}
	case err != nil: // it is lost in any case
		return nil
	case there.otherAbout(h):
		return &FileError{Op: "read", Path: planName, Err: errOtherAbout}
	}
	if err := there.allCommitted(commits); err != nil {
		return &FileError{Op: "write", Path: manifestName, Err: err}
	}
	return nil
}

// vouched reports whether a manifest is to be replaced with documents for which the old
// one vouches.
func vouched(files []derivedFile) bool {
	n := len(files)
	return n > 1 && files[n-1].name == manifestName
}

// differing returns the files that are not there as they should be.
func differing(d disk.Dir, files []derivedFile) (list []derivedFile, err error) {
	for _, f := range files {
		there, err := d.ReadFile(f.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil || string(there) != string(f.data) {
			list = append(list, f)
		}
	}
	return list, nil
}

func dropManifest(d disk.Dir) error {
	there, err := d.Exists(manifestName)
	if err != nil || !there {
		return err
	}
	if err := d.Remove(manifestName); err != nil {
		return err
	}
	return d.SyncFolder(manifestName)
}
