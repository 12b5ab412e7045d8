package workers

import (
	"context"
	"runtime"
)

// A game that waits for a model holds no thread of the operating system, and no CPU time is counted for it.

// await asks a model and waits for the answer.
func (w *worker) await(m *Model, q *Question) error {
	if err := w.dispatcher.ask(m, q); err != nil {
		return err
	}
	release := w.suspend()
	err := w.receive(q)
	release()
	w.asked++
	return err
}

// receive receives the answer to a question, or the end of the game's context.
func (w *worker) receive(q *Question) error {
	if w.done == nil {
		return <-q.done
	}
	select {
	case err := <-q.done:
		return err
	case <-w.done:
		w.dispatcher.abandon(q)
		if err := <-q.done; err != nil {
			return context.Cause(w.ctx)
		}
		return nil
	}
}

// suspend stops the clock of the series and releases the thread until the caller calls resume.
func (w *worker) suspend() (resume func()) {
	clock := w.series.Clock
	if clock == nil {
		return func() {}
	}
	stopped := clock()
	runtime.UnlockOSThread()
	return func() {
		runtime.LockOSThread()
		w.skipped += stopped - clock() // of another thread, maybe
	}
}
