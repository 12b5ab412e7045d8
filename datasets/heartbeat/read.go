package heartbeat

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// maxFile is the size in bytes of the largest heartbeat that is read.
const maxFile = 64 << 10

// maxTasks is the largest number of tasks of a dataset: a task has at least one shard, of which there are at most plan.MaxShards.
const maxTasks = 100_000

const suffix = ".json"

// name returns the name of the heartbeat of an owner, relative to the dataset.
func name(owner string) string { return Folder + "/" + owner + suffix }

// fileName matches the names of heartbeats in Folder.
var fileName = regexp.MustCompile(`^[0-9]+-[0-9a-z]+\.json$`)

// IsName reports whether a heartbeat may have this name in Folder.
func IsName(name string) bool { return fileName.MatchString(name) }

// owners returns the owners of the heartbeats of a dataset, in the order of their file names.
func owners(d disk.Dir) (list []string, err error) {
	names, err := d.ListFiles(Folder)
	for _, name := range names {
		if fileName.MatchString(name) {
			list = append(list, strings.TrimSuffix(name, suffix))
		}
	}
	return list, err
}

// ReadAll returns the heartbeats of a dataset, in the order of their file names. Files that
// are empty, damaged or of another format are ignored.
func ReadAll(d disk.Dir) (beats []*Beat, err error) {
	list, err := owners(d)
	for _, owner := range list {
		b, err := Read(d, owner)
		if err != nil {
			return nil, err
		}
		if b != nil {
			beats = append(beats, b)
		}
	}
	return beats, err
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
	if json.Unmarshal(data, b) != nil || b.Format != format || b.Task < 0 || b.Tasks < 0 || b.Tasks > maxTasks || b.Task >= max(b.Tasks, 1) {
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
	list, err := owners(d)
	for _, owner := range list {
		if want(owner) {
			err = errors.Join(err, d.Remove(name(owner)))
		}
	}
	return err
}
