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
	stop  chan struct{}
	done  goroutine.Group
}

// Start writes the first beat and begins to write the others. about has Task, Tasks and
// Build; games returns the number of games that this process has finished, and may be called
// from any goroutine. The owner of d is that of the lease of this process. The heartbeats that
// this process takes the place of are removed.
func Start(d disk.Dir, about Beat, games func() uint64) *Writer {
	d.FS = disk.OS{}
	w := &Writer{d: d, games: games, beat: about, stop: make(chan struct{}), done: goroutine.New()}
	host, _ := os.Hostname()
	w.beat.Format, w.beat.PID, w.beat.Host, w.beat.Machine = format, os.Getpid(), host, Machine()
	w.beat.State, w.beat.Started = Running, now()
	_ = d.MakeFolders(Folder)
	w.write()
	_ = clearOthers(d, about.Task, about.Tasks) // an old heartbeat does no harm
	w.done.Go(w.run)
	return w
}

// run writes beats until stop is closed.
func (w *Writer) run() error {
	timer := time.NewTimer(firstInterval)
	defer timer.Stop()
	for interval := firstInterval; ; {
		select {
		case <-w.stop:
			return nil
		case <-timer.C:
			w.write()
			interval = min(2*interval, MaxInterval)
			timer.Reset(interval)
		}
	}
}

// End writes the last beat, with the state of the process and its error, if any. Call it
// once, before the lease is released.
func (w *Writer) End(state string, err error) {
	close(w.stop)
	_ = w.done.Wait() // a heartbeat that panicked is only an old one
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
	_ = replace(w.d, name(w.d.Owner), w.beat)
}

// replace writes a beat whole or not at all, without a sync.
func replace(d disk.Dir, name string, b Beat) error {
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	temp := d.TempName("heartbeat")
	if err = writeNew(d.Path(temp), append(data, '\n')); err == nil {
		err = os.Rename(d.Path(temp), d.Path(name))
	}
	if err != nil {
		err = errors.Join(err, d.Remove(temp))
	}
	return err
}

// writeNew writes a file that does not exist.
func writeNew(name string, data []byte) error {
	f, err := disk.OS{}.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func now() time.Time { return time.Now().UTC() }
