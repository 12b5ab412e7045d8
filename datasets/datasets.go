// Package datasets reads datasets of self-play games. This comment describes what a dataset is, for all
// packages that make, read, verify and repair them. They know no game: the caller passes functions that play
// games and turn them into rows.
//
// # Directory
//
//	plan.json                      everything the bytes depend on; written first, after nets/
//	nets/HEX.safetensors           networks of players, if they have any
//	positions/train-00000.parquet  one row per decision, that is per ply
//	games/train-00000.parquet      one row per game, enough to replay it
//	README.md                      dataset card, for people
//	croissant.json                 MLCommons Croissant description, for programs
//	manifest.json                  totals, and the sums of all files
//	.selfplay/commits/00000.json   commit record of a shard
//	.selfplay/journal/             finished games of unfinished shards
//	.selfplay/target.json          number of games of the last run
//	.selfplay/answers/             answers of approximate models to fixed positions
//	.selfplay/removed/             what a repair has dropped, until the dataset is whole again
//	.selfplay/runs/                heartbeats of the processes of an unfinished dataset
//	.selfplay/tmp/                 files that are being written, and leases
//	.selfplay/lock                 lock of the writer
//	.selfplay/failures.jsonl       games that panicked, if any
//
// The card, croissant.json and the manifest are derived files: they follow from the plan
// and the commit records and can be written again at any time.
//
// # Plans and shards
//
// A shard holds K games, where K is Plan.ShardGames. Shard s holds the games s*K to
// s*K+K-1 and is a function of the plan and s alone. Two datasets of one plan are
// therefore equal byte for byte, on any number of processors and after any number of
// kills.
//
// The number of games is not part of the plan. A larger target extends the dataset; a
// smaller one removes nothing. The last shard may be short; then the names of its data files
// hold its number of games. If a larger target makes it longer, the games are taken as they are, and
// the longer shard takes the place of the short one, so that an extended
// dataset equals one that was made in a single run.
//
// The filter of a plan drops rows, not games. A shard has all its games even if it has no
// row. Its commit record counts the dropped rows for each part of the filter. Other rows
// can be made of the same games: a Source passes the games of a finished dataset to making.Make,
// and the result equals the one that playing them again would give.
//
// # Invariants
//
//	I1  A file with its final name is complete.
//	I2  A shard counts if and only if its commit record exists and matches the plan and
//	    the files: sizes, SHA-256, row counts, row digests.
//	I3  Clock, host, worker count and map order affect no byte outside .selfplay/.
//	I4  No file is modified in place.
//
// Rows that count never vanish before their successor counts. All this holds after a kill or a power cut at any moment.
//
// # Life of a shard
//
//  1. Play delivers games. Each finished game goes to a journal at once, so that it is
//     never played again.
//  2. The rows of the games are written to two files of each split in .selfplay/tmp/.
//  3. The files are synced, closed, opened again and checked.
//  4. They are published under their final names, which must be free. An existing
//     file must be equal; otherwise the error is ErrNondeterminism.
//  5. The commit record is published in the same way. From here on the shard counts.
//  6. The journals of the shard are removed.
//
// A shard that gets more games has its record replaced at step 5, in one step, and its shorter
// files removed after it: package record describes the steps.
//
// A kill between 4 and 5 leaves files without a record. The next run makes the shard
// again and compares. If the plan is approximate, which means that playing again gives other games, it takes
// over the games in these files instead; so does a second task that makes the shard.
//
// # Processes
//
// One run holds the lock of a dataset exclusively, or several tasks share it, each for
// its own shards. Two tasks may make the same shard: the second one finds equal files.
// Writing derived files needs the exclusive lock. Readers need no
// lock. The lock ends with its process. See package disk.
//
// A dataset may lie in an object store: its root is a URL then, of a scheme that the program
// has registered with package disk. Locks do not reach other machines there, so every run works
// as a task does, and Repair refuses. Finalize and tasks that run at the same time notice each other by
// the target: see package making. See disk.Register.
//
// # Packages below and above
//
// Below are what a dataset consists of: plan (what it is to contain) and record (what it has, with
// card, croissant.json and manifest). Above are making, checking, and what reads datasets. All of them return
// the errors of this package. docs/architecture.md has the map.
//
// # Formats
//
// Both tables are encode.Tables. A column on disk is an integer of 8 to 64 bits, a bool,
// an array of fixed length, a list or a string. No value is ever null. Arrays are
// fixed-size lists, which pandas, Polars, DuckDB and PyTorch read directly, or byte
// strings (Packed).
//
// A change to any byte of a data file for the same plan needs a higher WriterVersion;
// golden files guard this. The texts of the card and of croissant.json may change without a
// new version, because the manifest holds the sums of the texts that were written.
package datasets

import (
	"context"
	"fmt"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
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
	file      *plan.File
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

// OpenAnew is Open for verification: it computes every SHA-256 anew, also of files that the process knows.
func OpenAnew(root string) (*Dataset, error) {
	ds, err := Open(root)
	if err != nil {
		return nil, err
	}
	return New(ds.d, ds.file), nil
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
	file, err := plan.Read(d)
	if err != nil {
		return nil, err
	}
	return &Dataset{d: d, file: file}, nil
}

// Plan returns a copy of the plan.
func (ds *Dataset) Plan() plan.Plan { return ds.file.Plan.Clone() }

// PlanHash returns the hash of the plan.
func (ds *Dataset) PlanHash() string { return ds.file.Hash }

// About returns title and origin of the dataset.
func (ds *Dataset) About() plan.About { return ds.file.About }

// Description returns the meaning of the numbers. The caller must not change its slices.
func (ds *Dataset) Description() plan.Description { return ds.file.Description }

// Commits reads the records of all committed shards, in shard order. They take about 1 KB a
// shard. The error is ErrNoRecords for a copy without .selfplay/.
func (ds *Dataset) Commits() (commits []*record.Commit, err error) {
	for c, err := range record.Each(ds.d, ds.file) {
		if err != nil {
			return nil, err
		}
		commits = append(commits, c)
	}
	if len(commits) == 0 {
		err = ds.checkRecords()
	}
	return commits, err
}

// checkRecords returns ErrNoRecords for a dataset that has data files and no records.
func (ds *Dataset) checkRecords() error {
	lost, err := record.HasNoBookkeeping(ds.d)
	if lost {
		err = fmt.Errorf("read %s: %w: copy .selfplay/ too, as cp -r and rsync -a do", ds.d, ErrNoRecords)
	}
	return err
}

// Commit reads the record of a shard. The error is fs.ErrNotExist if the shard is not committed.
func (ds *Dataset) Commit(shard int) (*record.Commit, error) {
	return record.Read(ds.d, ds.file, shard)
}

// CommitFollower returns what Commits does, again and again. See record.Follower.
type CommitFollower = record.Follower[*record.Commit]

// Follow returns a follower of the records of the dataset.
func (ds *Dataset) Follow() *CommitFollower {
	f := record.Follow(ds.d, ds.file, func(c *record.Commit) (*record.Commit, error) { return c, nil })
	f.Empty = ds.checkRecords
	return f
}

// Target returns the number of games that the last run was to reach, 0 if it is unknown.
func (ds *Dataset) Target() (uint64, error) { return record.ReadTarget(ds.d) }

// Parts returns the parts of all committed shards, in the order of the shards.
func (ds *Dataset) Parts() ([]*record.Part, error) {
	commits, err := ds.Commits()
	return record.PartsOf(commits), err
}

// PlanError returns the error for a caller that wants a dataset of plan p here.
func (ds *Dataset) PlanError(p plan.Plan) *PlanError { return NewPlanError(ds.d, ds.file, p) }

// Network returns the file of a network of the dataset by its SHA-256. The error is
// ErrNoNetwork if the plan names no such network or the file does not exist, and ErrCorrupt
// if the file has another sum.
func (ds *Dataset) Network(sum string) ([]byte, error) {
	if !slices.Contains(ds.file.Plan.Networks, sum) {
		return nil, fmt.Errorf("read %s: %w: its plan names no network %s", ds.d.String(), plan.ErrNoNetwork, sum)
	}
	return plan.ReadNetwork(ds.d, sum)
}

// Networks returns the files of all networks of the dataset.
func (ds *Dataset) Networks() (files [][]byte, err error) {
	for _, sum := range ds.file.Plan.Networks {
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
	return ds.file.RowMetadata(columns, boardType)
}

// Census returns a census of the dataset.
func (ds *Dataset) Census() *record.Census { return record.NewCensus(ds.d, ds.file) }

// New returns the dataset in d, whose plan is file, for those who make or verify it: it computes every
// SHA-256 anew, also of files that the process knows.
func New(d disk.Dir, file *plan.File) *Dataset { return &Dataset{d, file, true} }

// Play plays the given games, which are in ascending order.
//
// It passes each game to journal as soon as the game ends, in any order, and to sink in
// game order. Both calls come from the goroutine that called Play. journal may be nil; if it
// is not, Play may also let games go on from it and keep games under way in it, from any goroutine.
// The record belongs to the callee until it returns; Play may reuse it afterwards.
//
// Make calls Play once per shard, from up to Options.OpenShards goroutines at once, so Play
// must be safe for concurrent use. It returns the first error of journal or sink, or the
// error of ctx. An error that is ErrIncomplete means that Play was asked to stop: Make
// then begins no further shard, and open shards end when their own Play returns.
type Play func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error

// RowFunc appends the rows of a record to a table of Description.Columns. It adds the
// number of dropped rows to dropped, which has one element for each part of Plan.Filter.
//
// The rows must be a function of the record alone. A RowFunc may keep buffers between
// calls: each one is used by a single goroutine. It must not keep rec, t or dropped.
type RowFunc func(rec *engine.Record, t *encode.Table, dropped []uint64) error
