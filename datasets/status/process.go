package status

import (
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/heartbeat"
)

// sighting is a heartbeat as it was when a watcher last saw it.
type sighting struct {
	seq uint64
	age time.Duration
	at  time.Time
}

// processes returns the processes with a heartbeat as tasks without counts, and the number of
// those that hold a lease without one.
func (w *Watcher) processes(now time.Time) (list []Task, others int, err error) {
	beats, err := heartbeat.ReadAll(w.d)
	if err != nil {
		return nil, 0, err
	}
	seen, leases := map[string]sighting{}, map[string]bool{}
	for _, b := range beats {
		leases[b.Owner] = true
		lease := disk.ProbeLease(w.d, b.Owner)
		// A process says how it ended before it releases its lease. So if the lease is not held,
		// the last beat has been written.
		if lease != disk.LeaseHeld {
			if b, err = heartbeat.Read(w.d, b.Owner); err != nil {
				return nil, 0, err
			}
			if b == nil { // the dataset is complete, or another process took over
				continue
			}
		}
		s := w.sight(b, now)
		seen[b.Owner] = s
		list = append(list, judge(b, lease, s.age))
	}
	w.seen = seen
	owners, err := disk.LeaseOwners(w.d)
	for _, owner := range owners {
		if !leases[owner] && disk.ProbeLease(w.d, owner) == disk.LeaseHeld {
			others++
		}
	}
	return list, others, err
}

// sight determines the age of a heartbeat. At first it compares the clocks of two machines.
// After that it needs only its own clock: a new beat is at most as old as the last look.
func (w *Watcher) sight(b *heartbeat.Beat, now time.Time) sighting {
	last, found := w.seen[b.Owner]
	s := sighting{b.Seq, max(0, now.Sub(b.Time)), now}
	since := now.Sub(last.at)
	switch {
	case found && b.Seq == last.seq:
		s.age = last.age + since
	case found:
		s.age = min(s.age, since)
	}
	return s
}
