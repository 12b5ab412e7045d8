package datasets

import (
	"errors"
	"fmt"
	"io/fs"
)

// Finalize ends the work of tasks: it cleans up after them, writes manifest.json,
// README.md and croissant.json from the commit records, and returns the shards of the target that are
// still to be made. Make ends with the same; so it is also for a dataset whose
// derived files were lost. With asItStands the target is what is there: of a run that
// was stopped nothing is missing then, unless a shard is that lies before others. A
// later run goes on all the same.
func Finalize(root string, asItStands bool) (missing []int, err error) {
	d := dir{root: root, disk: osDisk{}}
	h, err := readHeader(d)
	if err != nil {
		return nil, err
	}
	if err := d.disk.MkdirAll(d.path(hiddenName)); err != nil {
		return nil, err
	}
	l, err := acquire(d, false)
	if err != nil {
		return nil, err
	}
	defer l.release()
	d.id = l.claim.id
	if err := errors.Join(d.makeHidden(), d.sweep(false), finishRetiring(d, h.plan)); err != nil {
		return nil, err
	}
	commits, err := readCommits(d, h)
	if err != nil {
		return nil, err
	}
	committed := map[int]bool{}
	for _, c := range commits {
		if err := checkSizes(d, c); err != nil {
			return nil, err
		}
		committed[c.Shard] = true
	}
	var target uint64
	if asItStands && len(commits) == 0 {
		return nil, fmt.Errorf("finalize %s: %w: no shard is there", root, ErrIncomplete)
	}
	if !asItStands {
		if target, err = readTarget(d); err != nil {
			return nil, err
		}
	}
	target, err = setTarget(d, commits, target, false)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(sweepJournals(d, committed), finalize(d, h, commits)); err != nil {
		return nil, err
	}
	return missingShards(h.plan, commits, target), nil
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
	m.Documents = []documentSum{sumDocument(planName, h.encode())}
	for _, f := range files {
		m.Documents = append(m.Documents, sumDocument(f.name, f.data))
	}
	return append(files, derivedFile{manifestName, m.encode()})
}

// finalize writes the derived files, unless they are there as they should be. A manifest
// that is to be replaced goes before the documents are, for which it vouches: it may be
// of the present state and of a program that has other words for it.
func finalize(d dir, h *header, commits []*Commit) error {
	var differ []derivedFile
	for _, f := range newManifest(h, commits).derived(h) {
		there, err := d.readFile(f.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err != nil || string(there) != string(f.data) {
			differ = append(differ, f)
		}
	}
	if n := len(differ); n > 1 && differ[n-1].name == manifestName {
		if err := dropManifest(d); err != nil {
			return err
		}
	}
	for _, f := range differ {
		if err := d.replace(f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}

func dropManifest(d dir) error {
	there, err := d.exists(manifestName)
	if err != nil || !there {
		return err
	}
	return errors.Join(d.remove(manifestName), d.syncFolder(manifestName))
}
