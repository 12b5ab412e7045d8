package s3store

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

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
	mu    sync.Mutex
	of    map[string]map[string]entry // by folder and name
	asked map[string]int              // objects asked for one by one, by folder
}

// patientHeads is the number of objects of a folder that are asked for one by one before the
// folder is listed.
const patientHeads = 8

func (l *listings) keep(folder string, entries []fs.DirEntry) {
	objects := make(map[string]entry, len(entries))
	for _, e := range entries {
		if !e.IsDir() {
			objects[e.Name()] = e.(entry)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of, l.asked = map[string]map[string]entry{}, map[string]int{}
	}
	l.of[folder] = objects
}

// find returns an object if a listing shows it.
func (l *listings) find(s *store, name string) (entry, bool) {
	folder := path.Dir(name)
	if l.wants(folder) {
		if entries, err := s.list(folder); err == nil {
			l.keep(folder, entries)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e, found := l.of[folder][path.Base(name)]
	return e, found
}

// wants counts a question and reports whether a listing of the folder pays by now.
func (l *listings) wants(folder string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of, l.asked = map[string]map[string]entry{}, map[string]int{}
	}
	l.asked[folder]++
	return l.of[folder] == nil && l.asked[folder] == patientHeads
}

// forget forgets an object that is about to be changed.
func (l *listings) forget(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.of[path.Dir(name)], path.Base(name))
}
