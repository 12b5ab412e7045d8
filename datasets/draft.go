package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Draft is a folder in which a file or a folder outside of datasets is written: it
// stands beside the target, under its name and ".partial", and the target gets its name
// when all of it is there and synced. So there is no half of it under that name, after
// a kill or a power cut neither. A draft belongs to the process that locks it; what a
// dead one left is swept by the next for the same target.
type Draft struct {
	target string
	dir    string
	lock   *claim
}

// draftLock is the name of the lock in a draft.
const draftLock = ".lock"

// NewDraft begins a draft. A target that is there already is fs.ErrExist, one that
// another process writes is ErrLocked. Something else of the name of the draft is
// fs.ErrExist too, and stays.
func NewDraft(target string) (*Draft, error) {
	target = filepath.Clean(target)
	d := &Draft{target: target, dir: target + ".partial"}
	if err := d.refuse(); err != nil {
		return nil, err
	}
	err := os.Mkdir(d.dir, 0o755)
	if errors.Is(err, fs.ErrExist) {
		err = d.refuseForeign()
	}
	if err != nil {
		return nil, err
	}
	if err := d.acquire(); err != nil {
		return nil, err
	}
	// The target may have come while the other process still had the lock.
	if err := errors.Join(d.refuse(), d.sweep()); err != nil {
		d.Discard()
		return nil, err
	}
	return d, nil
}

func (d *Draft) refuse() error {
	_, err := os.Lstat(d.target)
	switch {
	case err == nil:
		return &fs.PathError{Op: "write", Path: d.target, Err: fs.ErrExist}
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// refuseForeign refuses what has the name of the draft and is none: nothing that is not
// ours is swept. A draft is a folder that has a lock, or nothing yet.
func (d *Draft) refuseForeign() error {
	info, err := os.Lstat(d.dir)
	if err != nil {
		return err
	}
	foreign := &fs.PathError{Op: "write", Path: d.dir, Err: fs.ErrExist}
	if !info.IsDir() {
		return foreign
	}
	entries, err := os.ReadDir(d.dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	if _, err := os.Lstat(d.Path(draftLock)); err != nil {
		return foreign
	}
	return nil
}

// acquire locks the draft for this process.
func (d *Draft) acquire() (err error) {
	d.lock = &claim{name: d.Path(draftLock)}
	if d.lock.f, err = os.OpenFile(d.lock.name, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return err
	}
	held, err := flock(d.lock.f, false)
	if err == nil && (!held || !d.lock.there()) {
		err = fmt.Errorf("write %s: %w by another process", d.target, ErrLocked)
	}
	if err != nil {
		d.lock.f.Close()
	}
	return err
}

// sweep removes all but the lock.
func (d *Draft) sweep() error {
	entries, err := os.ReadDir(d.dir)
	for _, e := range entries {
		if e.Name() != draftLock {
			err = errors.Join(err, os.RemoveAll(d.Path(e.Name())))
		}
	}
	return err
}

// Dir returns the folder of the draft.
func (d *Draft) Dir() string { return d.dir }

// Path returns where a file of the draft is written.
func (d *Draft) Path(name string) string { return filepath.Join(d.dir, name) }

// Publish makes the folder the target. Its files must be synced.
func (d *Draft) Publish() error {
	if !haveFlock {
		d.lock.f.Close() // what is open cannot be renamed on such systems
	}
	err := errors.Join(syncDir(d.dir), d.refuse())
	if err == nil {
		err = os.Rename(d.dir, d.target)
	}
	if err != nil {
		d.Discard()
		return err
	}
	d.lock.name = filepath.Join(d.target, draftLock)
	d.lock.release()
	return syncDir(filepath.Dir(d.target))
}

// PublishFile makes one of its files the target and drops the rest.
func (d *Draft) PublishFile(name string) error {
	err := os.Link(d.Path(name), d.target)
	if err != nil && !errors.Is(err, fs.ErrExist) { // no hard links here
		if err = d.refuse(); err == nil {
			err = os.Rename(d.Path(name), d.target)
		}
	}
	d.Discard()
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(d.target))
}

// Discard drops the draft.
func (d *Draft) Discard() {
	d.sweep() // the next draft sweeps what stays
	d.lock.release()
	os.Remove(d.dir)
}
