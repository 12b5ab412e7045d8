package uci

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// Config configures Serve.
type Config struct {
	Name   string      // of the program, with its version
	Game   encode.Game // chess
	Player string      // default of the option Player
	Seed   uint64      // default of the option Seed

	Fits func(workers.PlayerSpec) error // refuses a player whose tables are too large; may be nil

	Players  workers.Players  // types of players
	Networks workers.Networks // finds networks of players, again those of Player
}

// Serve plays as an engine for a GUI that writes commands to in and reads out. It returns after the command quit, or when
// the commands before the end of in are obeyed.
//
// A GUI reads errors as lines "info string ...": only failures of in and out, ctx and panics
// end Serve with an error. When Serve returns, a search in progress is aborted.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSession(ctx, c, out)
	lines, end := make(chan string), make(chan error, 1)
	goroutine.New().Go(func() error {
		err := goroutine.Catch(func() error { return readLines(ctx, in, lines) })
		end <- err
		return err
	})
	var unread error
	for !s.quit && s.err == nil && !(s.ended && !s.isSearching()) {
		select {
		case line := <-lines:
			s.command(line)
		case r := <-s.done:
			s.answer(r)
		case <-s.clock:
			s.stop()
		case unread = <-end:
			s.ended = true
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		s.obeyWaiting()
	}
	if ctx.Err() != nil { // that ended the reading, too
		return context.Cause(ctx)
	}
	return cmp.Or(s.err, unread)
}

// readLines sends the lines of in until its end, or until ctx ends.
func readLines(ctx context.Context, in io.Reader, lines chan<- string) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		select {
		case lines <- scanner.Text():
		case <-ctx.Done():
			return nil
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("read command: %w", err)
	}
	return nil
}

// session is the state of an engine. Only the goroutine of Serve uses it, except that a
// search in progress owns pos and player.
type session struct {
	Config
	ctx  context.Context
	out  io.Writer
	quit bool
	err  error // of out, or a panic of a search

	waiting []call // commands that wait for the search in progress
	ended   bool   // no further commands come

	variant string // that the GUI chose

	pos   engine.Position
	valid bool // pos is the position that the GUI asked for
	src   rand.PCG
	games uint64 // commands ucinewgame

	player workers.Player // plays as text; nil before the first search
	text   string

	done      chan thought       // the result of the search in progress; nil without one
	searching context.Context    // of that search
	stop      context.CancelFunc // aborts it
	deferred  *thought           // a result that waits for stop
	hold      bool               // the result waits for stop
	started   time.Time
	budget    time.Duration // of the search, if it is timed
	timed     bool
	clock     <-chan time.Time // ends the search
}

func newSession(ctx context.Context, c Config, out io.Writer) *session {
	s := &session{Config: c, ctx: ctx, out: out, pos: c.Game.New(""), valid: true}
	s.reseed()
	return s
}

// reseed starts the random source of a game.
func (s *session) reseed() {
	s.src.Seed(engine.Mix(s.Seed), s.games)
	s.player = nil // a mixture draws again
}

// printf prints a line.
func (s *session) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(s.out, format+"\n", args...); err != nil && s.err == nil {
		s.err = err
	}
}

// inform prints a message for the user.
func (s *session) inform(format string, args ...any) { s.printf("info string "+format, args...) }
