package heartbeat

import (
	"encoding/json"
	"errors"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// maxFile is the size in bytes of the largest heartbeat that is read.
const maxFile = 64 << 10

// ReadAll returns the heartbeats of a dataset, in the order of their file names. Files that
// are empty, damaged or of another format are ignored.
func ReadAll(d disk.Dir) ([]*Beat, error) {
	names, err := d.ListFiles(Folder)
	if err != nil {
		return nil, err
	}
	var beats []*Beat
	for _, name := range names {
		owner, ok := ownerOf(name)
		if !ok {
			continue
		}
		b, err := Read(d, owner)
		if err != nil {
			return nil, err
		}
		if b != nil {
			beats = append(beats, b)
		}
	}
	return beats, nil
}

// Read returns the heartbeat of an owner, nil if there is none or it cannot be understood.
func Read(d disk.Dir, owner string) (*Beat, error) {
	data, err := d.ReadFileUpTo(name(owner), maxFile)
	if disk.IsGone(err) { // or replaced while it was read
		data, err = d.ReadFileUpTo(name(owner), maxFile)
	}
	switch {
	case disk.IsGone(err), errors.Is(err, fault.ErrCorrupt):
		return nil, nil
	case err != nil:
		return nil, &fault.FileError{Op: "read", Path: name(owner), Err: err}
	}
	b := &Beat{Owner: owner}
	if json.Unmarshal(data, b) != nil || b.Format != format || b.Task < 0 || b.Tasks < 0 || b.Task >= max(b.Tasks, 1) {
		return nil, nil
	}
	return b, nil
}

// Clear removes all heartbeats. The caller holds the dataset exclusively.
func Clear(d disk.Dir) error {
	d.FS = disk.OS{}
	return remove(d, func(string) bool { return true })
}

// clearOthers removes the heartbeats that this process takes the place of: those of dead
// processes of the same task, or all if it makes the whole dataset.
func clearOthers(d disk.Dir, task, tasks int) error {
	return remove(d, func(owner string) bool {
		if owner == d.Owner {
			return false
		}
		b, err := Read(d, owner)
		if err != nil || tasks == 0 || b == nil {
			return tasks == 0
		}
		return b.Task == task && b.Tasks == tasks && disk.ProbeLease(d, owner) != disk.LeaseHeld
	})
}

// remove removes the heartbeats of the wanted owners. It joins the errors.
func remove(d disk.Dir, want func(owner string) bool) error {
	names, err := d.ListFiles(Folder)
	for _, file := range names {
		if owner, ok := ownerOf(file); ok && want(owner) {
			err = errors.Join(err, d.Remove(name(owner)))
		}
	}
	return err
}
