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
