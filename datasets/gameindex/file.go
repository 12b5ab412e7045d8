package gameindex

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// The index file is an Arrow file (package colfile), and behind it the XXH3 of its bytes, 8 bytes
// little endian. A row is a shard, and the rows ascend by its number:
//
//	shard             uint32  its number
//	games_file        string  SHA-256 of its games files
//	names, name_ends  names of the players, end to end, and where each ends
//	pairs             two indexes of names for each pair of players
//	result to opening_6       the columns of the shard: lists with a value for each game
//
// The first row has all names and pairs. Version, plan hash and model are in the metadata. Any
// deviation makes the whole file worthless, and it is made again. It is not compressed, because a
// server that starts waits for it.
const fileVersion = "1"

// sumBytes is the size of the sum.
const sumBytes = 8

// Indexes of the columns of the index file. Those of the shard follow, in the order of shardColumns.
const (
	colShard = iota
	colGamesFile
	colNames
	colNameEnds
	colPairs
	colFirst
)

// Suffixes of the files beside the index file.
const (
	partialSuffix = ".partial" // the file that is being written
	lockSuffix    = ".lock"    // locked by the process that writes
)

// maxBase is the longest part of a name in bytes that comes from the dataset. With the hash and
// the suffixes, the name of a file is below the 255 bytes that file systems take.
const maxBase = 128

// fileName returns the name of the index file of a dataset. It has a hash of the whole path,
// because datasets in different folders may have the same name.
func fileName(cache, root string) string {
	whole := root
	if abs, err := filepath.Abs(root); err == nil && !strings.Contains(root, "://") {
		whole = abs
	}
	sum := sha256.Sum256([]byte(whole))
	base := filepath.Base(filepath.Clean(whole))
	base = strings.ToValidUTF8(base[:min(len(base), maxBase)], "")
	return filepath.Join(cache, base+"-"+hex.EncodeToString(sum[:8])+".games")
}

// spec describes the index file of this index.
func (ix *Index) spec() colfile.Spec {
	columns := []encode.Column{
		colShard:     {Name: "shard", Kind: encode.Uint32},
		colGamesFile: {Name: "games_file", Kind: encode.String, Len: encode.Var},
		colNames:     {Name: "names", Kind: encode.String, Len: encode.Var},
		colNameEnds:  {Name: "name_ends", Kind: encode.Uint32, Len: encode.Var},
		colPairs:     {Name: "pairs", Kind: encode.Uint32, Len: encode.Var},
	}
	for _, c := range shardColumns {
		columns = append(columns, encode.Column{Name: c.name, Kind: c.kind, Len: encode.Var})
	}
	model := "none"
	if w := ix.shape.WDL; w != nil {
		model = fmt.Sprintf("a=%d b=%d", w.A, w.B)
	}
	return colfile.Spec{
		Format: colfile.Arrow, Uncompressed: true, Columns: columns,
		Metadata: []encode.KeyValue{{Key: "version", Value: fileVersion}, {Key: "plan", Value: ix.ds.PlanHash()}, {Key: "model", Value: model}},
	}
}

// save writes the index file, unless another process is writing it. It keeps an error in
// ix.saving: an index works without its file.
func (ix *Index) save(s *state) {
	if ix.file == "" {
		return
	}
	done, err := ix.replaceFile(s)
	ix.saving = err
	if done {
		ix.saved = s.games
	}
}

// replaceFile replaces the index file, and reports whether it has. It does not sync: a file that a
// power cut damages is made again.
func (ix *Index) replaceFile(s *state) (done bool, err error) {
	if err := os.MkdirAll(filepath.Dir(ix.file), 0o755); err != nil {
		return false, err
	}
	unlock, held, err := disk.TryLockFile(ix.file + lockSuffix)
	if err != nil || !held {
		return false, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	f, err := os.Create(ix.file + partialSuffix)
	if err != nil {
		return false, err
	}
	err = errors.Join(ix.write(f, s), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), ix.file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err == nil, err
}

// batchGames is about the number of games of a record batch. Readers share the batches.
const batchGames = 1 << 16

// write writes an index file.
func (ix *Index) write(w io.Writer, s *state) error {
	spec, sum := ix.spec(), xxh3.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 256<<10)
	file, err := colfile.NewWriter(out, spec)
	if err != nil {
		return err
	}
	t := encode.NewTable(spec.Columns)
	s.players.appendTo(t)
	for _, sh := range s.shards {
		sh.appendTo(t)
		if len(t.Data[colFirst])+t.Rows < batchGames {
			continue
		}
		if err := file.Write(t); err != nil {
			return err
		}
		t.Reset()
	}
	if err := errors.Join(file.Write(t), file.Close(), out.Flush()); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, sum.Sum64())
}

// appendTo appends the players to the first row.
func (p *players) appendTo(t *encode.Table) {
	for _, name := range p.names {
		t.AddBytes(colNames, []byte(name))
		t.AddUint32(colNameEnds, uint32(len(t.Data[colNames])))
	}
	for _, of := range p.pairs {
		t.AddUint32(colPairs, of[0])
		t.AddUint32(colPairs, of[1])
	}
}

// appendTo appends the row of a shard.
func (s *shard) appendTo(t *encode.Table) {
	t.AddUint32(colShard, uint32(s.commit.Shard))
	t.AddBytes(colGamesFile, []byte(s.sum))
	for i, c := range shardColumns {
		col := colFirst + i
		t.Data[col], _ = binary.Append(t.Data[col], binary.LittleEndian, c.values(s)) // of one size
	}
	for col, c := range t.Columns {
		if c.Len == encode.Var {
			t.End(col)
		}
	}
	t.Rows++
}

// load returns the shards of the index file that are still committed. A file that is missing,
// damaged or of another plan, model or version has none.
func (ix *Index) load(commits []*record.Commit) *state {
	stored, err := ix.readFile()
	if err != nil {
		return newState(nil, players{})
	}
	var list []*shard
	for _, c := range commits {
		if sh := stored.find(c.Shard); sh != nil && sh.same(c) {
			sh.commit = c
			list = append(list, sh)
		}
	}
	return newState(list, stored.players)
}

// readFile reads the index file.
func (ix *Index) readFile() (*state, error) {
	f, err := disk.OS{}.Open(ix.file) // which refuses a pipe: it would wait for a writer
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	return ix.read(f, size)
}

// read reads an index file of size bytes. The records of the shards have only what identifies them.
func (ix *Index) read(f io.ReaderAt, size int64) (*state, error) {
	size -= sumBytes
	if err := checkSum(f, size); err != nil {
		return nil, err
	}
	spec := ix.spec()
	open := func() (colfile.Reader, error) { return colfile.NewReader(io.NewSectionReader(f, 0, size), spec) }
	r, err := open()
	if err != nil {
		return nil, err
	}
	batches := make([]batch, r.Groups())
	err = divide(context.Background(), len(batches), func(groups iter.Seq[int]) error {
		r, err := open()
		if err != nil {
			return err
		}
		t := encode.NewTable(spec.Columns)
		for i := range groups {
			t.Reset()
			if err := colfile.ReadGroup(r, i, t); err != nil {
				return err
			}
			if err := batches[i].read(t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return join(batches)
}

// checkSum compares the first size bytes of a file with the sum behind them.
func checkSum(f io.ReaderAt, size int64) error {
	sum, want := xxh3.New(), make([]byte, sumBytes)
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return err
	}
	if _, err := f.ReadAt(want, size); err != nil {
		return fmt.Errorf("%w: no sum: %w", datasets.ErrCorrupt, err)
	}
	if sum.Sum64() != binary.LittleEndian.Uint64(want) {
		return fmt.Errorf("%w: wrong sum", datasets.ErrCorrupt)
	}
	return nil
}

// batch is what a record batch of the file has.
type batch struct {
	players
	shards []*shard
}

// read reads the rows of t.
func (b *batch) read(t *encode.Table) error {
	for row := range t.Rows {
		s, err := readShard(t, row)
		if err == nil {
			err = b.players.read(t, row)
		}
		if err != nil {
			return err
		}
		b.shards = append(b.shards, s)
	}
	return nil
}

// read adds the players of a row.
func (p *players) read(t *encode.Table, row int) error {
	text, start := t.Cell(colNames, row), uint32(0)
	for ends := t.Cell(colNameEnds, row); len(ends) > 0; ends = ends[4:] {
		end := binary.LittleEndian.Uint32(ends)
		if end < start || uint64(end) > uint64(len(text)) {
			return fmt.Errorf("%w: names of players", datasets.ErrCorrupt)
		}
		p.names = append(p.names, string(text[start:end]))
		start = end
	}
	for of := t.Cell(colPairs, row); len(of) >= 8; of = of[8:] {
		p.pairs = append(p.pairs, pair{binary.LittleEndian.Uint32(of), binary.LittleEndian.Uint32(of[4:])})
	}
	return nil
}

// readShard returns the shard of a row.
func readShard(t *encode.Table, row int) (*shard, error) {
	c := &record.Commit{Shard: int(binary.LittleEndian.Uint32(t.Cell(colShard, row))), Games: uint64(len(t.Cell(colFirst, row)))}
	s := newShard(c)
	s.sum = string(t.Cell(colGamesFile, row))
	for i, column := range shardColumns {
		data := t.Cell(colFirst+i, row)
		if len(data) != s.games()*column.kind.Size() {
			return nil, fmt.Errorf("%w: %d bytes of column %s for %d games", datasets.ErrCorrupt, len(data), column.name, s.games())
		}
		if _, err := binary.Decode(data, binary.LittleEndian, column.values(s)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// join returns the shards and the players of all batches.
func join(batches []batch) (*state, error) {
	var shards []*shard
	var p players
	for _, b := range batches {
		p.names, p.pairs = append(p.names, b.names...), append(p.pairs, b.pairs...)
		shards = append(shards, b.shards...)
	}
	for _, of := range p.pairs {
		if int(max(of[0], of[1])) >= len(p.names) {
			return nil, fmt.Errorf("%w: player %d of %d", datasets.ErrCorrupt, max(of[0], of[1]), len(p.names))
		}
	}
	last := -1
	for _, s := range shards {
		if s.commit.Shard <= last || s.games() > 0 && int(slices.Max(s.players)) >= len(p.pairs) {
			return nil, fmt.Errorf("%w: shard %d after shard %d, with some of %d pairs", datasets.ErrCorrupt, s.commit.Shard, last, len(p.pairs))
		}
		last = s.commit.Shard
	}
	return newState(shards, p), nil
}
