package evaluator

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A frame is a header of 12 bytes and a body: "SPE1", the kind as uint32, the length of the body as
// uint32.

// magic begins every frame. Its last byte is the version of the framing.
const magic = "SPE1"

// headerSize is the size of a header in bytes.
const headerSize = 12

// The kinds of frames.
const (
	kindHello    = 1 // of both sides, first
	kindQuestion = 2 // of the client: a batch
	kindAnswer   = 3 // of the evaluator: the answers to the oldest unanswered batch
	kindError    = 4 // of the evaluator, last: why it cannot answer
)

// The largest bodies that an evaluator may send, in bytes. That of an answer follows from its question.
const (
	maxHello = 64 << 10
	maxError = 4 << 10
	maxNoise = 1 << 20 // printed before the first frame
)

// appendHeader appends the header of a frame.
func appendHeader(dst []byte, kind, length int) []byte {
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(kind))
	return binary.LittleEndian.AppendUint32(dst, uint32(length))
}

// errFrame begins errors about bytes that are no frame.
var errFrame = errors.New("bytes that are no frame of the protocol")

// readHeader reads a header.
func readHeader(r io.Reader) (kind, length int, err error) {
	var b [headerSize]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, 0, err
	}
	if string(b[:len(magic)]) != magic {
		return 0, 0, fmt.Errorf("%w: %q: a model must print to stderr", errFrame, b[:])
	}
	return int(binary.LittleEndian.Uint32(b[4:])), int(binary.LittleEndian.Uint32(b[8:])), nil
}

// readBody reads a body of at most limit bytes.
func readBody(r io.Reader, length, limit int) ([]byte, error) {
	if length > limit {
		return nil, fmt.Errorf("a frame of %d bytes: want at most %d", length, limit)
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return body, err
}

// skipNoise copies what a program prints before its first frame, as libraries do while they load.
func skipNoise(r *bufio.Reader, to io.Writer) error {
	for skipped := 0; skipped < maxNoise; {
		b, err := r.Peek(len(magic))
		if err != nil {
			return err
		}
		if string(b) == magic {
			return nil
		}
		n := bytes.IndexByte(b[1:], magic[0]) + 1
		if n == 0 {
			n = len(b)
		}
		skipped += n
		_, _ = to.Write(b[:n]) // what the model prints is not needed
		_, _ = r.Discard(n)    // just peeked at
	}
	return fmt.Errorf("%w: %d bytes before the first frame", errFrame, maxNoise)
}
