package colfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"selfplay/datasets/internal/fault"
)

// arrowFrame holds the bytes around the record batches of an Arrow file, as arrowWriter
// writes them for a file without batches. In a file with batches only these differ, all
// in the footer: two offsets that span the batches, the number of batches, and the block
// that locates each batch.
//
// Arrow's parser allocates as much as these bytes ask for, and running out of memory
// cannot be recovered. So the reader compares them before Arrow parses them.
type arrowFrame struct{ head, footer []byte }

// Sizes and positions in the footer, in bytes.
const (
	arrowTrailer   = 10 // behind the footer: its length and the magic
	arrowBlockSize = 24 // size of a block
	arrowSpans     = 24 // the two uint32 offsets that span the batches
	arrowCount     = 36 // the number of batches
	arrowBlocks    = 40 // the first block
)

func newArrowFrame(s Spec) (arrowFrame, error) {
	var file bytes.Buffer
	w, err := newArrowWriter(&file, s)
	if err != nil {
		return arrowFrame{}, err
	}
	if err := w.Close(); err != nil {
		return arrowFrame{}, err
	}
	data := file.Bytes()
	footer, err := readArrowFooter(bytes.NewReader(data), int64(len(data)))
	return arrowFrame{data[:len(data)-arrowTrailer-len(footer)], footer}, err
}

// check returns the blocks of a file, or ErrCorrupt if the file begins or ends differently.
// What a block claims for its batch is checked when the batch is read.
func (f arrowFrame) check(r ReadSeekerAt) ([]arrowBlock, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	footer, err := readArrowFooter(r, size)
	if err != nil {
		return nil, err
	}
	head := make([]byte, len(f.head))
	if _, err := r.ReadAt(head, 0); err != nil || !bytes.Equal(head, f.head) {
		return nil, fault.Corrupt("columns or metadata at the start of the file differ from the expected")
	}
	batches := (len(footer) - len(f.footer)) / arrowBlockSize
	if batches < 0 || !bytes.Equal(withoutBlocks(footer, batches), f.footerOf(batches)) {
		return nil, fault.Corrupt("columns or metadata in the footer differ from the expected")
	}
	return parseBlocks(footer[arrowBlocks:], batches, size)
}

// readArrowFooter returns the footer of a file of size bytes.
func readArrowFooter(r io.ReaderAt, size int64) ([]byte, error) {
	if size < arrowTrailer {
		return nil, fault.Corrupt("file of %d bytes is too short for Arrow", size)
	}
	var end [arrowTrailer]byte
	if _, err := r.ReadAt(end[:], size-arrowTrailer); err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	n := int64(binary.LittleEndian.Uint32(end[:]))
	if string(end[4:]) != "ARROW1" || n > size-arrowTrailer {
		return nil, fault.Corrupt("no Arrow footer at the end of the file")
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-arrowTrailer-n); err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	return footer, nil
}

// footerOf returns the footer of a file with batches, without their blocks.
func (f arrowFrame) footerOf(batches int) []byte {
	footer := slices.Clone(f.footer)
	for _, at := range []int{arrowSpans, arrowSpans + 4} {
		v := binary.LittleEndian.Uint32(footer[at:])
		binary.LittleEndian.PutUint32(footer[at:], v+uint32(batches*arrowBlockSize))
	}
	binary.LittleEndian.PutUint32(footer[arrowCount:], uint32(batches))
	return footer
}

func withoutBlocks(footer []byte, batches int) []byte {
	if end := arrowBlocks + batches*arrowBlockSize; end <= len(footer) {
		return slices.Concat(footer[:arrowBlocks], footer[end:])
	}
	return nil
}
