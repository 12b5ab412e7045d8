package goroutine

import "time"

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
