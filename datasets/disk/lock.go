package disk

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// LeaseSuffix ends the names of lease files.
const LeaseSuffix = ".lock"

// maxLease is the size in bytes of the largest lease file that is read.
const maxLease = 4096

// Holder is a process that writes to a dataset. It is shown to people only.
type Holder struct {
	PID  int    `json:"pid"`
	Host string `json:"host"`
}

// Lease is the proof that the owner of temporary files is alive: a file that its process
// keeps locked.
type Lease struct {
	d     Dir
	owner string
	file  *flock.Flock
}

// NewLease takes a lease under a new owner name.
func NewLease(d Dir) (*Lease, error) {
	if err := d.MakeFolders(TempFolder); err != nil {
		return nil, err
	}
	for {
		l, err := tryLease(d)
		if l != nil || err != nil {
			return l, err
		}
	}
}

// tryLease takes a lease. It returns nil if another process swept the file before it was
// locked.
func tryLease(d Dir) (*Lease, error) {
	var random [4]byte
	rand.Read(random[:])
	l := leaseOf(d, fmt.Sprintf("%d-%s", os.Getpid(), hex.EncodeToString(random[:])))
	host, _ := os.Hostname()
	holder, err := json.Marshal(Holder{os.Getpid(), host})
	if err == nil {
		err = writeNew(l.file.Path(), holder)
	}
	if err != nil {
		return nil, fmt.Errorf("take lease: %w", err)
	}
	held, err := l.tryLock()
	if held && isNamed(l.file) {
		return l, nil
	}
	if errors.Is(err, fs.ErrNotExist) { // swept
		err = nil
	}
	l.Release()
	return nil, err
}

// leaseOf returns the lease of an owner, not locked.
func leaseOf(d Dir, owner string) *Lease {
	return &Lease{d, owner, newFlock(d.Path(leaseName(owner)))}
}

func leaseName(owner string) string { return path.Join(TempFolder, owner+LeaseSuffix) }

func (l *Lease) tryLock() (bool, error) { return tryLock(l.file, l.file.TryLock) }

// writeNew writes a small file that does not exist.
func writeNew(name string, data []byte) error {
	f, err := OS{}.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Release removes the lease file and unlocks it, in this order: a process that locks the
// file afterwards sees that it has lost its name.
func (l *Lease) Release() { removeLocked(l.file, l.d.Root, leaseName(l.owner)) }

// removeLocked removes a locked file below root and unlocks it.
func removeLocked(file *flock.Flock, root, name string) {
	err := OS{}.Remove(root, name)
	file.Close()
	if err != nil { // Windows does not remove open files
		_ = OS{}.Remove(root, name) // the next sweep tries again
	}
}

// expired takes over the lease of an owner whose process is dead. It returns nil if the
// lease does not exist or its process lives.
func expired(d Dir, owner string) *Lease {
	l := leaseOf(d, owner)
	if held, _ := l.tryLock(); held {
		return l
	}
	l.file.Close()
	return nil
}

// alive reports whether a process holds the lease of an owner. An error of the system
// counts as alive: nothing may be removed then.
func alive(d Dir, owner string) bool {
	l := leaseOf(d, owner)
	defer l.file.Close()
	held, err := l.tryLock()
	return !held && !errors.Is(err, fs.ErrNotExist)
}

// findHolder returns a process that holds a lease, the zero Holder if none is known.
func findHolder(d Dir) (h Holder) {
	names, _ := d.ListFiles(TempFolder)
	for _, name := range names {
		owner, isLease := strings.CutSuffix(name, LeaseSuffix)
		if !isLease || !alive(d, owner) {
			continue
		}
		data, err := ReadRegular(d.Path(path.Join(TempFolder, name)), maxLease)
		if err == nil && json.Unmarshal(data, &h) == nil {
			return h
		}
	}
	return Holder{}
}

// tempName matches the names of leases and temporary files.
var tempName = regexp.MustCompile(`^([0-9]+-[0-9a-z]+\.[\w.-]+|(positions|games)-[a-z]+-[0-9]+\.[a-z]+)$`)

// Sweep removes the temporary files of dead processes. With an exclusive lock, no other
// process is alive; with a shared lock, files with a locked lease stay. Leases go last,
// because until then they protect the other files of their owner. Folders, links, special
// files and files with other names stay.
func (d Dir) Sweep(shared bool) error {
	names, err := d.ListFiles(TempFolder)
	var owners []string
	for _, name := range names {
		owner, _, _ := strings.Cut(name, ".")
		switch {
		case owner == d.Owner || !tempName.MatchString(name):
		case strings.HasSuffix(name, LeaseSuffix):
			owners = append(owners, owner)
		case !shared || !alive(d, owner):
			err = errors.Join(err, d.Remove(path.Join(TempFolder, name)))
		}
	}
	for _, owner := range owners {
		if l := expired(d, owner); l != nil {
			l.Release() // while locked, so that its owner cannot take it meanwhile
		} else if !shared {
			_ = OS{}.Remove(d.Root, leaseName(owner)) // the next sweep tries again
		}
	}
	return err
}

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

// ErrLocked means that another process writes to the dataset or the output.
var ErrLocked = errors.New("dataset is locked")

// A LockError names the process that holds the lock of a dataset.
type LockError struct{ Holder Holder }

func (e *LockError) Error() string {
	if e.Holder.PID == 0 {
		return ErrLocked.Error() + " by a process that is starting or ending: try again"
	}
	return fmt.Sprintf("%v by process %d on %s: wait for its end, or stop it", ErrLocked, e.Holder.PID, e.Holder.Host)
}

func (e *LockError) Unwrap() error { return ErrLocked }

// Lock is the right to write to a dataset, together with a lease.
type Lock struct {
	file  *flock.Flock
	lease *Lease
}

// Acquire locks a dataset, exclusively or shared with other tasks, without waiting. If
// another process holds the lock, the error is a *LockError.
func Acquire(d Dir, shared bool) (*Lock, error) {
	file := newCreatingFlock(d.Path(LockName))
	try := file.TryLock
	if shared {
		try = file.TryRLock
	}
	held, err := tryLock(file, try)
	switch {
	case err != nil:
		err = fmt.Errorf("lock %s: %w", d.Root, err)
	case !held:
		err = &LockError{findHolder(d)}
	default:
		var l *Lease
		l, err = NewLease(d)
		if err == nil {
			return &Lock{file, l}, nil
		}
	}
	file.Close()
	return nil, err
}

// Owner returns the owner of the lease, for Dir.Owner.
func (l *Lock) Owner() string { return l.lease.owner }

// Release gives up lock and lease. The lock file stays: if it were removed, two processes
// could lock two files of the same name.
func (l *Lock) Release() {
	l.lease.Release()
	l.file.Close()
}

// newFlock returns a lock on a file that exists, not locked.
func newFlock(name string) *flock.Flock {
	return flock.New(name, flock.SetFlag(os.O_RDWR|noFollow))
}

// newCreatingFlock returns a lock on a file that locking creates, not locked.
func newCreatingFlock(name string) *flock.Flock {
	return flock.New(name, flock.SetFlag(os.O_RDWR|os.O_CREATE|noFollow), flock.SetPermissions(0o644))
}

// tryLock locks a file with try, which is a method of it. It does not follow a link in the
// place of the file.
func tryLock(file *flock.Flock, try func() (bool, error)) (bool, error) {
	if err := checkOwn(file.Path()); err != nil {
		return false, err
	}
	held, err := try()
	return held, explainLock(err)
}

// explainLock adds to the error of a file system without locks what to do.
func explainLock(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return fmt.Errorf("%w: this file system cannot lock files; use one that can, such as a local disk, "+
			"and give each task a directory of its own there", err)
	}
	return err
}

// isNamed reports whether a locked file still has its name.
func isNamed(file *flock.Flock) bool {
	locked, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(file.Path())
	return err == nil && os.SameFile(locked, named)
}

// TryLockFile locks a file until unlock is called, and creates it if it does not exist. It never
// waits: held is false if another process has the lock.
func TryLockFile(name string) (unlock func() error, held bool, err error) {
	file := newCreatingFlock(name)
	held, err = tryLock(file, file.TryLock)
	if err != nil || !held {
		return nil, false, errors.Join(err, file.Close())
	}
	return file.Close, true, nil
}
