package catalog

import (
	"errors"
	"sync"
	"time"

	"selfplay/internal/goroutine"
)

// errSlow means that a read has not ended in time. It goes on: ask again.
var errSlow = errors.New("the read has not ended yet")

// lastRead is what was last read from a place that may be slow or silent, such as an object store.
// However many requests ask, one goroutine reads at a time, and no request waits for long. The zero
// value has read nothing. Several goroutines may use it;
// a read runs in one of its own, never twice at a time.
type lastRead[T any] struct {
	mu    sync.Mutex
	last  *reading[T] // the last that ended, nil before
	under *reading[T] // the one that has not ended, nil if there is none
}

// reading is a read. Its value and error do not change after done is closed.
type reading[T any] struct {
	began time.Time
	done  chan struct{}
	value T
	err   error
}

// get returns the last value if it is fresh, which is asked with its age. Otherwise it reads, and
// waits until that read has lasted for a time; then it returns what the last read returned, or
// errSlow if there was none. A read that failed is never fresh.
func (v *lastRead[T]) get(wait time.Duration, fresh func(value T, age time.Duration) bool, read func() (T, error)) (T, error) {
	v.mu.Lock()
	last := v.last
	v.mu.Unlock()
	if last != nil && last.err == nil && fresh(last.value, time.Since(last.began)) {
		return last.value, nil
	}
	value, err := v.await(wait, time.Time{}, read)
	if last != nil && errors.Is(err, errSlow) {
		return last.value, last.err
	}
	return value, err
}

// once returns the first value that was read without an error, and reads as get until there is one.
func (v *lastRead[T]) once(wait time.Duration, read func() (T, error)) (T, error) {
	return v.get(wait, func(T, time.Duration) bool { return true }, read)
}

// renew returns the result of a read that begins after the call, or errSlow.
func (v *lastRead[T]) renew(wait time.Duration, read func() (T, error)) (T, error) {
	return v.await(wait, time.Now(), read)
}

// await returns the result of a read that begins at a time or later. It waits for a read until
// that has lasted for wait.
func (v *lastRead[T]) await(wait time.Duration, since time.Time, read func() (T, error)) (value T, err error) {
	for {
		r := v.start(read)
		timer := time.NewTimer(wait - time.Since(r.began))
		select {
		case <-r.done:
			timer.Stop()
		case <-timer.C:
			return value, errSlow
		}
		if !r.began.Before(since) {
			return r.value, r.err
		}
	}
}

// start returns the read that is under way. It begins one if there is none.
func (v *lastRead[T]) start(read func() (T, error)) *reading[T] {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.under != nil {
		return v.under
	}
	r := &reading[T]{began: time.Now(), done: make(chan struct{})}
	v.under = r
	goroutine.New().Go(func() error {
		r.err = goroutine.Catch(func() (err error) { r.value, err = read(); return err })
		v.mu.Lock()
		v.last, v.under = r, nil
		v.mu.Unlock()
		close(r.done)
		return nil
	})
	return r
}
