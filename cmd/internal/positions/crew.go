package positions

import (
	"sync"

	"selfplay/internal/goroutine"
)

// crew does parts of a step on several goroutines, which wait for work as long as the session lasts.
type crew struct {
	size  int
	jobs  chan job
	group goroutine.Group
	done  chan struct{} // one for each part that is done

	mu  sync.Mutex
	err error // a panic of the last run
}

// job is one part.
type job struct {
	do   func(part int)
	part int
}

// newCrew returns a crew of size goroutines, the caller of run among them.
func newCrew(size int) *crew {
	c := &crew{size: max(size, 1), group: goroutine.New()}
	c.jobs, c.done = make(chan job, partsEach*c.size), make(chan struct{}, partsEach*c.size)
	for range c.size - 1 {
		c.group.Go(func() error {
			for j := range c.jobs {
				c.one(j)
			}
			return nil
		})
	}
	return c
}

// close ends the goroutines.
func (c *crew) close() {
	close(c.jobs)
	_ = c.group.Wait() // errors are those of run
}

// run does the parts 0 to n-1, at most partsEach for each goroutine. The error is a panic.
func (c *crew) run(do func(part int), n int) error {
	if n == 1 {
		do(0)
		return nil
	}
	for part := range n {
		c.jobs <- job{do, part}
	}
	for more := true; more; {
		select {
		case j := <-c.jobs:
			c.one(j)
		default:
			more = false
		}
	}
	for range n {
		<-c.done
	}
	return c.err
}

// one does one part.
func (c *crew) one(j job) {
	defer func() { c.done <- struct{}{} }()
	var err error
	defer func() {
		if err != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.err = err
		}
	}()
	defer goroutine.Recover(&err)
	j.do(j.part)
}
