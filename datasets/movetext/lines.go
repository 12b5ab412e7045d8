package movetext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lines reads a text line by line. A line ends with LF, CR LF or CR, which is read as LF.
type lines struct {
	r      *bufio.Reader
	number int // of the last line, from 1
	buffer []byte
	open   bool   // nextPiece has not returned the end of the line
	word   []byte // that the next piece begins with
}

func newLines(r io.Reader) *lines {
	l := &lines{r: bufio.NewReaderSize(&lineEnds{r: r}, 64<<10)}
	if mark, _ := l.r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = l.r.Discard(len(mark))
	}
	return l
}

const byteOrderMark = "\xef\xbb\xbf"

// next returns the next line with its end, valid until the next call; io.EOF after the last.
func (l *lines) next() ([]byte, error) { return l.read(MaxText, false) }

// nextPiece is next for a format in which a line may have any length: a line comes in one piece, or if it has more
// than maxPiece bytes in several. rest says that the piece does not begin the line.
func (l *lines) nextPiece() (piece []byte, rest bool, err error) {
	rest = l.open
	piece, err = l.read(maxPiece, true)
	l.open = err == nil && piece[len(piece)-1] != '\n'
	if l.open && len(piece) > maxPiece {
		end := bytes.LastIndexByte(piece[maxPiece/2:], ' ') + 1 // 0 in what is no text of moves
		if end > 0 {
			end += maxPiece / 2
			l.word = append(l.word, piece[end:]...)
			piece = piece[:end]
		}
	}
	return piece, rest, err
}

// maxPiece is more than any tag pair or word of a game has.
const maxPiece = 256 << 10

// read reads a line, or a piece of one, of at most about most bytes.
func (l *lines) read(most int, pieces bool) ([]byte, error) {
	l.buffer, l.word = append(l.buffer[:0], l.word...), l.word[:0]
	if !l.open {
		l.number++
	}
	for {
		part, err := l.r.ReadSlice('\n')
		l.buffer = append(l.buffer, part...)
		switch {
		case bytes.IndexByte(part, 0) >= 0:
			return nil, fmt.Errorf("line %d: %w", l.number, errZeroBytes)
		case len(l.buffer) > most && !pieces:
			return nil, fmt.Errorf("line %d has more than %d MiB", l.number, MaxText>>20)
		case err == nil, len(l.buffer) > most, errors.Is(err, io.EOF) && len(l.buffer) > 0:
			return l.buffer, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// lineEnds reads r with LF in place of every CR that no LF follows, and of a CR LF that two reads divide.
type lineEnds struct {
	r  io.Reader
	cr bool // the last read ended with CR
}

// Read reads as io.Reader says.
func (l *lineEnds) Read(p []byte) (n int, err error) {
	n, err = l.r.Read(p)
	if n > 0 {
		if l.cr && p[0] == '\n' {
			n = copy(p, p[1:n])
		}
		l.cr = n > 0 && p[n-1] == '\r'
	}
	for at := 0; ; at++ {
		next := bytes.IndexByte(p[at:n], '\r')
		if next < 0 {
			return n, err
		}
		at += next
		if at+1 == n || p[at+1] != '\n' {
			p[at] = '\n'
		}
	}
}
