package making

import (
	"errors"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/status"
)

// startHeartbeat begins to write the heartbeat of a run. Call it under the lock.
func (r *run) startHeartbeat() *status.Heartbeat {
	return status.StartHeartbeat(r.d, r.o.Build, r.look)
}

// look returns the state of the run for its heartbeat.
func (r *run) look() (s status.Run) {
	if r.o.Run != nil {
		s = r.o.Run()
	}
	s.TaskCount, s.TaskIndex, s.Played = r.o.Task.Count, nil, r.played.Load()
	if s.TaskCount > 0 {
		s.TaskIndex = &r.o.Task.Index
	}
	return s
}

// endHeartbeat says in the heartbeat how the run ended. A complete dataset keeps no
// heartbeats: all its files are then equal, whatever happened on the way.
func (r *run) endHeartbeat(h *status.Heartbeat, err error) {
	switch {
	case errors.Is(err, fault.ErrIncomplete) && !errors.Is(err, fault.ErrUnanswered):
		h.End(status.Stopped, err)
	case err != nil:
		h.End(status.Failed, err)
	default:
		h.End(status.Done, nil)
		if r.derives() {
			_ = status.ClearBeats(r.d) // they do no harm
		}
	}
}
