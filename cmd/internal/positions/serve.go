// Package positions lets another program play by the rules of a game: it holds n positions, plays one action in each of them at a
// time, and answers with arrays. python/src/selfplay/rules.py is the other side.
//
// Both sides send frames as those of models do (docs/evaluators.md): "SPE1", the kind and the length of the body as uint32, then
// the body. All numbers are little endian.
//
//	kind 1   hello, of this side, first: JSON, see hello
//	kind 16  begin, of the other side: uint32 n, uint32 flags, uint32 ply limit, the text of the first position ("": the start)
//	kind 17  step: uint16[n], the action of each position. Those of finished positions count for nothing
//	kind 18  observation, the answer to begin and step
//	kind 19  line: uint16[], the actions of one game from the first position
//	kind 20  the answer to a line: the texts of its moves, each with a new line
//	kind 21  search, by the player of the command line: see below
//	kind 22  progress of a search, once a second before its answer: uint32 positions searched, uint32 of how many
//	kind 23  results of a search
//	kind 24  look at one position: uint32 flags (2 actions as the side to move sees them, 32 with a drawing), uint32 length of a text,
//	         the text ("": the start), uint16[]: the actions that are played from there; or, with flag 16, the uint32 is the index
//	         of a position of the batch
//	kind 25  sight, the answer to a look: JSON, see sight
//	kind 26  round, in batches whose finished positions stay: uint64[n] seeds, uint16[n] actions, uint8[n] sides, uint8[n] what to
//	         do first: 0 play the action, 1 begin again, 2 nothing at all. Then the player of the command line plays until that side
//	         is to move, or the game has ended. The answer is an observation
//	kind 27  save: nothing
//	kind 28  saved, the answer to a save: see below
//	kind 29  restore: uint32 length of the body of a begin, that body, and that of a saved. The answer is an observation
//	kind 4   error, in place of an answer: int32 the position at fault, -1 for none, and a text. Nothing has changed
//
// An observation of n positions with m legal actions in all is
//
//	uint32       n, m, bytes of the planes of a position, 0
//	uint32[n+1]  where the actions of each position begin, and the end of the last ones
//	uint16[m]    the legal actions, ascending
//	uint8[n]     the side to move, plus 2 if the step ended a game
//	uint8[n]     the result (engine.Result) and
//	uint8[n]     the reason (engine.Reason) of the game that has ended, 0 for none
//	n * S        the planes of each position as the layout planes has them
//
// A search of n positions, which need not be those of a batch, is
//
//	uint32     n
//	uint32     flags: 2 actions are those that the side to move sees, 16 the positions are those of the batch with their history
//	uint64[n]  the seed of the random choices in each position
//	text       of each position, and moves that lead on from it, each after a tab, with a new line; or, with flag 16, uint32[n]: indexes in the batch, ascending
//
// Several goroutines search, and what they find in a position depends on its seed and on the player, not on the other positions.
// Results of n positions with m entries of policies in all are
//
//	uint32       n
//	uint32[n+1]  where the policy of each position begins, and the end of the last one
//	uint32[n]    nodes, 0 if the player does not search
//	uint16[n]    the action that the player plays
//	uint16[n]    the best action, which need not be played
//	int16[n]     the score of the best action, from the view of the side to move
//	uint8[n]     1 if the game is over or was cut off: everything else is 0
//	uint16[m]    actions of policies
//	uint16[m]    their weights
//	text         of the move that the player plays in each position, with a new line
//
// A saved has what the positions of a batch are, with their history. It is, for each of them,
//
//	uint32    number of its moves
//	uint8     result and
//	uint8     reason of the game that has ended
//	uint8     1 if the last step ended it
//	uint8     0
//	uint64    seed of its game, in rounds
//	uint16[]  the action of each move since the first position, absolute
//
// Several goroutines step a large batch, a part each. Memory is reused: a step allocates nothing.
package positions

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
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
	kindSave        = 27
	kindSaved       = 28
	kindRestore     = 29
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
	case kindRestore:
		return s.restore()
	case kindLook:
		frame, refused := s.look()
		return [][]byte{frame}, refused, nil
	case kindLine:
		if s.batch == nil {
			return nil, errNoBatch, nil
		}
		frame, refused := s.batch.line(s.body)
		return [][]byte{frame}, refused, nil
	case kindSave:
		if s.batch == nil {
			return nil, errNoBatch, nil
		}
		return [][]byte{s.batch.save()}, nil, nil
	}
	return nil, refuse(-1, "a frame of kind %d: want %d to begin, %d to step, %d for a line, %d to search, %d to look, %d for a round, %d to save or %d to restore",
		kind, kindBegin, kindStep, kindLine, kindSearch, kindLook, kindRound, kindSave, kindRestore), nil
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
	return s.hold(b)
}

// hold makes a batch that of the session, and answers with what it looks like.
func (s *session) hold(b *batch) ([][]byte, *refusal, error) {
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

// protocol is the version of the frames of this package.
const protocol = 1

// hello is what this side says first.
type hello struct {
	Protocol       int    `json:"protocol"`
	Version        string `json:"version"` // of the program
	Game           string `json:"game"`
	Variant        string `json:"variant"`
	Rules          int    `json:"rules"`
	LayoutVersion  int    `json:"layout_version"`
	ActionsVersion int    `json:"actions_version"`
	Shape          [3]int `json:"shape"` // planes, ranks, files
	Actions        int    `json:"actions"`
	MaxPlies       int    `json:"max_plies"`
	Player         string `json:"player,omitempty"` // the canonical name of the one that searches
}

// newHello returns the hello of a game.
func newHello(c *Config, l *encode.Layout) hello {
	g := &c.Game
	h := hello{
		Protocol: protocol, Version: c.Version, Game: g.Name, Variant: c.Variant, Rules: g.Rules, LayoutVersion: l.Version,
		ActionsVersion: g.Actions.Version, Shape: [3]int{len(l.Elements), g.Board.Ranks, g.Board.Files}, Actions: g.Actions.Count,
		MaxPlies: g.MaxPlies,
	}
	if c.Player != nil {
		h.Player = c.Player.String()
	}
	return h
}

// frame returns the hello as a frame.
func (h hello) frame() ([]byte, error) {
	body, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("write hello: %w", err)
	}
	return append(appendHeader(nil, kindHello, len(body)), body...), nil
}
