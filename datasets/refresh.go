package datasets

import (
	"fmt"
	"io/fs"
	"iter"

	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// Target returns the number of games that the last run was to reach, 0 if it is unknown.
func (ds *Dataset) Target() (uint64, error) { return record.ReadTarget(ds.d) }

// Refresh returns what Commits returns, for a program that asks again and again: it reads only
// the records that known, an earlier result, lacks, and those of short shards, which a run may
// extend. A shard whose record disappears meanwhile is left out. It does not change known.
func (ds *Dataset) Refresh(known []*record.Commit) ([]*record.Commit, error) {
	byShard := make(map[int]*record.Commit, len(known))
	for _, c := range known {
		if c.Games >= uint64(ds.h.Plan.ShardGames) {
			byShard[c.Shard] = c
		}
	}
	read := func(s int) (*record.Commit, error) {
		if c := byShard[s]; c != nil {
			return c, nil
		}
		return record.Read(ds.d, ds.h, s)
	}
	commits, err := collect(record.EachAgain(ds.d, read))
	return ds.recorded(commits, err)
}

// collect returns the records of a sequence.
func collect(records iter.Seq2[*record.Commit, error]) (commits []*record.Commit, err error) {
	for c, err := range records {
		if err != nil {
			return nil, err
		}
		commits = append(commits, c)
	}
	return commits, nil
}

// CommitReader reads the records of committed shards again and again, as Commits does, while a
// dataset is being made or repaired. It parses a record again only if its file has changed, or if
// its shard is short and may be extended. One goroutine may use it at a time.
type CommitReader struct {
	ds    *Dataset
	known map[int]knownCommit
}

// knownCommit is a record and the file that it was read from.
type knownCommit struct {
	commit *record.Commit
	file   fs.FileInfo
}

// CommitReader returns a reader of the records of the dataset.
func (ds *Dataset) CommitReader() *CommitReader { return &CommitReader{ds, map[int]knownCommit{}} }

// Read returns the records of the shards that are committed now, in shard order. Unchanged records
// are those of the last call: the caller must not change them.
func (r *CommitReader) Read() (commits []*record.Commit, err error) {
	known := make(map[int]knownCommit, len(r.known))
	for k, err := range record.EachAgain(r.ds.d, r.record) {
		if err != nil {
			return nil, err
		}
		known[k.commit.Shard] = k
		commits = append(commits, k.commit)
	}
	r.known = known
	return r.ds.recorded(commits, nil)
}

// record returns the record of a shard as it is known, or reads it.
func (r *CommitReader) record(s int) (knownCommit, error) {
	file, err := r.ds.d.FS.Stat(r.ds.d.Path(plan.CommitName(s)))
	if err != nil {
		return knownCommit{}, fmt.Errorf("read %s: %w", plan.CommitName(s), err)
	}
	if k, found := r.known[s]; found && k.commit.Games == uint64(r.ds.h.Plan.ShardGames) && sameFile(k.file, file) {
		return k, nil
	}
	c, err := record.Read(r.ds.d, r.ds.h, s)
	return knownCommit{c, file}, err
}

// sameFile reports whether a file looks as it did.
func sameFile(a, b fs.FileInfo) bool { return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) }
