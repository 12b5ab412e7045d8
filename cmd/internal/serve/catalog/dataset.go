package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
	"time"

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

	ds      lastRead[*opened]
	status  lastRead[*status.Status]
	watcher *status.Watcher // of the reads of status
	commits lastRead[[]*record.Commit]

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
	o, err := d.ds.once(patience, func() (*opened, error) {
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
	if errors.Is(err, errSlow) {
		return TryAgain("waiting for the store of dataset %s", d.Name)
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
		return nil, TryAgain("%d requests wait for the store of dataset %s", maxReads, d.Name)
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
	s, err := d.status.get(patience, fresh, d.readStatus)
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
	commits, err := d.commits.get(patience, fresh, o.commits.Look)
	return commits, d.waiting(err)
}

// recommitted returns the record of a shard as it is now, nil if the shard is not committed.
func (d *Dataset) recommitted(shard int) (*record.Commit, error) {
	o, err := d.open()
	if err != nil {
		return nil, err
	}
	o.commits.Forget(shard)
	commits, err := d.commits.renew(patience, o.commits.Look)
	if i := slices.IndexFunc(commits, func(c *record.Commit) bool { return c.Shard == shard }); i >= 0 {
		return commits[i], nil
	}
	return nil, d.waiting(err)
}

// ReadShard calls read with the record of a shard, and returns the record that fits the data.
//
// Data that are missing or differ from the record are not damaged if the record is out of date: a
// run that extends the dataset replaces a short shard by a longer one, the record first. So read is
// called once more if the record has changed; the error has status 503 while there is none. The
// error is datasets.ErrCorrupt if the data differ from the record as it is now.
func (d *Dataset) ReadShard(c *record.Commit, read func(*record.Commit) error) (*record.Commit, error) {
	leave, err := d.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	for range 2 {
		err := read(c)
		missing := errors.Is(err, fs.ErrNotExist)
		if !missing && !errors.Is(err, datasets.ErrCorrupt) {
			return c, err
		}
		now, failed := d.recommitted(c.Shard)
		switch {
		case failed != nil:
			return nil, failed
		case now == nil:
			return nil, d.extended()
		case now.Sum == c.Sum && missing:
			return nil, fmt.Errorf("%w: %w", datasets.ErrCorrupt, err)
		case now.Sum == c.Sum:
			return nil, err
		}
		c = now
	}
	return nil, d.extended()
}

func (d *Dataset) extended() error { return TryAgain("dataset %s is being extended", d.Name) }
