package s3store

import (
	"fmt"
	"io/fs"
	"time"
)

// entry is an object or a folder in a listing.
type entry struct {
	name    string
	size    int64
	changed time.Time
	folder  bool
}

// The methods of fs.DirEntry and fs.FileInfo.

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) ModTime() time.Time         { return e.changed }
func (e entry) IsDir() bool                { return e.folder }
func (e entry) Sys() any                   { return nil }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) String() string             { return fmt.Sprintf("%s %d", e.name, e.size) }

func (e entry) Mode() fs.FileMode {
	if e.folder {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

var _ fs.DirEntry = entry{}
