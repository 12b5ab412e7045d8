package positions

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"selfplay/encode"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// The kinds of frames.
const (
	kindHello       = 1
	kindError       = 4
	kindBegin       = 16
	kindStep        = 17
	kindObservation = 18
	kindLine        = 19
	kindTexts       = 20
	kindSearch      = 21
	kindProgress    = 22
	kindFindings    = 23
	kindLook        = 24
	kindSight       = 25
	kindRound       = 26
)

const (
	magic      = "SPE1" // begins every frame
	headerSize = 12
	beginHead  = 12 // of the body of a begin, without the text
	maxText    = 4 << 10
	maxBody    = MaxPositions * 512 // a search of as many texts
)

// MaxPositions is the largest number of positions.
const MaxPositions = 1 << 16

// Config configures Serve.
type Config struct {
	Version string // of the program
	Game    encode.Game
	Variant string
	Player  *workers.PlayerSpec // of searches; nil for none
	Workers int                 // goroutines that step or search at once; 0 counts as 1
}

// Serve answers the frames of in on out until in ends.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	layout, err := c.Game.Layout(encode.PlanesName)
	if err != nil {
		return err
	}
	done, answering := make(chan error, 1), goroutine.New()
	answering.Go(func() error {
		err := goroutine.Catch(func() error {
			s := session{ctx: ctx, config: c, layout: layout, crew: newCrew(c.Workers), beat: beat, in: bufio.NewReaderSize(in, 1<<16), out: out}
			defer s.crew.close()
			return s.run()
		})
		done <- err
		return err
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done(): // the goroutine may never get its input
		return context.Cause(ctx)
	}
}

// session is one conversation.
type session struct {
	ctx    context.Context
	config Config
	layout *encode.Layout
	in     *bufio.Reader
	out    io.Writer
	body   []byte // of the last frame, reused
	crew   *crew
	batch  *batch // nil before the first begin

	thinkers  []*thinker
	beat      time.Duration
	abandoned atomic.Bool // nobody reads what a search finds
	frame     []byte      // of the last search
}

// run greets the other side and answers its frames.
func (s *session) run() error {
	greeting, err := newHello(&s.config, s.layout).frame()
	if err != nil {
		return err
	}
	if _, err := s.out.Write(greeting); err != nil {
		return fmt.Errorf("write hello: %w", err)
	}
	for {
		kind, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read frame: %w", err)
		}
		if err := s.answer(kind); err != nil {
			return err
		}
	}
}

// next reads a frame and returns its kind. An end before a frame is io.EOF.
func (s *session) next() (kind int, err error) {
	var b [headerSize]byte
	if _, err := io.ReadFull(s.in, b[:]); err != nil {
		return 0, err
	}
	kind, length := int(binary.LittleEndian.Uint32(b[4:])), int(binary.LittleEndian.Uint32(b[8:]))
	if string(b[:len(magic)]) != magic {
		return 0, fmt.Errorf("bytes that are no frame: %q: want %q first", b[:], magic)
	}
	if length > maxBody {
		return 0, fmt.Errorf("a body of %d bytes: want at most %d", length, maxBody)
	}
	if cap(s.body) < length {
		s.body = make([]byte, length)
	}
	s.body = s.body[:length]
	if _, err := io.ReadFull(s.in, s.body); err != nil {
		return 0, fmt.Errorf("body: %w", io.ErrUnexpectedEOF)
	}
	return kind, nil
}

// answer answers the frame in s.body. It returns an error only if it cannot write, or after a panic.
func (s *session) answer(kind int) error {
	reply, refused, err := s.reply(kind)
	if err != nil {
		return err
	}
	if refused != nil {
		reply = [][]byte{refused.frame()}
	}
	for _, piece := range reply {
		if _, err := s.out.Write(piece); err != nil {
			return fmt.Errorf("write frame: %w", err)
		}
	}
	return nil
}

// reply does what a frame asks for and returns the pieces of the answer. The error is that of a writer, or a panic.
func (s *session) reply(kind int) ([][]byte, *refusal, error) {
	switch kind {
	case kindBegin, kindStep:
		return s.play(kind)
	case kindSearch:
		frame, refused, err := s.search()
		return [][]byte{frame}, refused, err
	case kindRound:
		return s.round()
	case kindLook:
		frame, refused := s.look()
		return [][]byte{frame}, refused, nil
	case kindLine:
		if s.batch == nil {
			return nil, errNoBatch, nil
		}
		frame, refused := s.batch.line(s.body)
		return [][]byte{frame}, refused, nil
	}
	return nil, refuse(-1, "a frame of kind %d: want %d to begin, %d to step, %d for a line, %d to search, %d to look or %d for a round",
		kind, kindBegin, kindStep, kindLine, kindSearch, kindLook, kindRound), nil
}

// errNoBatch refuses what only a batch can do.
var errNoBatch = refuse(-1, "a step before the positions have begun")

// play begins or steps the positions.
func (s *session) play(kind int) ([][]byte, *refusal, error) {
	if kind == kindStep && s.batch == nil {
		return nil, errNoBatch, nil
	}
	if kind == kindStep {
		if refused, err := s.batch.step(s.body); refused != nil || err != nil {
			return nil, refused, err
		}
		return s.batch.observe(), nil, nil
	}
	b, refused := begin(&s.config, s.layout, s.crew, s.body)
	if refused != nil {
		return nil, refused, nil
	}
	if err := b.look(); err != nil {
		return nil, nil, err
	}
	s.batch = b
	return b.observe(), nil, nil
}

// refusal is a request that changed nothing, and the position at fault, or -1.
type refusal struct {
	index int
	text  string
}

func refuse(index int, format string, args ...any) *refusal {
	return &refusal{index, fmt.Sprintf(format, args...)}
}

// frame returns the refusal as a frame.
func (r *refusal) frame() []byte {
	text := r.text[:min(len(r.text), maxText)]
	dst := appendHeader(nil, kindError, 4+len(text))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(int32(r.index)))
	return append(dst, text...)
}

// appendHeader appends the header of a frame.
func appendHeader(dst []byte, kind, length int) []byte {
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(kind))
	return binary.LittleEndian.AppendUint32(dst, uint32(length))
}
