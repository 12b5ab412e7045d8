package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"sync"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/goroutine"
)

// Read reads the record of shard s.
func Read(d disk.Dir, file *plan.File, s int) (*Commit, error) {
	c, _, err := readText(d, file, s)
	return c, err
}

// readText is Read with the text of the record.
func readText(d disk.Dir, file *plan.File, s int) (c *Commit, text []byte, err error) {
	text, err = d.ReadFile(plan.CommitName(s))
	if err != nil && !errors.Is(err, fault.ErrCorrupt) {
		return nil, nil, err
	}
	if err == nil {
		c, err = Parse(text, file, s)
	}
	if err != nil {
		return nil, nil, &fault.FileError{Op: "read", Path: plan.CommitName(s), Err: err}
	}
	return c, text, nil
}

// ReadWhole reads the record of shard s and checks the sizes of its files. Another task may extend the shard between
// the two.
func ReadWhole(d disk.Dir, file *plan.File, s int) (*Commit, error) {
	for {
		c, err := Read(d, file, s)
		if err != nil {
			return nil, err
		}
		err = CheckSizes(d, file.Plan, c.Fact())
		if err == nil {
			return c, nil
		}
		if now, readErr := Read(d, file, s); readErr != nil || now.Same(c) {
			return nil, err
		}
	}
}

// Each yields all records in shard order. An error ends the sequence; the record is
// then nil.
func Each(d disk.Dir, file *plan.File) iter.Seq2[*Commit, error] {
	return eachShard(d, func(s int) (*Commit, error) { return Read(d, file, s) }, false)
}

// eachShard yields what read returns for each committed shard, in shard order. With leaveOut it leaves out shards whose
// record is not found: they were repaired since they were listed. Another error ends the sequence.
func eachShard[T any](d disk.Dir, read func(s int) (T, error), leaveOut bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		shards, err := ListShards(d, plan.CommitsFolder)
		if err != nil {
			yield(*new(T), err)
			return
		}
		for v, err := range ReadAhead(shards, read) {
			if leaveOut && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// ListShards returns the shards that have a record in folder, in order. Any other name in
// the folder is ErrCorrupt: this package writes only records there.
func ListShards(d disk.Dir, folder string) ([]int, error) {
	names, err := d.List(folder)
	if err != nil {
		return nil, err
	}
	var shards []int
	for _, name := range names {
		s, ok := plan.ShardOfRecord(name)
		if !ok {
			return nil, &fault.FileError{Op: "read", Path: path.Join(folder, name), Err: ErrName}
		}
		shards = append(shards, s)
	}
	slices.Sort(shards)
	return shards, nil
}

// ErrName means that a name in a folder of records is not the name of a record.
var ErrName = fault.Corrupt("not a shard record")

// Write publishes a record; extends says that the shard has one with fewer games. It returns the record that counts
// now: another task may have committed the shard, with the same content or with more games.
func Write(d disk.Dir, c *Commit, file *plan.File, extends bool) (*Commit, error) {
	if !extends {
		err := d.Create(plan.CommitName(c.Shard), c.Encode())
		if !errors.Is(err, fs.ErrExist) {
			return c, err
		}
	}
	for {
		found, text, err := readText(d, file, c.Shard)
		switch {
		case err != nil:
			return nil, err
		case found.Games > c.Games:
			_ = DropFiles(d, c.fileNames()) // what remains is a leftover
			return found, nil
		case found.Games < c.Games:
			if err := c.replace(d, found, text); !errors.Is(err, disk.ErrChanged) {
				return c, err
			}
		case !found.Same(c):
			return nil, fmt.Errorf("commit: %w: another task committed other content", fault.ErrNondeterminism)
		default:
			return c, nil
		}
	}
}

// replace publishes a record in the place of a shorter one with the given text, and removes the files of that. Two tasks that share a disk have the
// same whole shards to make, so that it does not matter whose record stays. In an object store the error
// is disk.ErrChanged if another run has replaced the record. There another run may also write the manifest, of the
// short shard, at any time before it sees this record, so the manifest is removed once more.
func (c *Commit) replace(d disk.Dir, short *Commit, text []byte) error {
	err := DropManifest(d)
	if err == nil {
		err = d.ReplaceIf(plan.CommitName(c.Shard), text, c.Encode())
	}
	if err == nil && d.IsStore() {
		err = DropManifest(d)
	}
	if err == nil {
		_ = DropFiles(d, short.fileNames()) // what remains is a leftover
	}
	return err
}

// CheckSizes is the quick check of a shard: its files exist and have the recorded sizes.
func CheckSizes(d disk.Dir, p plan.Plan, s Shard) error {
	for i, name := range p.DataNames(s.Shard, s.Games) {
		size, err := d.Size(name)
		if err != nil {
			return &fault.FileError{Op: "check", Path: name, Err: fault.Corrupt("%w", err)}
		}
		if size != s.Sizes[i] {
			return &fault.FileError{Op: "check", Path: name, Err: fault.Corrupt("%d bytes, want %d", size, s.Sizes[i])}
		}
	}
	return nil
}

// Missing returns the shards of the target that are not committed with all their
// games.
func Missing(p plan.Plan, commits []*Commit, target uint64) []int {
	games := map[int]uint64{}
	for _, c := range commits {
		games[c.Shard] = c.Games
	}
	return shardsWithout(p, func(s int) uint64 { return games[s] }, target)
}

// shardsWithout is Missing for the numbers of committed games by shard.
func shardsWithout(p plan.Plan, games func(s int) uint64, target uint64) []int {
	var missing []int
	for s := range min(p.Shards(target), plan.MaxShards) {
		if _, want := p.GamesOf(s, target); games(s) != want {
			missing = append(missing, s)
		}
	}
	return missing
}

// Parse reads the record of shard s. It checks its sum and compares it with the plan,
// without looking at the files.
func Parse(data []byte, file *plan.File, s int) (*Commit, error) {
	c, err := decodeCommit(data)
	if err != nil {
		return nil, err
	}
	return c, c.check(file, s)
}

// decodeCommit reads a canonical record and checks its sum.
func decodeCommit(data []byte) (*Commit, error) {
	if c, ok := scanCommit(data); ok {
		return c, plan.CheckVersion(c.Format)
	}
	c := new(Commit)
	if err := canonical.Unmarshal(data, c); err != nil {
		return nil, cmp.Or(plan.CheckFormat(data), err)
	}
	if err := plan.CheckVersion(c.Format); err != nil {
		return nil, err
	}
	if string(data) != string(c.Encode()) { // which has the right sum
		return nil, c.whyNotCanonical()
	}
	return c, nil
}

// whyNotCanonical explains that the text of a record is not that of encode.
func (c *Commit) whyNotCanonical() error {
	if sum := c.sum(); sum != c.Sum {
		return fault.Corrupt("sum of the record %.12s, but it says %.12s", sum, c.Sum)
	}
	return canonical.ErrForm
}

func (c *Commit) check(file *plan.File, s int) error {
	first, _ := file.Plan.GamesOf(s, ^uint64(0))
	switch {
	case c.Plan != file.Hash:
		return fault.Corrupt("%w", &OtherPlanError{c.Plan, file.Hash})
	case c.Shard != s:
		return fault.Corrupt("shard %05d, want %05d", c.Shard, s)
	case c.FirstGame != first || c.Games < 1 || c.Games > uint64(file.Plan.ShardGames):
		return fault.Corrupt("%d games from %d, want 1 to %d from %d", c.Games, c.FirstGame, file.Plan.ShardGames, first)
	}
	return c.checkFiles(file.Plan)
}

func (c *Commit) checkFiles(p plan.Plan) error {
	var counted uint64
	for _, n := range c.Results {
		counted += n.Games
	}
	names := p.DataNames(c.Shard, c.Games)
	switch {
	case !slices.EqualFunc(c.Files, names, func(f FileEntry, name string) bool { return f.Name == name }):
		return fault.Corrupt("files %q, want %q", c.fileNames(), names)
	case !slices.EqualFunc(c.Dropped, p.Filter, func(d Dropped, part string) bool { return d.Filter == part }):
		return fault.Corrupt("rows dropped by %v, want by %q", c.Dropped, p.Filter)
	case counted != c.Games:
		return fault.Corrupt("%d games, but %d results", c.Games, counted)
	}
	return c.checkParts(p)
}

// checkParts compares the counts of the files with those of the record and of the plan.
func (c *Commit) checkParts(p plan.Plan) error {
	want, rows := p.Parts(c.Shard, c.Games), uint64(0)
	for i, part := range c.Parts() {
		rows += part.Rows
		if part.Games != want[i].Games {
			return fault.Corrupt("%d games in the games file of %s, want %d", part.Games, part.Split, want[i].Games)
		}
	}
	if rows != c.Rows {
		return fault.Corrupt("%d rows, but %d in the files of positions", c.Rows, rows)
	}
	return nil
}

func (c *Commit) fileNames() (names []string) {
	for _, f := range c.Files {
		names = append(names, f.Name)
	}
	return names
}

// Bookkeeping is read in blocks: several shards at once, because a read of network storage takes
// long, and few enough to keep memory small.
const (
	blockShards  = 512
	blockReaders = 16
)

// ReadAhead yields what read returns for each of shards, in their order. It calls read for
// several shards at once, and for shards that follow the last one that it yields.
func ReadAhead[S, T any](shards []S, read func(s S) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for block := range slices.Chunk(shards, blockShards) {
			for _, r := range readBlock(block, read) {
				if !yield(r.value, r.err) {
					return
				}
			}
		}
	}
}

// blockResult is the result of one read.
type blockResult[T any] struct {
	value T
	err   error
}

// readBlock reads shards. A panic of read is the error of every shard.
func readBlock[S, T any](shards []S, read func(s S) (T, error)) []blockResult[T] {
	results := make([]blockResult[T], len(shards))
	g := goroutine.New()
	for first := range min(blockReaders, len(shards)) {
		g.Go(func() error {
			for i := first; i < len(shards); i += blockReaders {
				results[i].value, results[i].err = read(shards[i])
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		for i := range results {
			results[i].err = err
		}
	}
	return results
}

// CheckSum compares the SHA-256 of a file with its entry. A difference is ErrCorrupt.
func CheckSum(d disk.Dir, name string, want FileEntry) error {
	sum, err := SumFile(d, name)
	if err != nil {
		return err
	}
	return want.compare(sum)
}

// CheckOpened is CheckSum for an open file, which it leaves anywhere.
func CheckOpened(f disk.File, want FileEntry) error {
	sum, err := sumReader(f)
	if err != nil {
		return err
	}
	return want.compare(sum)
}

// CheckKnown is CheckOpened that believes what the process knows of a file of this path; see KnownSum.
func CheckKnown(path string, f disk.File, want FileEntry) error {
	file, ok := f.(interface{ Stat() (fs.FileInfo, error) })
	if !ok { // of an object store
		return CheckOpened(f, want)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	sum, known := KnownSum(path, info)
	if !known {
		sum, err = LearnSum(path, info, f)
	}
	if err != nil {
		return err
	}
	return want.compare(sum)
}

// known is the memory of the process: the sums of files, by path.
var known sync.Map // of string to knownSum

// knownSum is the sum of a file that looked like this.
type knownSum struct {
	info fs.FileInfo
	sum  string
}

// KnownSum returns the SHA-256 of a file, if the process has computed it and size, time and inode of the
// file are the same since.
func KnownSum(path string, info fs.FileInfo) (sum string, found bool) {
	v, found := known.Load(path)
	if !found {
		return "", false
	}
	k := v.(knownSum)
	same := k.info.Size() == info.Size() && k.info.ModTime().Equal(info.ModTime()) && (info.Sys() == nil || os.SameFile(k.info, info))
	return k.sum, same
}

// LearnSum computes the SHA-256 of a file that has been opened, for KnownSum too. info was read before.
func LearnSum(path string, info fs.FileInfo, r io.Reader) (sum string, err error) {
	sum, err = sumReader(r)
	if err == nil {
		known.Store(path, knownSum{info, sum})
	}
	return sum, err
}

// compare compares a SHA-256 with that of the entry.
func (e FileEntry) compare(sum string) error {
	if sum != e.SHA256 {
		return fault.Corrupt("SHA-256 %.12s, want %.12s", sum, e.SHA256)
	}
	return nil
}

// SumFile returns the SHA-256 of a file in hexadecimal.
func SumFile(d disk.Dir, name string) (string, error) {
	f, err := d.FS.Open(d.Path(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumReader(f)
}

// sumReader returns the SHA-256 of what it reads in hexadecimal.
func sumReader(r io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// CheckLevel says how much of a new data file is read back before its shard is committed.
type CheckLevel uint8

const (
	// CheckFull compares the SHA-256, decodes every row and compares the row digest.
	CheckFull CheckLevel = 0
	// CheckLight decodes the first and the last row group and compares the row count. In
	// Parquet it misses flipped bits there that still decode, and all damage between them;
	// VerifySums finds it later. Of an Arrow file it compares the SHA-256.
	CheckLight CheckLevel = 1
)

// Check compares the file name with the entry that describes it.
func (l CheckLevel) Check(d disk.Dir, name string, s colfile.Spec, want FileEntry) error {
	f, err := d.FS.Open(d.Path(name))
	if err != nil {
		return &fault.FileError{Op: "check", Path: want.Name, Err: err}
	}
	defer f.Close()
	// The Arrow reader must not see damaged bytes; the Parquet reader copes with them.
	if l == CheckFull || s.Format == plan.Arrow {
		if err := CheckSum(d, name, want); err != nil {
			return &fault.FileError{Op: "check", Path: want.Name, Err: err}
		}
	}
	r, err := colfile.NewReader(f, s)
	if err == nil {
		err = l.Compare(r, s, want)
	}
	if err != nil {
		return &fault.FileError{Op: "check", Path: want.Name, Err: err}
	}
	return nil
}

// Compare compares an open file with its entry.
func (l CheckLevel) Compare(r colfile.Reader, s colfile.Spec, want FileEntry) error {
	if !slices.Equal(r.Metadata(), s.Metadata) {
		return fault.Corrupt("metadata of another file")
	}
	if l == CheckLight {
		return compareEnds(r, s, want)
	}
	digest, err := colfile.DigestRows(r, s.Columns)
	if err != nil {
		return err
	}
	if digest.Rows != want.Rows || digest.Sum() != want.RowDigest {
		return fault.Corrupt("%d rows with digest %s, want %d with %s", digest.Rows, digest.Sum(), want.Rows, want.RowDigest)
	}
	return nil
}

// compareEnds is the light check.
func compareEnds(r colfile.Reader, s colfile.Spec, want FileEntry) error {
	rows := uint64(0)
	for g := range r.Groups() {
		n, err := r.Rows(g)
		if err != nil {
			return err
		}
		rows += uint64(n)
		if g > 0 && g < r.Groups()-1 {
			continue
		}
		if err := colfile.DigestGroup(r, g, colfile.NewRowDigest(s.Columns)); err != nil {
			return err
		}
	}
	if rows != want.Rows {
		return fault.Corrupt("%d rows, want %d", rows, want.Rows)
	}
	return nil
}
