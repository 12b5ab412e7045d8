package colfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"selfplay/datasets/internal/fault"
	"slices"
)

// What stands around the record batches of an Arrow file follows from the schema and
// their number alone, but for where each batch lies. Arrow's parser allocates as much
// as it is told there, beyond all recovering, so all of it is compared with what
// arrowWriter writes before the parser sees it.

// The footer: a few offsets that count from the batches on, how many batches there
// are, where each lies, and the schema.
const (
	arrowTrailer = 10 // the footer's length, then the magic
	arrowBlock   = 24 // where a batch lies
	arrowOffsets = 24 // where two offsets stand that reach over the batches
	arrowCount   = 36
	arrowBlocks  = 40
)

// checkArrowFrame reports whether a file begins and ends as arrowWriter has it.
func checkArrowFrame(r ReaderAt, s Spec) error {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	footer, err := readArrowFooter(r, size)
	if err != nil {
		return err
	}
	wantHead, want, err := emptyArrowFile(s)
	if err != nil {
		return err
	}
	head := make([]byte, len(wantHead))
	if _, err := r.ReadAt(head, 0); err != nil || !bytes.Equal(head, wantHead) {
		return fault.Corrupt("the file begins with other columns or metadata")
	}
	batches := (len(footer) - len(want)) / arrowBlock
	if batches < 0 || !bytes.Equal(withoutBlocks(footer, batches), arrowFooterOf(want, batches)) {
		return fault.Corrupt("the footer is of other columns or metadata")
	}
	return nil
}

// readArrowFooter returns the footer of a file of so many bytes.
func readArrowFooter(r io.ReaderAt, size int64) ([]byte, error) {
	if size < arrowTrailer {
		return nil, fault.Corrupt("%d bytes", size)
	}
	var end [arrowTrailer]byte
	if _, err := r.ReadAt(end[:], size-arrowTrailer); err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	n := int64(binary.LittleEndian.Uint32(end[:]))
	if string(end[4:]) != "ARROW1" || n > size-arrowTrailer {
		return nil, fault.Corrupt("no footer at the end")
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-arrowTrailer-n); err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	return footer, nil
}

// emptyArrowFile returns what a file without rows has before the batches, and its
// footer.
func emptyArrowFile(s Spec) (head, footer []byte, err error) {
	var file bytes.Buffer
	w, err := newArrowWriter(&file, s)
	if err != nil {
		return nil, nil, err
	}
	if err := w.Close(); err != nil {
		return nil, nil, err
	}
	data := file.Bytes()
	footer, err = readArrowFooter(bytes.NewReader(data), int64(len(data)))
	return data[:len(data)-arrowTrailer-len(footer)], footer, err
}

// arrowFooterOf returns the footer for so many batches, less where they lie.
func arrowFooterOf(empty []byte, batches int) []byte {
	footer := slices.Clone(empty)
	for _, at := range []int{arrowOffsets, arrowOffsets + 4} {
		v := binary.LittleEndian.Uint32(footer[at:])
		binary.LittleEndian.PutUint32(footer[at:], v+uint32(batches*arrowBlock))
	}
	binary.LittleEndian.PutUint32(footer[arrowCount:], uint32(batches))
	return footer
}

func withoutBlocks(footer []byte, batches int) []byte {
	if end := arrowBlocks + batches*arrowBlock; end <= len(footer) {
		return slices.Concat(footer[:arrowBlocks], footer[end:])
	}
	return nil
}
