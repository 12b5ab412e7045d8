package colfile

import (
	"encoding/binary"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"

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
	body := message[prefix:]
	root := flatbuffers.Table{Bytes: body, Pos: flatbuffers.GetUOffsetT(body)}
	header := root.Offset(messageHeader)
	if header == 0 {
		return 0, fault.Corrupt("record batch without a header")
	}
	var batch flatbuffers.Table
	root.Union(&batch, flatbuffers.UOffsetT(header))
	return batch.GetInt64Slot(batchLength, 0), nil
}

// Places of fields in the tables of Arrow's IPC format: 4 for the first, 6 for the second and so on.
const (
	messageHeader = 8
	batchLength   = 4
)
