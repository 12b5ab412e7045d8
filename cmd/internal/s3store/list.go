package s3store

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// listingBudget is the assumed size in bytes of the answers of a listing, for its time limit.
const listingBudget = 64 << 20

// list asks for the objects and folders in a folder, in the order of their names.
func (s *store) list(folder string) (entries []fs.DirEntry, err error) {
	prefix := s.key(folder)
	if prefix != "" && prefix != "." {
		prefix += "/"
	} else {
		prefix = ""
	}
	after := ""
	err = s.attempt(listingBudget, func(ctx context.Context) error {
		o := minio.ListObjectsOptions{Prefix: prefix, StartAfter: after}
		for info := range s.client.ListObjectsIter(ctx, s.bucket, o) {
			if info.Err != nil {
				return info.Err
			}
			after = info.Key
			name, isFolder := strings.CutSuffix(strings.TrimPrefix(info.Key, prefix), "/")
			if name != "" { // the marker of an empty folder is its prefix
				entries = append(entries, entry{name: name, size: info.Size, changed: info.LastModified, folder: isFolder})
			}
		}
		return nil
	})
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	entries = slices.CompactFunc(entries, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() })
	return entries, s.explain("list", prefix, err)
}

// listings keeps the last listing of each folder. They save one request for each size that is
// asked for: objects of a dataset do not change, so what a listing shows stays true until the
// dataset is changed here.
type listings struct {
	mu sync.Mutex
	of map[string]*listing // by folder
}

// listing is what is known of a folder.
type listing struct {
	objects map[string]entry // nil before the folder was listed
	asked   int              // objects that were asked for
	changes int              // of objects of the folder, by this process
}

// headsBeforeListing is the number of objects of a folder that are asked for one by one before the
// folder is listed.
const headsBeforeListing = 8

// folder returns what is known of a folder. The caller holds l.mu.
func (l *listings) folder(name string) *listing {
	if l.of == nil {
		l.of = map[string]*listing{}
	}
	if l.of[name] == nil {
		l.of[name] = new(listing)
	}
	return l.of[name]
}

// changes returns the number of changes in a folder, to pass it to keep.
func (l *listings) changes(folder string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.folder(folder).changes
}

// keep keeps a listing that began after the given number of changes. If there were more since, the
// listing may show what was before them, and is dropped.
func (l *listings) keep(folder string, entries []fs.DirEntry, changes int) {
	objects := make(map[string]entry, len(entries))
	for _, e := range entries {
		if !e.IsDir() {
			objects[e.Name()] = e.(entry)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if f := l.folder(folder); f.changes == changes {
		f.objects = objects
	}
}

// find returns an object if a listing shows it.
func (l *listings) find(s *store, name string) (entry, bool) {
	folder := path.Dir(name)
	if changes, pays := l.ask(folder); pays {
		if entries, err := s.list(folder); err == nil {
			l.keep(folder, entries, changes)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e, found := l.folder(folder).objects[path.Base(name)]
	return e, found
}

// ask counts a question and reports whether a listing of the folder pays by now.
func (l *listings) ask(folder string) (changes int, pays bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.folder(folder)
	f.asked++
	return f.changes, f.objects == nil && f.asked == headsBeforeListing
}

// forget forgets an object. Call it before and after its change.
func (l *listings) forget(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.folder(path.Dir(name))
	f.changes++
	delete(f.objects, path.Base(name))
}

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
