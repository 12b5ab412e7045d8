// Package goroutine starts the goroutines of this program. A panic in one of them is an error
// of the work it belongs to, not the end of the process: the caller removes its temporary
// files and releases its locks, and the command line prints one line.
//
// A test of package engine refuses goroutines that are started in another way.
package goroutine

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"
)

// PanicError is a panic of a goroutine: an error of this program, not of its input. It has
// no cause that errors.Is could find, so it never looks like an expected error.
type PanicError struct {
	Value any    // the argument of panic
	Stack []byte // of the goroutine that panicked
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Recover sets err to a *PanicError if the caller panics. Defer it.
func Recover(err *error) {
	if value := recover(); value != nil {
		*err = &PanicError{value, debug.Stack()}
	}
}

// Catch calls f. If f panics, the error is a *PanicError.
func Catch(f func() error) (err error) {
	defer Recover(&err)
	return f()
}

// Group runs functions in goroutines of their own, as errgroup.Group does. Create it with
// New or WithContext.
type Group struct{ group *errgroup.Group }

// New returns a group whose functions all run to their end.
func New() Group { return Group{new(errgroup.Group)} }

// WithContext returns a group and a context that ends with the first error of a function,
// or when Wait returns.
func WithContext(ctx context.Context) (Group, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	return Group{group}, ctx
}

// SetLimit makes Go block while n functions run. Call it before Go.
func (g Group) SetLimit(n int) { g.group.SetLimit(n) }

// Go calls f in a new goroutine. A panic of f is an error: a *PanicError. A function that
// others wait for, on a channel for example, must catch its panics itself and pass them on.
func (g Group) Go(f func() error) { g.group.Go(func() error { return Catch(f) }) }

// Wait waits for all functions and returns the first error.
func (g Group) Wait() error { return g.group.Wait() }

// Every calls f in a goroutine of its own, again and again until stop is called. The time
// between two calls is first and doubles up to most. stop waits for a call that has begun, and
// returns an error if f panicked.
func Every(first, most time.Duration, f func()) (stop func() error) {
	done, caller := make(chan struct{}), New()
	caller.Go(func() error {
		timer := time.NewTimer(first)
		defer timer.Stop()
		for interval := first; ; {
			select {
			case <-done:
				return nil
			case <-timer.C:
				f()
				interval = min(2*interval, most)
				timer.Reset(interval)
			}
		}
	})
	return func() error {
		close(done)
		return caller.Wait()
	}
}
