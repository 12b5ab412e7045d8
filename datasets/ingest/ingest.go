package ingest

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"selfplay/datasets/movetext"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Options say what Read reads.
type Options struct {
	Form    Form
	Game    encode.Game
	Variant string
	Dir     string // folder of the temporary file; "" means $TMPDIR

	WholePawns bool // see movetext.Parser

	// Bad is called for every game that is not taken, in the order of the inputs. An error
	// ends Read. It may be nil.
	Bad func(Bad) error
	// Counter counts the games that were taken and their plies. It may be nil.
	Counter interface{ Add(games, plies uint64) }
}

// Bad is a game that was not taken, although it has moves.
type Bad struct {
	File string `json:"file"` // of an archive, followed by a colon and the name in it
	Game int    `json:"game"` // in the file, from 1
	movetext.Place
	Why    string `json:"error"`
	Ruling string `json:"ruling,omitempty"` // that forbids a turn, which another program may allow
}

func newBad(file string, t movetext.Text, err error) Bad {
	b := Bad{File: file, Game: t.Number, Place: t.Place, Why: err.Error()}
	if at := (*movetext.ReadError)(nil); errors.As(err, &at) {
		b.Place, b.Why = at.Place, at.Err.Error()
	}
	ruling := (*engine.RulingError)(nil)
	if errors.As(err, &ruling) {
		b.Ruling = ruling.Ruling
	}
	return b
}

func (b Bad) Error() string { return fmt.Sprintf("%s game %d %s: %s", b.File, b.Game, b.Place, b.Why) }

// Notes say by movetext.Remark how often it holds, and where first.
type Notes [movetext.NumRemarks]struct {
	movetext.Note
	File string // of the first one
}

// add adds the notes of a game of a file.
func (n *Notes) add(file string, of *movetext.Notes) {
	for i := range of {
		if n[i].Count == 0 && of[i].Count > 0 {
			n[i].Note, n[i].File = of[i], file
		} else {
			n[i].Count += of[i].Count
		}
	}
}

// merge adds notes of later games.
func (n *Notes) merge(later *Notes) {
	for i := range later {
		count := n[i].Count + later[i].Count
		if n[i].Count == 0 {
			n[i] = later[i]
		}
		n[i].Count = count
	}
}

// readError is the error of a file that is no text of games.
type readError struct {
	file string
	err  error
}

func (e *readError) Error() string { return fmt.Sprintf("read %s: %v", e.file, e.err) }
func (e *readError) Unwrap() error { return e.err }

// Read reads the games of files, in order. The caller closes the result. Files of the same content are
// an error, packed or not, in archives too.
func Read(ctx context.Context, paths []string, o Options) (games *Games, err error) {
	games, err = newGames(o.Dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, games.Close())
		}
	}()
	ctx, stop := context.WithCancelCause(ctx)
	b := &batches{ctx: ctx, jobs: make(chan *batch), order: make(chan *batch, 2*runtime.GOMAXPROCS(0))}
	g := goroutine.New()
	parsers(g, b.jobs, o)
	g.Go(func() error {
		defer close(b.jobs)
		defer close(b.order)
		return goroutine.Catch(func() error { return b.read(paths, o.Form, &games.Inputs) })
	})
	err = collect(ctx, b.order, games, len(paths), o)
	stop(err) // a goroutine may be waiting to pass a batch on
	if readErr := g.Wait(); err == nil {
		err = readErr
	}
	if err == nil {
		err = games.finish()
	}
	return games, err
}

// collect adds the games of batches, which come in order.
func collect(ctx context.Context, order <-chan *batch, games *Games, inputs int, o Options) error {
	games.counts = make([]Input, inputs)
	for b := range order {
		select {
		case <-b.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if b.err != nil {
			return b.err
		}
		if err := games.add(b); err != nil {
			return err
		}
		if o.Counter != nil {
			o.Counter.Add(uint64(len(b.ends)), b.plies)
		}
		for _, bad := range b.bad {
			if o.Bad == nil {
				break
			}
			if err := o.Bad(bad); err != nil {
				return err
			}
		}
	}
	return nil
}
