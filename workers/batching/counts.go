package batching

import "time"

// Counts say how much a model was asked.
type Counts struct {
	Name                 string
	Evaluations, Batches uint64

	// Of these, those until the last games of the pool: the last moment at which every worker had a game.
	FullEvaluations, FullBatches uint64
	FullCPU                      int64
	FullBusy                     time.Duration

	Batch      int
	Evaluators int
	CPU        int64         // of the evaluators for this pool in nanoseconds
	Busy       time.Duration // in which an evaluator had a batch, summed over evaluators
}

// Counts returns how much each model was asked so far.
func (d *Dispatcher) Counts() (list []Counts) {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range d.queues {
		c := q.counts
		c.Name, c.Batch, c.Evaluators = q.model.Name, q.model.Batch, len(q.lines)
		c.CPU, c.Busy = q.used()
		list = append(list, c)
	}
	return list
}

// measureFull notes what was asked up to now, as long as every worker had a game.
func (d *Dispatcher) measureFull() {
	for _, q := range d.queues {
		q.counts.FullEvaluations, q.counts.FullBatches = q.counts.Evaluations, q.counts.Batches-q.inFlight
		q.counts.FullCPU, q.counts.FullBusy = q.used()
	}
}

// used returns the CPU time and the busy time of the evaluators.
func (q *queue) used() (cpu int64, busy time.Duration) {
	for _, l := range q.lines {
		cpu += l.evaluator.CPU() - l.usedCPU
		busy += l.busy.look()
	}
	return cpu, busy
}

// stopwatch adds up times.
type stopwatch struct {
	total   time.Duration
	running bool
	since   time.Time
}

func (s *stopwatch) start() { s.running, s.since = true, time.Now() }

func (s *stopwatch) stop() { s.total, s.running = s.look(), false }

// look returns the time so far.
func (s *stopwatch) look() time.Duration {
	if s.running {
		return s.total + time.Since(s.since)
	}
	return s.total
}
