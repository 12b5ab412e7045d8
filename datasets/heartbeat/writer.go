package heartbeat

import (
	"encoding/json"
	"errors"
	"os"
	"time"

	"selfplay/datasets/disk"
	"selfplay/internal/goroutine"
)

// firstInterval is the time between the first beats. It doubles up to MaxInterval, so that
// a short run has a speed too.
const firstInterval = 250 * time.Millisecond

// maxError is the length in bytes of the longest error text in a beat.
const maxError = 1000

// Writer writes the heartbeat of this process, in a goroutine of its own, from Start to End.
type Writer struct {
	d     disk.Dir
	games func() uint64
	speed speedometer
	beat  Beat
	stop  func() error
}

// Start writes the first beat and begins to write the others. about has Task, Tasks and
// Build; games returns the number of games that this process has finished, and may be called
// from any goroutine. The owner of d is that of the lease of this process. The heartbeats that
// this process takes the place of are removed.
func Start(d disk.Dir, about Beat, games func() uint64) *Writer {
	d.FS = disk.OS{}
	w := &Writer{d: d, games: games, beat: about}
	host, _ := os.Hostname()
	w.beat.Format, w.beat.PID, w.beat.Host, w.beat.Machine = format, os.Getpid(), host, Machine()
	w.beat.State, w.beat.Started = Running, now()
	_ = d.MakeFolders(Folder)
	w.write()
	_ = clearOthers(d, about.Task, about.Tasks) // an old heartbeat does no harm
	w.stop = goroutine.Every(firstInterval, MaxInterval, w.write)
	return w
}

// End writes the last beat, with the state of the process and its error, if any. Call it
// once, before the lease is released.
func (w *Writer) End(state State, err error) {
	_ = w.stop() // a heartbeat that panicked is only an old one
	w.beat.State = state
	if err != nil {
		w.beat.Error = err.Error()
		w.beat.Error = w.beat.Error[:min(len(w.beat.Error), maxError)]
	}
	w.write()
}

// write writes one beat. Errors are ignored: see the package comment.
func (w *Writer) write() {
	w.beat.Time = now()
	w.beat.Seq++
	w.beat.Games = w.games()
	w.speed.add(w.beat.Time, w.beat.Games)
	perS, window := w.speed.rate()
	w.beat.GamesPerS, w.beat.WindowS = perS, window.Seconds()
	_ = w.replace()
}

// replace replaces the file whole or not at all, without a sync.
func (w *Writer) replace() error {
	data, err := json.Marshal(w.beat)
	if err != nil {
		return err
	}
	temp := w.d.TempName("heartbeat")
	f, err := w.d.FS.Create(w.d.Path(temp))
	if err == nil {
		_, err = f.Write(append(data, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		err = w.d.FS.Rename(w.d.Path(temp), w.d.Path(name(w.d.Owner)))
	}
	if err != nil {
		err = errors.Join(err, w.d.Remove(temp))
	}
	return err
}

func now() time.Time { return time.Now().UTC() }

// A speed is measured over the shortest window that has at least minWindow and minGames,
// because searched games may take minutes each, or over everything that is known.
const (
	minWindow = 2 * time.Minute
	minGames  = 20
	maxPoints = 360 // of a speedometer: half an hour of beats
)

// speedometer measures games per second from a count that is read now and then.
type speedometer struct {
	points []point // oldest first
}

// point is a count of games at a time.
type point struct {
	at    time.Time
	games uint64
}

// add adds a count. Above maxPoints, it drops every other point.
func (s *speedometer) add(at time.Time, games uint64) {
	if s.points = append(s.points, point{at, games}); len(s.points) <= maxPoints {
		return
	}
	kept := s.points[:0]
	for i, p := range s.points {
		if i%2 == 0 {
			kept = append(kept, p)
		}
	}
	s.points = kept
}

// rate returns the games per second and the window they were counted in; 0 before the
// second point.
func (s *speedometer) rate() (perS float64, window time.Duration) {
	if len(s.points) < 2 {
		return 0, 0
	}
	last := s.points[len(s.points)-1]
	first := s.points[0]
	for _, p := range s.points {
		if last.at.Sub(p.at) < minWindow || last.games-p.games < minGames {
			break
		}
		first = p
	}
	window = last.at.Sub(first.at)
	if window <= 0 {
		return 0, 0
	}
	return float64(last.games-first.games) / window.Seconds(), window
}
