package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrOutside means that a file of a dataset is a link that leads out of the dataset.
var ErrOutside = errors.New("a link that leads out of the dataset")

// Rooted returns the directory with an Open that follows no link out of it. The error is then
// ErrOutside. An object store has no links.
func (d Dir) Rooted() Dir {
	if !d.IsStore() {
		d.FS = rooted{d.FS, d.Root}
	}
	return d
}

// rooted is an FS that opens files below root only.
type rooted struct {
	FS
	root string
}

// Open refuses pipes and devices. It opens folders.
func (r rooted) Open(name string) (File, error) {
	rel, err := filepath.Rel(r.root, name)
	if err != nil {
		return nil, err
	}
	f, err := OpenBelow(r.root, rel)
	if err != nil {
		return nil, err // not a File that holds a nil *os.File
	}
	return f, nil
}

// OpenBelow opens a file or a folder by its path below root. It follows links that stay there;
// others, and all links to absolute paths, are ErrOutside. It refuses pipes and devices.
func OpenBelow(root, name string) (*os.File, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Stat(name)
	if err != nil {
		return nil, checkOutside(root, name, err)
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return r.Open(name)
}

// checkOutside returns the error of a file that was not found below root: ErrOutside if it is there
// for a program that follows links.
func checkOutside(root, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, name)); err != nil {
		return err
	}
	return &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
}
