package datasets

import (
	"errors"
	"io/fs"
)

// Finalize rebuilds manifest.json and README.md from the commit records. Make
// ends with it; alone it is for a dataset whose derived files were lost.
func Finalize(root string) error {
	d := dir{root, osDisk{}}
	h, err := readHeader(d)
	if err != nil {
		return err
	}
	l, err := acquire(d.path(lockName))
	if err != nil {
		return err
	}
	defer l.release()
	if err := errors.Join(d.disk.MkdirAll(d.path(tmpName)), d.sweep()); err != nil {
		return err
	}
	commits, err := readCommits(d, h)
	if err != nil {
		return err
	}
	return finalize(d, h, commits)
}

// finalize writes the derived files, unless they are there as they should be. The
// manifest comes last: where it is of the present state, the card is too.
func finalize(d dir, h *header, commits []*Commit) error {
	m := newManifest(h, commits)
	for _, f := range []struct {
		name string
		data []byte
	}{{cardName, m.card(h)}, {manifestName, m.encode()}} {
		there, err := d.readFile(f.name)
		if err == nil && string(there) == string(f.data) {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := d.replace(f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}
