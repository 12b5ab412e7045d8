package gameindex

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
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
const fileVersion = "3"

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
	if ix.saving = err; done {
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
