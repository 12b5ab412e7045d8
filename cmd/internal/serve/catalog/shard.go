package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/record"
)

// recommitted returns the record of a shard as it is now, nil if the shard is not committed.
func (d *Dataset) recommitted(shard int) (*record.Commit, error) {
	o, err := d.open()
	if err != nil {
		return nil, err
	}
	o.commits.Forget(shard)
	commits, err := d.commits.Renew(patience, o.commits.Look)
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

func (d *Dataset) extended() error { return web.TryAgain("dataset %s is being extended", d.Name) }
