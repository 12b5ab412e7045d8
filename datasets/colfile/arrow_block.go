package colfile

import (
	"encoding/binary"
	"io"

	"selfplay/datasets/internal/fault"
)

// arrowBlock locates a record batch: its message, then its body.
type arrowBlock struct{ offset, meta, body int64 }

// parseBlocks returns the first n blocks of a footer. They must be inside the file.
func parseBlocks(footer []byte, n int, size int64) ([]arrowBlock, error) {
	blocks := make([]arrowBlock, n)
	for i := range blocks {
		data := footer[i*arrowBlockSize:]
		b := arrowBlock{
			offset: int64(binary.LittleEndian.Uint64(data)),
			meta:   int64(int32(binary.LittleEndian.Uint32(data[8:]))),
			body:   int64(binary.LittleEndian.Uint64(data[16:])),
		}
		if b.offset < 0 || b.meta < 0 || b.body < 0 || b.offset > size || b.meta > size-b.offset || b.body > size-b.offset-b.meta {
			return nil, fault.Corrupt("record batch %d of %d and %d bytes at %d in a file of %d", i, b.meta, b.body, b.offset, size)
		}
		blocks[i] = b
	}
	return blocks, nil
}

// rows returns the rows that the message of a batch claims, without Arrow, which decodes the
// batch first. It panics if the message ends early; the reader recovers.
func (b arrowBlock) rows(r io.ReaderAt) (int64, error) {
	message := make([]byte, b.meta)
	if _, err := r.ReadAt(message, b.offset); err != nil {
		return 0, fault.Corrupt("%w", err)
	}
	const prefix = 8 // the continuation marker and the length
	root := flatTable{message[prefix:], 0}.follow(0)
	header := root.field(messageHeader)
	if header == 0 {
		return 0, fault.Corrupt("record batch without a header")
	}
	batch := root.follow(header)
	rows := batch.field(batchLength)
	if rows == 0 { // the default of a number that is not stored
		return 0, nil
	}
	return int64(binary.LittleEndian.Uint64(batch.data[batch.at+rows:])), nil
}

// Numbers of fields in the tables of Arrow's IPC format.
const (
	messageHeader = 2
	batchLength   = 0
)

// flatTable is a table of a flatbuffer, in which offsets lead from table to table. Its
// methods panic if an offset leads outside the data.
//
// Format: https://flatbuffers.dev/internals/
type flatTable struct {
	data []byte
	at   int // position of the table
}

// field returns the position of a field relative to the table, 0 if it is not stored.
func (t flatTable) field(n int) int {
	vtable := t.data[t.at-int(int32(binary.LittleEndian.Uint32(t.data[t.at:]))):]
	entry := 4 + 2*n // behind the sizes of the vtable and of the table
	if entry+2 > int(binary.LittleEndian.Uint16(vtable)) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(vtable[entry:]))
}

// follow returns the table that the offset at a position relative to t leads to.
func (t flatTable) follow(position int) flatTable {
	at := t.at + position
	return flatTable{t.data, at + int(binary.LittleEndian.Uint32(t.data[at:]))}
}
