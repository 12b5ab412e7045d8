package disk

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"selfplay/datasets/internal/fault"
)

// openers open the directories of datasets in object stores, by the scheme of their URLs.
var openers sync.Map // of string to func(url string) (Dir, error)

// Register lets At open the URLs that begin with SCHEME://. The FS of such a directory does not
// link: its Link decides alone whether a name is taken, and its errors are final. It keeps the
// bookkeeping of this machine, see IsLocal, on a disk at Dir.Root.
func Register(scheme string, open func(url string) (Dir, error)) { openers.Store(scheme, open) }

// At returns the directory of a dataset: a directory of the machine, or one in an object store if
// root is a URL. An unknown scheme is fault.ErrUnsupported.
func At(root string) (Dir, error) {
	scheme, _, isURL := strings.Cut(root, "://")
	if !isURL {
		return Dir{Root: root, FS: OS{}}, nil
	}
	open, found := openers.Load(scheme)
	if !found {
		return Dir{}, fmt.Errorf("open %s: stores of %s://: %w", root, scheme, fault.ErrUnsupported)
	}
	return open.(func(url string) (Dir, error))(root)
}

// IsURL reports whether a dataset lies in an object store.
func IsURL(root string) bool { return strings.Contains(root, "://") }

// SameURL reports whether two URLs name the same dataset.
func SameURL(a, b string) (bool, error) {
	x, err := At(a)
	if err != nil {
		return false, err
	}
	y, err := At(b)
	return err == nil && x.URL == y.URL && x.URL != "", err
}

// IsStore reports whether the dataset lies in an object store. There no lock keeps other machines
// away, so every process is like a task that shares the dataset with others.
func (d Dir) IsStore() bool { return d.URL != "" }

// String returns how messages name the dataset.
func (d Dir) String() string {
	if d.IsStore() {
		return d.URL
	}
	return d.Root
}

// local lists the bookkeeping of a machine, which no other machine needs.
var local = []string{TempFolder, LockName, Hidden + "/journal", Hidden + "/runs", Hidden + "/failures.jsonl"}

// IsLocal reports whether a file or folder of a dataset in a store stays on the disk of the
// machine: locks, leases, heartbeats, journals, failures and files that are being written.
func IsLocal(name string) bool {
	if name == Hidden {
		return true
	}
	for _, l := range local {
		if name == l || strings.HasPrefix(name, l+"/") {
			return true
		}
	}
	return false
}

// ProbeName is an object with which an FS may test what its store can do. A copy of a dataset from a
// store has it too.
const ProbeName = Hidden + "/create-only"

// ErrChanged means that a file has not the content any more that its writer has seen.
var ErrChanged = errors.New("another process has changed it")

// A Swapper is an FS in which other machines may change a file that this process replaces.
type Swapper interface {
	// Swap is Rename if the file has the content before, or does not exist if before is nil. Else
	// the error is ErrChanged.
	Swap(old, name string, before []byte) error
}

// ReplaceIf is Replace for a file with the content before, nil if it does not exist. If another
// process has changed it, the error is ErrChanged. On a disk it is Replace: the lock of the dataset
// keeps other processes away.
func (d Dir) ReplaceIf(name string, before, data []byte) error {
	s, ok := d.FS.(Swapper)
	if !ok {
		return d.Replace(name, data)
	}
	return d.write(name, text(data), func(temp, name string) error { return s.Swap(d.Path(temp), d.Path(name), before) })
}

// A Voucher is an FS that may know the SHA-256 of a file without reading it, because the store
// computed it from the bytes that it received.
type Voucher interface {
	// Vouches reports whether the file is known to have a SHA-256, in hexadecimal. False says
	// nothing about the file.
	Vouches(name, sha256 string) bool
}

// Vouches reports whether the store of the dataset vouches for the SHA-256 of a file. A disk
// never does.
func (d Dir) Vouches(name, sha256 string) bool {
	v, ok := d.FS.(Voucher)
	return ok && v.Vouches(d.Path(name), sha256)
}
