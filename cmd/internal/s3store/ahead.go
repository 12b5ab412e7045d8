package s3store

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"sync"

	"selfplay/internal/goroutine"
)

// aheadWindow is the number of small objects that are read ahead.
const aheadWindow = 64

// ahead reads small objects of a folder before they are opened, if they are opened in the order of
// its listing, as commit records are: one after the other, a request takes tens of milliseconds.
// An object is read ahead at most once; a second open reads it again.
type ahead struct {
	mu      sync.Mutex
	folder  string
	names   []string // in order
	last    int      // index of the last name that was opened in order
	next    int      // index of the next name to read
	pending map[string]*fetching
}

// fetching is an object that is being read ahead.
type fetching struct {
	done chan struct{}
	part part
	err  error
}

// begin prepares for a folder of small objects after it was listed.
func (a *ahead) begin(folder string, entries []fs.DirEntry) {
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		if e.IsDir() || e.(entry).size > firstBlock {
			return
		}
		names = append(names, e.Name())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.folder, a.names, a.last, a.next, a.pending = folder, names, -1, 0, map[string]*fetching{}
}

// take returns an object that was read ahead, or the error of reading it: another attempt would take
// minutes once more. It returns false if the object was not read ahead, or did not exist then.
func (a *ahead) take(s *store, name string) (p part, err error, found bool) {
	f := a.advance(s, name)
	if f == nil {
		return part{}, nil, false
	}
	<-f.done
	return f.part, f.err, !errors.Is(f.err, fs.ErrNotExist)
}

// advance notes that an object is opened, and starts to read those after it.
func (a *ahead) advance(s *store, name string) *fetching {
	a.mu.Lock()
	defer a.mu.Unlock()
	if path.Dir(name) != a.folder {
		return nil
	}
	i, found := slices.BinarySearch(a.names, path.Base(name))
	if !found {
		return nil
	}
	f := a.pending[name]
	delete(a.pending, name)
	switch {
	case f != nil || i > a.last && i <= a.last+2: // several goroutines may open them
	case i == 0: // once more from the start
		a.next = 0
		clear(a.pending)
	default:
		return nil
	}
	a.last = i
	for a.next = max(a.next, i+1); a.next < len(a.names) && a.next <= i+aheadWindow; a.next++ {
		a.start(s, path.Join(a.folder, a.names[a.next]))
	}
	return f
}

// start reads an object in a goroutine of its own.
func (a *ahead) start(s *store, name string) {
	f := &fetching{done: make(chan struct{}), err: errCutOff} // until it is read
	a.pending[name] = f
	goroutine.New().Go(func() error {
		defer close(f.done)
		f.part, f.err = s.readFirst(s.key(name))
		return nil
	})
}
