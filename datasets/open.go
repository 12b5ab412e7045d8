package datasets

import (
	"iter"

	"selfplay/datasets/disk"
)

// Dataset reads a dataset, which may be unfinished or in the making. It returns committed
// data only: it parses no data file before the SHA-256 of the file matches its record. An
// object store that has computed the SHA-256 itself is believed; Verify believes no store.
//
// A Dataset holds the plan and no open file. Its methods may be called by several
// goroutines.
type Dataset struct {
	d disk.Dir
	h *header
}

// Open opens the dataset in root. It reads plan.json only. The error is ErrNotDataset,
// ErrUnsupported or ErrCorrupt, or one of the disk.
func Open(root string) (*Dataset, error) {
	d, err := disk.At(root)
	if err != nil {
		return nil, err
	}
	return open(d)
}

// OpenRooted is Open for a server: of files that are links out of the dataset it reads none. Their
// error is disk.ErrOutside.
func OpenRooted(root string) (*Dataset, error) {
	d, err := disk.At(root)
	if err != nil {
		return nil, err
	}
	return open(d.Rooted())
}

func open(d disk.Dir) (*Dataset, error) {
	h, err := readHeader(d)
	if err != nil {
		return nil, err
	}
	return &Dataset{d, h}, nil
}

// Plan returns a copy of the plan.
func (ds *Dataset) Plan() Plan { return ds.h.plan.clone() }

// PlanHash returns the hash of the plan.
func (ds *Dataset) PlanHash() string { return ds.h.hash }

// About returns title and origin of the dataset.
func (ds *Dataset) About() About { return ds.h.about }

// Description returns the meaning of the numbers. The caller must not change its slices.
func (ds *Dataset) Description() Description { return ds.h.description }

// EachCommit yields the records of all committed shards in shard order, and keeps none. An
// error ends the sequence; the record is then nil.
func (ds *Dataset) EachCommit() iter.Seq2[*Commit, error] { return eachCommit(ds.d, ds.h) }

// Commits reads the records of all committed shards, in shard order. They take about 1 KB a
// shard.
func (ds *Dataset) Commits() (commits []*Commit, err error) {
	for c, err := range ds.EachCommit() {
		if err != nil {
			return nil, err
		}
		commits = append(commits, c)
	}
	return commits, nil
}
