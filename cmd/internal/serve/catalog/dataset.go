package catalog

import (
	"sync"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/datasets/status"
)

// How long the state of a dataset counts as current: while a process works on it, and at rest.
const (
	believe     = time.Second
	believeRest = 5 * time.Second
)

// Dataset is a dataset of the catalog. It is opened when it is first used.
type Dataset struct {
	Name string
	Dir  string // or URL; never shown to clients

	plan planFile

	open sync.Mutex // guards ds
	ds   *datasets.Dataset

	look    sync.Mutex // guards the next fields
	watcher *status.Watcher
	status  *status.Status
	looked  time.Time
	commits []*datasets.Commit
	listed  time.Time

	sums sums // see sums.go
}

// Data returns the dataset. For errors see datasets.OpenRooted.
func (d *Dataset) Data() (*datasets.Dataset, error) {
	d.open.Lock()
	defer d.open.Unlock()
	if d.ds != nil {
		return d.ds, nil
	}
	ds, err := datasets.OpenRooted(d.Dir)
	if err == nil {
		d.ds = ds
	}
	return ds, err
}

// Shape returns the shape of the dataset. The error is datasets.ErrUnsupported if this program
// does not know its game, rules or numbers.
func (d *Dataset) Shape() (*rows.Shape, error) {
	ds, err := d.Data()
	if err != nil {
		return nil, err
	}
	return rows.OfDataset(ds)
}

// Status returns how far the dataset is, as of the last seconds. The caller must not change it.
func (d *Dataset) Status() (*status.Status, error) {
	d.look.Lock()
	defer d.look.Unlock()
	if s := d.status; s != nil && (time.Since(d.looked) < believe || !s.Alive && time.Since(d.looked) < believeRest) {
		return s, nil
	}
	if d.watcher == nil {
		watcher, err := status.Open(d.Dir)
		if err != nil {
			return nil, err
		}
		d.watcher = watcher
	}
	s, err := d.watcher.Look()
	if err != nil {
		return nil, err
	}
	d.status, d.looked = s, time.Now()
	return s, nil
}

// Commits returns the records of the committed shards, as of the last second. The caller must
// not change them.
func (d *Dataset) Commits() ([]*datasets.Commit, error) {
	ds, err := d.Data()
	if err != nil {
		return nil, err
	}
	d.look.Lock()
	defer d.look.Unlock()
	if d.commits != nil && time.Since(d.listed) < believe {
		return d.commits, nil
	}
	commits, err := ds.Refresh(d.commits)
	if err != nil {
		return nil, err
	}
	d.commits, d.listed = commits, time.Now()
	return commits, nil
}
