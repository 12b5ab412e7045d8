package dedup

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/spill"
)

// What a key takes.
const (
	keyBytes  = 24 // on its way: the sum, and what is told of it
	seenBytes = 40 // in a map, which grows by doubling
	maxParts  = 512
)

// MinMemory is the least that keys are kept in.
const MinMemory = 1 << 20

// keys collects keys and then gives them back part by part: equal keys are in one part,
// in the order in which they came. Where they do not fit into memory, each part is a
// temporary file (in $TMPDIR), and only one of them is in memory at a time. What comes
// out does not depend on how many parts there are.
type keys struct {
	n     uint64 // added
	shift int    // the highest bits of a key are the number of its part
	held  []byte // of the only part, if there are no files
	parts []*spill.File
}

// ErrMemory: so much cannot be compared in so little.
var ErrMemory = errors.New("too little memory")

// newKeys returns keys for at most so many rows, in about so many bytes.
func newKeys(memory int64, rows uint64) (*keys, error) {
	if memory < MinMemory {
		return nil, fmt.Errorf("%w: %d bytes, want %d or more", ErrMemory, memory, MinMemory)
	}
	if rows <= uint64(memory)/(keyBytes+seenBytes) {
		return &keys{held: make([]byte, 0, rows*keyBytes)}, nil
	}
	n := 1 << bits.Len64(rows*seenBytes/(uint64(memory)/2))
	if n > maxParts {
		return nil, fmt.Errorf("%w: %d bytes for %d rows, want %d or more", ErrMemory, memory, rows, rows*seenBytes*4/maxParts)
	}
	k := &keys{shift: 64 - bits.Len(uint(n-1))}
	buffer := min(64<<10, int(memory)/4/n)
	for range n {
		f, err := spill.New("", "selfplay-keys-", buffer)
		if err != nil {
			return nil, errors.Join(err, k.close())
		}
		k.parts = append(k.parts, f)
	}
	return k, nil
}

// add adds a key and what is told of it.
func (k *keys) add(key xxh3.Uint128, tag uint64) error {
	k.n++
	var b [keyBytes]byte
	binary.LittleEndian.PutUint64(b[0:], key.Hi)
	binary.LittleEndian.PutUint64(b[8:], key.Lo)
	binary.LittleEndian.PutUint64(b[16:], tag)
	if k.parts == nil {
		k.held = append(k.held, b[:]...)
		return nil
	}
	_, err := k.parts[key.Hi>>k.shift].Write(b[:])
	return err
}

// each calls begin for every part and then visit for every key in it.
func (k *keys) each(begin func(), visit func(key xxh3.Uint128, tag uint64)) error {
	if k.parts == nil {
		begin()
		for b := k.held; len(b) > 0; b = b[keyBytes:] {
			visitKey(b, visit)
		}
		return nil
	}
	r := bufio.NewReaderSize(nil, 64<<10)
	for _, p := range k.parts {
		all, err := p.Reader()
		if err != nil {
			return err
		}
		begin()
		r.Reset(all)
		for {
			var b [keyBytes]byte
			if _, err := io.ReadFull(r, b[:]); err == io.EOF {
				break
			} else if err != nil {
				return err
			}
			visitKey(b[:], visit)
		}
	}
	return nil
}

func visitKey(b []byte, visit func(key xxh3.Uint128, tag uint64)) {
	visit(xxh3.Uint128{Hi: binary.LittleEndian.Uint64(b), Lo: binary.LittleEndian.Uint64(b[8:])}, binary.LittleEndian.Uint64(b[16:]))
}

// close removes the files.
func (k *keys) close() error {
	var all error
	for _, p := range k.parts {
		all = errors.Join(all, p.Close())
	}
	return all
}
