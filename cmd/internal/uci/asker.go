package uci

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// asker asks an engine for moves. It starts the process before the first question and again after a failure.
// One goroutine owns it.
type asker struct {
	ctx     context.Context // kills the engine
	spec    *spec
	id      string       // what the engine calls itself; "" before the first process
	tries   int          // failures without an answer between them that are the end
	aborted func() bool  // ends a question early; nil for never
	notify  func(string) // gets every failure after which the asker asks again
	check   func() error // of the engine after a failure: errOtherEngine if it answers otherwise than before; may be nil

	process  *process // nil before the first question and after a failure
	failures int
	cpu      int64 // nanoseconds of all searches
}

// maxFailures is the number of failures without an answer between them that ends a run.
const maxFailures = 3

// pause is the time between a failure and the next try. Tests shorten it.
var pause = time.Second

// ask returns the engine's best move in a position, which is a command, and what it says about its search. If isNew
// is set, the engine forgets everything before.
func (a *asker) ask(position string, isNew bool) (move string, r report, err error) {
	for {
		if move, r, err = a.try(position, isNew); err == nil {
			a.failures = 0
			return move, r, nil
		}
		a.close()
		if errors.Is(err, errAborted) || errors.Is(err, errOtherEngine) || a.ctx.Err() != nil {
			return "", r, err
		}
		if a.failures++; a.failures >= a.tries {
			return "", r, a.givenUp(err)
		}
		a.notify(fmt.Sprintf("UCI engine %s: %v: asking again", a.spec.path, err))
		select {
		case <-a.ctx.Done():
		case <-time.After(pause):
		}
	}
}

// givenUp returns the error of a question that is not asked again. The next one has all its tries.
func (a *asker) givenUp(err error) error {
	a.failures = 0
	if a.tries > 1 {
		return fmt.Errorf("%d failures without an answer: %w", a.tries, err)
	}
	return err
}

// try is ask without another try. The CPU time of setting the position is not counted: it grows with
// the length of the game, not with the strength of the engine.
func (a *asker) try(position string, isNew bool) (move string, r report, err error) {
	if err := a.open(); err != nil {
		return "", r, err
	}
	if isNew {
		if err := a.process.sync("ucinewgame"); err != nil {
			return "", r, err
		}
	}
	if err := a.process.sync(position); err != nil {
		return "", r, err
	}
	before := a.process.cpuTime()
	move, r, err = a.process.search(a.spec.goCommand())
	a.cpu += a.process.cpuTime() - before
	return move, r, err
}

// open starts the process if there is none. The process is to be closed after an error too.
func (a *asker) open() (err error) {
	if a.process != nil {
		return nil
	}
	if a.failures > 0 && a.check != nil {
		if err := a.check(); err != nil {
			return err
		}
	}
	if a.process, err = start(a.ctx, a.spec); err != nil {
		return err
	}
	a.process.aborted = a.aborted
	id, err := a.process.handshake(a.spec)
	if err != nil {
		return err
	}
	if a.id != "" && id != a.id {
		return fmt.Errorf("%w: %q, not %q", errOtherEngine, id, a.id)
	}
	a.id = id
	return nil
}

// errOtherEngine is final: the plan and the games so far name the engine.
var errOtherEngine = errors.New("it is another engine than before")

// close ends the process.
func (a *asker) close() {
	if a.process != nil {
		a.process.close()
		a.process = nil
	}
}
