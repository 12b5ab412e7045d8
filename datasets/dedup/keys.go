package dedup

import (
	"bufio"
	"encoding/binary"
	"io"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/scan"
	"selfplay/datasets/spill"
)

// Bytes that a key takes.
const (
	keyBytes  = 24 // stored: hash and tag
	seenBytes = 40 // in a map, with the room that a growing map needs
)

// MinMemory is the least memory, in bytes, that positions can be compared in.
const MinMemory = 1 << 20

// keys collects the hashes of keys, each with a tag, and returns them part by part. Equal
// hashes are in the same part, in the order in which they were added. If they do not fit
// into memory, each part is a temporary file in $TMPDIR, and one part at a time is
// processed in memory. Results do not depend on the number of parts.
type keys struct {
	n     uint64 // added so far
	parts *spill.Parts
}

// newKeys returns keys for at most the given number of rows, in about memory bytes.
func newKeys(memory int64, rows uint64) (*keys, error) {
	parts, err := spill.New(spill.Options{
		Memory: memory, Minimum: MinMemory, Data: rows * seenBytes, Reserve: rows * keyBytes,
		Share: 2, Buffer: 64 << 10, Pattern: "selfplay-keys-",
	})
	return &keys{parts: parts}, err
}

// add adds a hash and its tag.
func (k *keys) add(key xxh3.Uint128, tag uint64) error {
	k.n++
	var b [keyBytes]byte
	binary.LittleEndian.PutUint64(b[0:], key.Hi)
	binary.LittleEndian.PutUint64(b[8:], key.Lo)
	binary.LittleEndian.PutUint64(b[16:], tag)
	return k.parts.Write(key.Hi, b[:])
}

// each calls begin before every part, and then visit for every hash in the part.
func (k *keys) each(begin func(), visit func(key xxh3.Uint128, tag uint64)) error {
	buffered := bufio.NewReaderSize(nil, 64<<10)
	for i := range k.parts.Len() {
		r, err := k.parts.Reader(i)
		if err != nil {
			return err
		}
		begin()
		buffered.Reset(r)
		if err := visitAll(buffered, visit); err != nil {
			return err
		}
	}
	return nil
}

func visitAll(r io.Reader, visit func(key xxh3.Uint128, tag uint64)) error {
	b := make([]byte, keyBytes)
	for {
		if _, err := io.ReadFull(r, b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		hash := xxh3.Uint128{Hi: binary.LittleEndian.Uint64(b), Lo: binary.LittleEndian.Uint64(b[8:])}
		visit(hash, binary.LittleEndian.Uint64(b[16:]))
	}
}

// close removes the temporary files.
func (k *keys) close() error { return k.parts.Close() }

// steps counts games in n: one half of a game when it is read, the other half when its rows
// are compared. It belongs to one goroutine.
type steps struct {
	n           *scan.Counter
	halves      uint64
	games, rows uint64 // read
	compared    uint64 // rows
	done        uint64 // games that were compared
}

// read counts a game that was read.
func (s *steps) read(rows uint64) {
	s.games++
	s.rows += rows
	s.half(rows)
}

// compare counts a row that was compared. Rows are compared in the order of their hashes, so
// the rows of an average game count as a game.
func (s *steps) compare() {
	s.compared++
	for s.compared*s.games >= (s.done+1)*s.rows {
		s.done++
		s.half(s.rows / s.games)
	}
}

func (s *steps) half(rows uint64) {
	s.halves++
	s.n.Add((s.halves+1)%2, rows/2)
}
