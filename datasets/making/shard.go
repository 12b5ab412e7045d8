package making

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"syscall"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// make makes shard s of games games from first, including its commit record. short is the record of the shard
// with fewer games, nil if there is none. The result is the record that counts.
func (m *shardMaker) make(ctx context.Context, short *record.Commit, s int, first, games uint64) (*record.Commit, error) {
	if m.file.Plan.Approximate() {
		return m.makeApproximate(func() (*record.Commit, error) { return m.makeOnce(ctx, short, s, first, games) })
	}
	return m.makeOnce(ctx, short, s, first, games)
}

// makeOnce makes the shard in one try.
func (m *shardMaker) makeOnce(ctx context.Context, short *record.Commit, s int, first, games uint64) (*record.Commit, error) {
	o, err := m.open(s, first, games)
	if err != nil {
		return nil, err
	}
	defer o.abandon()
	if short != nil {
		if err := o.extend(short); err != nil {
			return nil, err
		}
	}
	if err := o.collect(ctx); err != nil {
		return nil, err
	}
	if err := o.finish(); err != nil {
		return nil, err
	}
	if m.recheck != nil {
		if err := m.recheck(ctx); err != nil {
			return nil, changedModel(err)
		}
	}
	c, err := o.publish()
	if err != nil {
		return nil, err
	}
	if m.journaled {
		_ = journal.Drop(m.d, s) // the next run sweeps journals of committed shards
	}
	return c, nil
}

// open creates the temporary files of a shard.
func (m *shardMaker) open(s int, first, games uint64) (*openShard, error) {
	p := m.file.Plan
	o := &openShard{m: m, results: record.ResultCounts{}, dropped: make([]uint64, len(p.Filter)), next: first, splits: p.Splits()}
	o.commit = &record.Commit{Format: plan.FormatVersion, Plan: m.file.Hash, Shard: s, FirstGame: first, Games: games, Build: m.build}
	for i, part := range p.Parts(s, games) {
		o.parts = append(o.parts, &openPart{Part: part, tables: m.tablesOf(i)})
	}
	for _, part := range o.parts {
		if err := part.create(m, s, games); err != nil {
			o.abandon()
			return nil, err
		}
	}
	return o, nil
}

// abandon removes the temporary files that are not published.
func (o *openShard) abandon() {
	for _, part := range o.parts {
		for _, f := range part.files {
			if f != nil {
				f.abandon()
			}
		}
	}
}

// finish completes and checks all files, and the commit record.
func (o *openShard) finish() error {
	for _, part := range o.parts {
		for i := range part.files {
			entry, err := o.finishFile(part, i)
			if err != nil {
				return err
			}
			o.commit.Files = append(o.commit.Files, entry)
		}
		o.commit.Rows += o.commit.Files[len(o.commit.Files)-2].Rows
	}
	o.commit.Results = o.results.List()
	o.commit.Dropped = record.DroppedRows(o.m.file.Plan, o.dropped)
	return nil
}

// finishFile completes and checks file i of a part.
func (o *openShard) finishFile(part *openPart, i int) (record.FileEntry, error) {
	if err := o.flush(part, i, 1); err != nil {
		return record.FileEntry{}, err
	}
	f := part.files[i]
	entry, err := f.finish()
	if err == nil {
		err = o.m.check.Check(o.m.d, f.tmp, f.spec, entry)
	}
	return entry, err
}

// publish gives all files their final names and then writes the commit record; it returns the one that counts. A
// kill in between leaves files without a record, with which the next run compares its own. Games come before
// positions: see makeApproximate.
func (o *openShard) publish() (*record.Commit, error) {
	end := o.commit.FirstGame + o.commit.Games
	if err := checkBelowTarget(o.m.d, end); err != nil {
		return nil, err
	}
	for _, file := range []int{plan.GamesFile, plan.PositionsFile} {
		for i, part := range o.parts {
			f := part.files[file]
			if err := f.publish(o.commit.Files[2*i+file]); err != nil {
				return nil, err
			}
			if err := o.m.d.SyncFolder(f.name); err != nil {
				return nil, f.fail("publish", err)
			}
		}
	}
	c, err := record.Write(o.m.d, o.commit, o.m.file, o.extends)
	if err != nil {
		return nil, err
	}
	return c, keepBelowTarget(o.m.d, end)
}

// dataFile is a data file that is being written under a temporary name. Its SHA-256 and
// row digest are computed on the way.
type dataFile struct {
	d      disk.Dir
	name   string // final name
	tmp    string
	spec   colfile.Spec
	f      disk.File // nil after finish
	sum    hash.Hash
	bytes  *colfile.CountingWriter
	buffer *bufio.Writer
	table  colfile.Writer // nil after finish
	digest *colfile.RowDigest
}

func createDataFile(d disk.Dir, name string, s colfile.Spec) (*dataFile, error) {
	f := &dataFile{d: d, name: name, spec: s, sum: sha256.New(), digest: colfile.NewRowDigest(s.Columns)}
	f.tmp = d.TempName(path.Dir(name) + "-" + path.Base(name))
	file, err := d.FS.Create(d.Path(f.tmp))
	if err != nil {
		return nil, f.fail("create", err)
	}
	f.f = file
	f.bytes = &colfile.CountingWriter{W: io.MultiWriter(file, f.sum)}
	f.buffer = bufio.NewWriterSize(f.bytes, 32<<10)
	f.table, err = colfile.NewWriter(f.buffer, s)
	if err != nil {
		f.abandon()
		return nil, f.fail("write", err)
	}
	return f, nil
}

// fail returns err as a FileError. A nil err stays nil.
func (f *dataFile) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	return &fault.FileError{Op: op, Path: f.name, Err: err}
}

// write appends rows.
func (f *dataFile) write(t *encode.Table) error {
	f.digest.Add(t)
	return f.fail("write", f.table.Write(t))
}

// finish completes, syncs and closes the temporary file. It returns the entry of the
// file for the commit record.
func (f *dataFile) finish() (record.FileEntry, error) {
	err := f.table.Close()
	f.table = nil // its memory is free while the file is read back
	if err == nil {
		err = f.buffer.Flush()
	}
	if err == nil {
		err = f.f.Sync()
	}
	err = errors.Join(err, f.f.Close())
	f.f = nil
	return record.FileEntry{
		Name:      f.name,
		Bytes:     f.bytes.N,
		SHA256:    hex.EncodeToString(f.sum.Sum(nil)),
		Rows:      f.digest.Rows,
		RowDigest: f.digest.Sum(),
	}, f.fail("write", err)
}

// abandon removes the temporary file, if it still exists.
func (f *dataFile) abandon() {
	if f.f != nil {
		f.f.Close()
	}
	_ = f.d.Remove(f.tmp) // the next run sweeps temporary files
}

// publish gives the finished file its final name. If a killed run left a file with that
// name, it must be equal.
func (f *dataFile) publish(want record.FileEntry) error {
	err := f.d.Publish(f.tmp, f.name)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return f.fail("publish", err)
	}
	sum, err := record.SumFile(f.d, f.name)
	if err != nil {
		return f.fail("read", err)
	}
	if sum != want.SHA256 {
		return f.fail("publish", fmt.Errorf("%w: the existing file has SHA-256 %.12s, this run made %.12s", fault.ErrNondeterminism, sum, want.SHA256))
	}
	return f.fail("publish", f.d.FS.Remove(f.d.Root, f.tmp))
}

// The games of an approximate plan come out differently when they are played again: by a second task that
// makes the same shard, and by the run after one that was killed between the files of a shard and its commit
// record. The first file of games decides. Files of games are published before those of positions, and a maker
// that finds one takes its games over in place of its own. Positions and commit record follow from the
// games, so all makers of a shard publish the same bytes, and no file is ever replaced: an object store
// has no lock that would allow it.

// Before a game is played, the model must agree with the one that began the dataset: see record.Answers.

// checkAnswers compares the answers of models with those in the dataset. Nothing has been written yet.
func (o *Options) checkAnswers(d disk.Dir, file *plan.File) error {
	if len(o.Answers) == 0 {
		return nil
	}
	if found, err := plan.Read(d); err != nil || found.Hash != file.Hash {
		return nil //nolint:nilerr // a new dataset; openPlan refuses another or a damaged plan
	}
	for _, a := range o.Answers {
		if err := record.CheckAnswers(d, a); err != nil {
			return explainAnswers(d, err)
		}
	}
	return nil
}

// keepAnswers stores the answers of models that the dataset lacks, and compares the others.
func (o *Options) keepAnswers(d disk.Dir) error {
	for _, a := range o.Answers {
		if err := record.KeepAnswers(d, a); err != nil {
			return explainAnswers(d, err)
		}
	}
	return nil
}

// explainAnswers makes another model a reason to refuse the dataset, as another fingerprint is.
func explainAnswers(d disk.Dir, err error) error {
	if errors.Is(err, record.ErrAnswers) {
		err = fmt.Errorf("open %s: %w: %w", d, datasets.ErrPlanMismatch, err)
	}
	return err
}

// makings bounds how often a shard is made. Each time after the first the maker takes over a file of games
// that it did not see before, and a shard has one of each split.
const makings = 3

// makeApproximate makes a shard again, with the games of another maker, as long as such games get in its way.
func (m *shardMaker) makeApproximate(make func() (*record.Commit, error)) (c *record.Commit, err error) {
	defer func() { m.again = false }()
	for n := range makings {
		m.again = n > 0
		c, err = make()
		if !errors.Is(err, fault.ErrNondeterminism) {
			return c, err
		}
	}
	return nil, err
}

// recoverApproximate is recover for an approximate plan. Published games come before journaled ones.
func (o *openShard) recoverApproximate(end uint64) error {
	if o.m.journaled {
		if err := o.addJournaled(end); err != nil {
			return err
		}
	}
	for _, part := range o.parts {
		if err := o.addPublished(part.Part); err != nil {
			return err
		}
	}
	return nil
}

// addPublished recovers the games of a part from its file, if a maker has published it.
func (o *openShard) addPublished(part plan.Part) error {
	d, name := o.m.d, o.m.file.Plan.DataName(plan.Games, part.Split, o.commit.Shard, o.commit.Games)
	size, err := d.Size(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	sum, err := record.SumFile(d, name)
	if err != nil {
		return err
	}
	p := &record.Part{Part: part, Shard: o.commit.Shard}
	p.Files[plan.GamesFile] = record.FileEntry{Name: name, Bytes: size, SHA256: sum, Rows: part.Games}
	for r, err := range datasets.New(d, o.m.file).Games(p) {
		if err != nil {
			return err
		}
		if r.Game < o.next { // the shorter shard has it
			continue
		}
		own := new(engine.Record)
		own.CopyFrom(r)
		o.recovered[r.Game] = own
	}
	return nil
}

// DefaultMinFree is a value of Options.MinFree: keep a gibibyte free, or 2 % of the disk
// if that is less.
const DefaultMinFree = ^uint64(0)

// assumedGameBytes is the assumed size of a game while none is committed: twice the size
// of a CoTuLenh game of random moves with its journal.
const assumedGameBytes = 16 << 10

// spaceAdvice ends the text of ErrNoSpace errors.
const spaceAdvice = "free some space, then run the same command again"

// bytesToKeepFree resolves DefaultMinFree for a disk of total bytes.
func bytesToKeepFree(minFree, total uint64) uint64 {
	if minFree == DefaultMinFree {
		return min(1<<30, total/50)
	}
	return minFree
}

// checkSpace returns ErrNoSpace unless the disk has room for the open shards, one more,
// and the bytes to keep free. If free space is unknown, assume there is enough. The
// caller holds r.mu.
func (r *run) checkSpace() error {
	if r.o.MinFree == 0 {
		return nil
	}
	free, total, ok := r.d.FS.Space(r.d.Root)
	if !ok {
		return nil
	}
	keep, shards := bytesToKeepFree(r.o.MinFree, total), r.expectedShardBytes()*uint64(r.open+1)
	if free >= keep && free-keep >= shards {
		return nil
	}
	return fmt.Errorf("%w: %s has %s free, want %s for shards and %s to spare; %s",
		datasets.ErrNoSpace, r.d.Root, record.FormatSize(int64(free)), record.FormatSize(int64(shards)), record.FormatSize(int64(keep)), spaceAdvice)
}

// expectedShardBytes returns the expected bytes of a shard, from the committed ones.
func (r *run) expectedShardBytes() uint64 {
	bytes, games := uint64(r.done.Bytes), r.done.Games
	perGame := uint64(assumedGameBytes)
	if games > 0 {
		perGame = bytes/games + bytes/games/4 // a quarter more for the journal
	}
	return perGame * min(uint64(r.file.Plan.ShardGames), r.target)
}

// explainNoSpace adds ErrNoSpace and advice to an error of a full disk.
func explainNoSpace(err error) error {
	if (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) && !errors.Is(err, datasets.ErrNoSpace) {
		return fmt.Errorf("%w: %w; %s", datasets.ErrNoSpace, err, spaceAdvice)
	}
	return err
}
