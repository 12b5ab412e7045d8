package catalog

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"selfplay/cmd/internal/serve/lastread"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/status"
	"selfplay/encode"
)

// How long the state of a dataset counts as current: while a process works on it, and at rest.
const (
	believe     = time.Second
	believeRest = 5 * time.Second
)

// patience is how long requests wait for a read of the state of a dataset. The read goes on, and
// requests meanwhile get what is known.
const patience = time.Second

// Dataset is a dataset of the catalog. It is opened when it is first used.
//
// Its methods do not wait for a disk or store that is silent: after a second they return the last
// state that is known, and without any an error with status 503.
type Dataset struct {
	Name string // never changes
	Dir  string // or URL; never shown to clients

	games encode.Catalog
	plan  planStamp

	ds      lastread.Value[*opened]
	status  lastread.Value[*status.Status]
	watcher *status.Watcher // of the reads of status
	commits lastread.Value[[]*record.Commit]

	hashing sync.Mutex   // see sumOfOpened
	reading atomic.Int32 // requests that read the data of a store; see enter
}

// opened is a dataset that has been opened.
type opened struct {
	*datasets.Dataset
	commits *datasets.CommitFollower // of the reads of commits
}

// open returns the dataset as it was opened first. For errors see datasets.OpenRooted.
func (d *Dataset) open() (*opened, error) {
	o, err := d.ds.Once(patience, func() (*opened, error) {
		ds, err := datasets.OpenRooted(d.Dir)
		if err != nil {
			return nil, err
		}
		return &opened{ds, ds.Follow()}, nil
	})
	return o, d.waiting(err)
}

// Data returns the dataset. For errors see datasets.OpenRooted.
func (d *Dataset) Data() (*datasets.Dataset, error) {
	o, err := d.open()
	if err != nil {
		return nil, err
	}
	return o.Dataset, nil
}

// waiting returns the error for clients of a read that has not ended, and other errors as they are.
func (d *Dataset) waiting(err error) error {
	if errors.Is(err, lastread.ErrSlow) {
		return web.TryAgain("waiting for the store of dataset %s", d.Name)
	}
	return err
}

// maxReads is the number of requests that may read the data of a dataset in an object store at once.
// If the store is silent they wait long, and other datasets need connections, too.
const maxReads = 64

// enter admits a request that reads data, until leave is called. The error has status 503.
func (d *Dataset) enter() (leave func(), err error) {
	if !disk.IsURL(d.Dir) {
		return func() {}, nil
	}
	if d.reading.Add(1) > maxReads {
		d.reading.Add(-1)
		return nil, web.TryAgain("%d requests wait for the store of dataset %s", maxReads, d.Name)
	}
	return func() { d.reading.Add(-1) }, nil
}

// Shape returns the shape of the dataset. The error is datasets.ErrUnsupported if this program
// does not know its game, rules or numbers.
func (d *Dataset) Shape() (*rows.Shape, error) {
	ds, err := d.Data()
	if err != nil {
		return nil, err
	}
	return rows.OfDataset(d.games, ds)
}

// Status returns how far the dataset is, as of the last seconds. The caller must not change it.
func (d *Dataset) Status() (*status.Status, error) {
	fresh := func(s *status.Status, age time.Duration) bool { return age < believe || !s.Alive && age < believeRest }
	s, err := d.status.Get(patience, fresh, d.readStatus)
	return s, d.waiting(err)
}

func (d *Dataset) readStatus() (*status.Status, error) {
	if d.watcher == nil {
		watcher, err := status.Open(d.Dir)
		if err != nil {
			return nil, err
		}
		d.watcher = watcher
	}
	return d.watcher.Look()
}

// SplitOf returns the split of a game.
func (d *Dataset) SplitOf(game uint64) string {
	ds, err := d.Data()
	if err != nil {
		return ""
	}
	return ds.Plan().Splits().Of(game)
}

// Commits returns the records of the committed shards, as of the last second. The caller must
// not change them.
func (d *Dataset) Commits() ([]*record.Commit, error) {
	o, err := d.open()
	if err != nil {
		return nil, err
	}
	fresh := func(_ []*record.Commit, age time.Duration) bool { return age < believe }
	commits, err := d.commits.Get(patience, fresh, o.commits.Look)
	return commits, d.waiting(err)
}
