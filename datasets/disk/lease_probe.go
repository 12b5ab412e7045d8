package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/gofrs/flock"
)

// LeaseState is what another process can see of a lease.
type LeaseState uint8

// The states of a lease.
const (
	LeaseUnknown LeaseState = iota // it cannot be tested from here
	LeaseGone                      // the file does not exist: released, or removed by a later writer
	LeaseFree                      // the file exists, but no process that is visible from here has locked it
	LeaseHeld                      // a process has locked it
)

// LeaseOwners returns the owners of the leases that exist. Their processes may be dead.
func LeaseOwners(d Dir) (owners []string, err error) {
	names, err := d.ListFiles(TempFolder)
	for _, name := range names {
		if owner, isLease := strings.CutSuffix(name, LeaseSuffix); isLease && tempName.MatchString(name) {
			owners = append(owners, owner)
		}
	}
	return owners, err
}

// ProbeLease tests the lease of an owner. It writes nothing and does not touch the lock of
// the dataset. It opens the lease file for reading and holds a shared lock on it for a
// moment if its process is dead. Writers tolerate that: NewLease tries again under another
// name, and Sweep may leave files to the next writer.
func ProbeLease(d Dir, owner string) LeaseState {
	file := flock.New(d.Path(path.Join(TempFolder, owner+LeaseSuffix)), flock.SetFlag(os.O_RDONLY|noFollow))
	defer file.Close()
	free, err := tryLock(file, file.TryRLock)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return LeaseGone
	case err != nil:
		return LeaseUnknown
	case free:
		return LeaseFree
	}
	return LeaseHeld
}
