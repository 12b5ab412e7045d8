package datasets

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Whoever writes to a dataset has a claim: a file tmp/<id>.lock that says who it is,
// locked while the process lives. Its temporaries are called tmp/<id>.<name>. So tasks
// that share a dataset never take each other's names, and a temporary whose claim
// nobody holds is left of a dead process and may go. No clock and no process table is
// asked; both lie about other machines and containers.

const claimSuffix = ".lock"

// Holder is who writes to a dataset.
type Holder struct {
	PID  int    `json:"pid"`
	Host string `json:"host"`
}

type claim struct {
	id   string
	name string // on the machine
	f    *os.File
}

// newClaim makes a claim under a name that nobody has had.
func newClaim(d dir) (*claim, error) {
	if err := d.disk.MkdirAll(d.path(tmpName)); err != nil {
		return nil, err
	}
	for {
		c, err := tryClaim(d)
		if c != nil || err != nil {
			return c, err
		}
	}
}

// tryClaim makes a claim; nil if a sweeper took it for a dead one before it was
// locked.
func tryClaim(d dir) (*claim, error) {
	var random [4]byte
	rand.Read(random[:])
	id := fmt.Sprintf("%d-%s", os.Getpid(), hex.EncodeToString(random[:]))
	c := &claim{id: id, name: d.path(path.Join(tmpName, id+claimSuffix))}
	var err error
	if c.f, err = os.OpenFile(c.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644); err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	held, err := flock(c.f, false)
	if err == nil && held && c.there() {
		host, _ := os.Hostname() // only for people to read
		_, err = c.f.Write(encodeJSON(Holder{os.Getpid(), host}, ""))
		if err == nil {
			return c, nil
		}
	}
	c.release()
	return nil, err
}

// there reports whether the file that is locked is still the one of that name.
func (c *claim) there() bool {
	locked, err := c.f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(c.name)
	return err == nil && os.SameFile(locked, named)
}

func (c *claim) release() {
	err := os.Remove(c.name)
	c.f.Close()
	if err != nil { // Windows keeps what is open
		os.Remove(c.name)
	}
}

// openClaim opens the claim id. It is locked then unless a process holds it.
func openClaim(d dir, id string) (c *claim, held bool, err error) {
	c = &claim{id: id, name: d.path(path.Join(tmpName, id+claimSuffix))}
	if c.f, err = os.OpenFile(c.name, os.O_RDWR, 0); err != nil {
		return nil, false, err
	}
	locked, err := flock(c.f, false)
	return c, err != nil || !locked || !haveFlock, nil
}

// alive reports whether a process holds the claim id.
func (d dir) alive(id string) bool {
	c, held, err := openClaim(d, id)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	c.f.Close()
	return held
}

// findHolder returns one of those who write to the dataset.
func findHolder(d dir) (h Holder) {
	names, _ := d.list(tmpName)
	for _, name := range names {
		id, ok := strings.CutSuffix(name, claimSuffix)
		if !ok {
			continue
		}
		c, held, err := openClaim(d, id)
		if err != nil {
			continue
		}
		data, _ := io.ReadAll(c.f)
		c.f.Close()
		if held && json.Unmarshal(data, &h) == nil { // one that is just writing is nobody
			return h
		}
	}
	return Holder{}
}

// sweep removes what killed runs left in tmp/. Who has the lock alone knows that
// nobody else lives; a task spares what is claimed. Claims go last: until then they
// speak for the others.
func (d dir) sweep(shared bool) error {
	names, err := d.list(tmpName)
	var claims []string
	for _, name := range names {
		id, _, _ := strings.Cut(name, ".")
		switch {
		case id == d.id:
		case strings.HasSuffix(name, claimSuffix):
			claims = append(claims, id)
		case !shared || !d.alive(id):
			err = errors.Join(err, d.remove(path.Join(tmpName, name)))
		}
	}
	for _, id := range claims {
		c, held, bad := openClaim(d, id)
		if bad != nil {
			continue // somebody else swept it
		}
		if held && shared {
			c.f.Close()
			continue
		}
		c.release() // while it is locked, so that its maker cannot believe to have it
	}
	return err
}
