package making

import (
	"errors"

	"selfplay/datasets/heartbeat"
	"selfplay/datasets/internal/fault"
)

// startHeartbeat begins to write the heartbeat of a run. Call it under the lock.
func (r *run) startHeartbeat() *heartbeat.Writer {
	about := heartbeat.Beat{Task: r.o.Task.Index, Tasks: r.o.Task.Count, Build: r.o.Build}
	return heartbeat.Start(r.d, about, r.played.Load)
}

// endHeartbeat says in the heartbeat how the run ended. A complete dataset keeps no
// heartbeats: all its files are then equal, whatever happened on the way.
func (r *run) endHeartbeat(w *heartbeat.Writer, err error) {
	switch {
	case errors.Is(err, fault.ErrIncomplete) && !errors.Is(err, fault.ErrUnanswered):
		w.End(heartbeat.Stopped, err)
	case err != nil:
		w.End(heartbeat.Failed, err)
	default:
		w.End(heartbeat.Done, nil)
		if r.derives() {
			_ = heartbeat.Clear(r.d) // they do no harm
		}
	}
}
