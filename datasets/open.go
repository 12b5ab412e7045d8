package datasets

import (
	"fmt"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// Dataset reads a dataset, which may be unfinished or in the making. It returns committed
// data only: it parses no data file before the SHA-256 of the file matches its record. An
// object store that has computed the SHA-256 itself is believed; Verify believes no store.
//
// A process computes the SHA-256 of a file once, as long as its path, size, time and inode stay the same.
//
// A Dataset holds the plan and no open file. Its methods may be called by several
// goroutines.
type Dataset struct {
	d         disk.Dir
	h         *plan.File
	unknowing bool // computes every SHA-256 anew
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
	h, err := plan.Read(d)
	if err != nil {
		return nil, err
	}
	return &Dataset{d: d, h: h}, nil
}

// Plan returns a copy of the plan.
func (ds *Dataset) Plan() plan.Plan { return ds.h.Plan.Clone() }

// PlanHash returns the hash of the plan.
func (ds *Dataset) PlanHash() string { return ds.h.Hash }

// About returns title and origin of the dataset.
func (ds *Dataset) About() plan.About { return ds.h.About }

// Description returns the meaning of the numbers. The caller must not change its slices.
func (ds *Dataset) Description() plan.Description { return ds.h.Description }

// Commits reads the records of all committed shards, in shard order. They take about 1 KB a
// shard. The error is ErrNoRecords for a copy without .selfplay/.
func (ds *Dataset) Commits() ([]*record.Commit, error) {
	commits, err := collect(record.Each(ds.d, ds.h))
	return ds.recorded(commits, err)
}

// recorded returns what was read of the records. The error is ErrNoRecords if there are none, but
// data files.
func (ds *Dataset) recorded(commits []*record.Commit, err error) ([]*record.Commit, error) {
	if err != nil || len(commits) > 0 {
		return commits, err
	}
	lost, err := record.HasNoBookkeeping(ds.d)
	if lost {
		err = fmt.Errorf("read %s: %w: copy .selfplay/ too, as cp -r and rsync -a do", ds.d, ErrNoRecords)
	}
	return nil, err
}

// Parts returns the parts of all committed shards, in the order of the shards.
func (ds *Dataset) Parts() ([]*record.Part, error) {
	commits, err := ds.Commits()
	return record.PartsOf(commits), err
}

// PlanError returns the error for a caller that wants a dataset of plan p here.
func (ds *Dataset) PlanError(p plan.Plan) *PlanError { return NewPlanError(ds.d, ds.h, p) }

// Network returns the file of a network of the dataset by its SHA-256. The error is
// ErrNoNetwork if the plan names no such network or the file does not exist, and ErrCorrupt
// if the file has another sum.
func (ds *Dataset) Network(sum string) ([]byte, error) {
	if !slices.Contains(ds.h.Plan.Networks, sum) {
		return nil, fmt.Errorf("read %s: %w: its plan names no network %s", ds.d.String(), plan.ErrNoNetwork, sum)
	}
	return plan.ReadNetwork(ds.d, sum)
}

// Networks returns the files of all networks of the dataset.
func (ds *Dataset) Networks() (files [][]byte, err error) {
	for _, sum := range ds.h.Plan.Networks {
		data, err := ds.Network(sum)
		if err != nil {
			return nil, err
		}
		files = append(files, data)
	}
	return files, nil
}

// RowMetadata returns metadata for a file outside the dataset that holds rows of its
// positions table, or some of their columns. It has the keys of a data file, without those
// of the shard; source_plan_hash replaces plan_hash. If no column is an array, the keys of
// layout and board type are missing. boardType is the board type in the new file; empty
// means that its format has only one, and the key is missing. The caller adds what it did
// to the rows.
func (ds *Dataset) RowMetadata(columns []encode.Column, boardType string) []encode.KeyValue {
	return ds.h.RowMetadata(columns, boardType)
}

// Census returns a census of the dataset.
func (ds *Dataset) Census() *record.Census { return record.NewCensus(ds.d, ds.h) }

// New returns the dataset in d, of which h is the plan, for those who make or verify it: it computes every
// SHA-256 anew, also of files that the process knows.
func New(d disk.Dir, h *plan.File) *Dataset { return &Dataset{d, h, true} }
