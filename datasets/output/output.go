// Package output writes files and folders outside of datasets, such as a converted
// dataset. An output appears when it is complete, or not at all, and it may replace an
// older one.
//
//	output.go   Output: a file or folder that is being written
//	file.go     File: a file of an output, with its SHA-256
//	folder.go   what describes the files of a folder: metadata, index and checksums
//	replace.go  what an output may replace, and where it may lie
package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"selfplay/datasets/disk"
)

// Suffixes of temporary names beside a target that is replaced.
const (
	newSuffix = ".new" // the new output, complete
	oldSuffix = ".old" // the old output, until it is removed
)

// Output is a file or folder that is being written, as a disk.Pending. End it with
// PublishFile, PublishFolder or Discard.
type Output struct {
	*disk.Pending
	target  string
	replace bool // the target exists
}

// New begins an output. If the target exists, the error is fs.ErrExist unless replace is
// set; the old target then stays as it is until the new output is published. The caller
// has checked the old target with CheckReplaceable. Other errors are those of
// disk.NewPending.
func New(target string, replace bool) (*Output, error) {
	o := &Output{target: filepath.Clean(target)}
	if info, err := os.Lstat(o.target); err == nil {
		o.replace = replace
		if _, err := os.Lstat(o.target + oldSuffix); err == nil && replace && info.IsDir() {
			return o, &fs.PathError{Op: "create", Path: o.target + oldSuffix, Err: fs.ErrExist}
		}
	}
	name := o.target
	if o.replace {
		name += newSuffix
	}
	var err error
	o.Pending, err = disk.NewPending(name)
	return o, err
}

// PublishFile gives the file its final name. name is its name in the output.
func (o *Output) PublishFile(name string) error {
	if err := o.Pending.PublishFile(name); err != nil || !o.replace {
		return err
	}
	if err := os.Rename(o.target+newSuffix, o.target); err != nil { // replaces the old file
		return err
	}
	return o.sync()
}

// PublishFolder gives the folder its final name. The caller has finished its files. If the
// process dies while an old folder is replaced, both folders remain, under the target's
// name with .new and .old.
func (o *Output) PublishFolder() error {
	if err := o.Pending.Publish(); err != nil || !o.replace {
		return err
	}
	if err := os.Rename(o.target, o.target+oldSuffix); err != nil {
		return err
	}
	if err := os.Rename(o.target+newSuffix, o.target); err != nil {
		return errors.Join(err, os.Rename(o.target+oldSuffix, o.target))
	}
	if err := o.sync(); err != nil {
		return err
	}
	return os.RemoveAll(o.target + oldSuffix)
}

func (o *Output) sync() error { return disk.OS{}.SyncDir(filepath.Dir(o.target)) }

// WriteFile writes a target that is one file. See New for replace.
func WriteFile(target string, replace bool, write func(*File) error) (*File, error) {
	o, err := New(target, replace)
	if err != nil {
		return nil, err
	}
	f, err := o.Create(filepath.Base(o.target), "", false)
	if err == nil {
		err = f.Finish(write(f))
	}
	if err != nil {
		o.Discard()
		return nil, err
	}
	return f, o.PublishFile(f.Name)
}

// IsTaken reports whether err says that a path exists, and returns that path.
func IsTaken(err error) (path string, taken bool) {
	var p *fs.PathError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &p) {
		return p.Path, true
	}
	return "", false
}
