package datasets

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Holder is who holds a dataset's lock.
type Holder struct {
	PID  int    `json:"pid"`
	Host string `json:"host"`
}

// lock is the right to write to a dataset, held by one process at a time. It
// dies with the process, so there are no stale locks.
type lock struct{ f *os.File }

// acquire takes the lock at once or returns a *LockError.
func acquire(name string) (*lock, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	held, err := flock(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("take lock: %w", err)
	}
	if !held {
		defer f.Close()
		return nil, &LockError{readHolder(f)}
	}
	return &lock{f}, writeHolder(f)
}

// release gives the lock back. The file stays: removing it would let two
// processes lock two files of one name.
func (l *lock) release() error { return l.f.Close() }

func writeHolder(f *os.File) error {
	host, _ := os.Hostname() // only for people to read
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt(encodeJSON(Holder{os.Getpid(), host}, ""), 0)
	return err
}

func readHolder(f *os.File) (h Holder) {
	data, _ := io.ReadAll(f)
	json.Unmarshal(data, &h) // a holder that is just writing reads as nobody
	return h
}
