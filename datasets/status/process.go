package status

import (
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/heartbeat"
)

// maxAge is the age of the oldest heartbeat of a live process on another machine. A client
// of a network file system may see a new file only after a minute.
const maxAge = 90 * time.Second

// How it is known whether a process is alive.
const (
	ByLock      = "lock"      // of its lease, which the system drops when the process dies
	ByHeartbeat = "heartbeat" // by its age: the lock cannot be tested from this machine
)

// process is a process that has left a heartbeat.
type process struct {
	*heartbeat.Beat
	alive bool
	by    string        // ByLock or ByHeartbeat
	age   time.Duration // of the heartbeat
}

// sighting is a heartbeat as it was when a watcher last saw it.
type sighting struct {
	seq uint64
	age time.Duration
	at  time.Time
}

// processes returns the processes with a heartbeat, and the number of those that hold a
// lease without one.
func (w *Watcher) processes(now time.Time) (list []process, others int, err error) {
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

// judge decides whether a process is alive. A lease that is held or gone is proof on every
// machine. A lease that looks free proves something only on the machine of its process:
// some network file systems keep locks to each machine.
func judge(b *heartbeat.Beat, lease disk.LeaseState, age time.Duration) process {
	p := process{Beat: b, by: ByLock, age: age}
	switch {
	case lease == disk.LeaseHeld:
		p.alive = true
	case lease == disk.LeaseGone || lease == disk.LeaseFree && b.Machine == machine && machine != "":
	default:
		p.by = ByHeartbeat
		p.alive = !b.Ended() && age <= maxAge
	}
	return p
}

// state returns the state of a process.
func (p *process) state() State {
	switch {
	case p.alive:
		return Running
	case p.State == heartbeat.Running:
		return Killed
	case p.State == heartbeat.Failed:
		return Failed
	case p.State == heartbeat.Stopped:
		return Stopped
	}
	return Unfinished // it was done with a smaller target
}
