package gameindex

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"

	"selfplay/datasets"
	"selfplay/datasets/disk"
)

// save writes the index file, unless another process is writing it. It keeps an error in
// ix.saving: an index works without its file.
func (ix *Index) save(s *state) {
	if ix.file == "" {
		return
	}
	done, err := ix.write(s)
	if ix.saving = err; done {
		ix.saved = s.games
	}
}

// write replaces the index file, and reports whether it has. It does not sync: a file that a power
// cut damages is made again.
func (ix *Index) write(s *state) (done bool, err error) {
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
	w := &sectionWriter{w: bufio.NewWriterSize(f, 256<<10)}
	w.write(ix.head(), s)
	err = errors.Join(w.w.Flush(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), ix.file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err == nil, err
}

// sectionWriter writes sections. The writer keeps the first error.
type sectionWriter struct {
	w     *bufio.Writer
	sum   uint32
	block []byte
}

// write writes a whole file.
func (w *sectionWriter) write(h head, s *state) {
	h.Shards, h.Games, h.Names, h.Pairs = len(s.shards), s.games, len(s.players.names), len(s.players.pairs)
	w.w.WriteString(magic)
	text, _ := json.Marshal(h)
	w.section(len(text), func() { w.bytes(text) })
	w.section(shardBytes*len(s.shards), func() {
		for _, sh := range s.shards {
			w.bytes(sh.appendIdentity(w.block[:0]))
		}
	})
	w.names(s.players.names)
	w.section(8*len(s.players.pairs), func() {
		for _, of := range s.players.pairs {
			w.bytes(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(w.block[:0], of[0]), of[1]))
		}
	})
	for _, c := range fileColumns() {
		w.section(c.size*s.games, func() {
			for _, sh := range s.shards {
				w.bytes(c.append(w.block[:0], sh))
			}
		})
	}
}

// section writes a section of n bytes, which fill writes.
func (w *sectionWriter) section(n int, fill func()) {
	_ = binary.Write(w.w, binary.LittleEndian, uint64(n))
	w.sum = 0
	fill()
	_ = binary.Write(w.w, binary.LittleEndian, w.sum)
}

// bytes writes bytes of a section. It keeps their memory for the next ones.
func (w *sectionWriter) bytes(b []byte) {
	w.sum = crc32.Update(w.sum, castagnoli, b)
	w.w.Write(b)
	w.block = b
}

func (w *sectionWriter) names(names []string) {
	n := 0
	for _, name := range names {
		n += 4 + len(name)
	}
	w.section(n, func() {
		for _, name := range names {
			w.bytes(append(binary.LittleEndian.AppendUint32(w.block[:0], uint32(len(name))), name...))
		}
	})
}

// appendIdentity appends what identifies a shard.
func (s *shard) appendIdentity(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.commit.Shard))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.commit.Games))
	sum, _ := hex.DecodeString(s.commit.Files[datasets.GamesFile].SHA256)
	return append(dst, sum...)
}
