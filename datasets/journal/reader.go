package journal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"sync/atomic"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// Games are those of a shard that its journals hold. The caller owns them.
type Games struct {
	Finished map[uint64]*engine.Record
	UnderWay map[uint64]*engine.Unfinished // with the most decisions that any journal has
}

// Read returns the games from first to end-1 in the journals of a shard, by their numbers. Journals of another
// plan count as empty. If two journals hold different records of one game, or decisions that differ, the
// error is ErrNondeterminism; with approximate any of them will do.
func Read(d disk.Dir, plan string, shard int, first, end uint64, approximate bool) (Games, error) {
	paths, _, err := list(d, prefix(shard))
	if err != nil {
		return Games{}, err
	}
	r := newReader(d, plan, shard, approximate)
	for _, path := range paths {
		if err := r.readFile(path); err != nil {
			return Games{}, err
		}
	}
	return r.games(first, end)
}

// ReadFile is Read for a single journal of the shard. path is one of Paths.
func ReadFile(d disk.Dir, path, plan string, shard int, first, end uint64) (Games, error) {
	r := newReader(d, plan, shard, false)
	if err := r.readFile(path); err != nil {
		return Games{}, err
	}
	return r.games(first, end)
}

// maxFile is the size in bytes of the largest journal that is read: a million games of
// 16 KiB.
const maxFile = 16 << 30

// reader collects the games of the journals of a shard.
type reader struct {
	d           disk.Dir
	plan        string // hash
	shard       int
	approximate bool
	finished    map[uint64][]byte // encoded records
	underWay    map[uint64]*engine.Unfinished
}

func newReader(d disk.Dir, plan string, shard int, approximate bool) *reader {
	return &reader{d, plan, shard, approximate, map[uint64][]byte{}, map[uint64]*engine.Unfinished{}}
}

// readFile adds the games of a journal, none if it is gone.
func (r *reader) readFile(path string) error {
	data, err := r.d.ReadFileUpTo(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) { // another task has committed the shard
		return nil
	}
	if err == nil {
		err = r.add(data)
	}
	if err != nil {
		return &fault.FileError{Op: "read", Path: path, Err: err}
	}
	return nil
}

// add adds the games of the bytes of a journal, up to the first frame that is incomplete or invalid.
func (r *reader) add(data []byte) error {
	head := header(r.plan, r.shard)
	data, ok := bytes.CutPrefix(data, []byte(head))
	parts := map[uint64]*engine.Unfinished{}
	for ok {
		var body []byte
		body, data, ok = cutFrame(data, head)
		if !ok {
			break
		}
		if record := cutRecord(body); record == nil {
			ok = join(parts, body)
		} else if rec, err := ParseRecord(record); err != nil {
			ok = false
		} else if err := r.addFinished(rec.Game, record); err != nil {
			return err
		} else if u := parts[rec.Game]; u != nil && !u.Agrees(rec) && !r.approximate {
			return differs(rec.Game)
		} else {
			delete(parts, rec.Game)
		}
	}
	for game, u := range parts {
		if err := r.addUnderWay(game, u); err != nil {
			return err
		}
	}
	return nil
}

func differs(game uint64) error {
	return fmt.Errorf("%w: game %d differs between journals", fault.ErrNondeterminism, game)
}

// join adds a body with decisions to the games of a journal. It returns false if they do not follow the ones
// before.
func join(parts map[uint64]*engine.Unfinished, body []byte) bool {
	from, part, err := parseDecisions(body)
	if err != nil {
		return false
	}
	u := parts[part.Game]
	if from == 0 {
		parts[part.Game] = part
		return true
	}
	if u == nil || from != len(u.Nodes) {
		return false
	}
	u.Source = part.Source
	u.Append(&part.Record)
	return true
}

// addFinished adds a finished game.
func (r *reader) addFinished(game uint64, record []byte) error {
	other := r.finished[game]
	if other == nil {
		r.finished[game] = record
		return nil
	}
	if !r.approximate && !bytes.Equal(other, record) {
		return differs(game)
	}
	return nil
}

// addUnderWay adds a game under way if no other journal has more of it.
func (r *reader) addUnderWay(game uint64, u *engine.Unfinished) error {
	other := r.underWay[game]
	switch {
	case other == nil:
	case !r.approximate && (!u.Agrees(&other.Record) || len(u.Nodes) == len(other.Nodes) && u.Source != other.Source):
		return differs(game)
	case len(u.Nodes) <= len(other.Nodes):
		return nil
	}
	r.underWay[game] = u
	return nil
}

// games returns the games from first to end-1.
func (r *reader) games(first, end uint64) (Games, error) {
	g := Games{map[uint64]*engine.Record{}, map[uint64]*engine.Unfinished{}}
	for game, record := range r.finished {
		if game < first || game >= end {
			continue
		}
		rec, err := ParseRecord(record)
		if err != nil {
			return Games{}, err // cannot happen: add has parsed it
		}
		if u := r.underWay[game]; u != nil && !r.approximate && !u.Agrees(rec) {
			return Games{}, differs(game)
		}
		g.Finished[game] = rec
	}
	for game, u := range r.underWay {
		if game >= first && game < end && g.Finished[game] == nil {
			g.UnderWay[game] = u
		}
	}
	return g, nil
}

// Sender sends the records of chosen games to sinks and counts them. Any goroutine may read
// the counts.
type Sender struct{ games, plies atomic.Uint64 }

// Progress returns the number of games and plies sent so far.
func (s *Sender) Progress() (games, plies uint64) { return s.games.Load(), s.plies.Load() }

// Send sends those of records whose numbers are in games to sink. Both ascend. It returns the
// first error, also if a game is missing.
func (s *Sender) Send(ctx context.Context, records iter.Seq2[*engine.Record, error], games []uint64, sink func(*engine.Record) error) error {
	for r, err := range records {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case r.Game != games[0]:
			continue
		}
		if err := sink(r); err != nil {
			return err
		}
		s.games.Add(1)
		s.plies.Add(uint64(len(r.Actions)))
		games = games[1:]
		if len(games) == 0 {
			return nil
		}
	}
	return fmt.Errorf("read games: the source has no game %d", games[0])
}

// A Counter counts the games in the journals of a dataset, also while they are written. It
// remembers what it has read, so that counting again reads only what was appended since.
// It keeps no record. One goroutine may use it at a time.
type Counter struct {
	d     disk.Dir
	plan  string              // hash
	files map[string]*counted // by name
}

// counted is what is known of one journal.
type counted struct {
	shard  int
	head   string          // first line
	offset int64           // end of the last complete frame; 0 before the header was read
	size   int64           // of the file when it was read
	games  map[uint64]bool // by number
}

// NewCounter returns a counter of the journals of the plan with the given hash.
func NewCounter(d disk.Dir, plan string) *Counter {
	return &Counter{d: d, plan: plan, files: map[string]*counted{}}
}

// Games returns the numbers of the finished games in all journals, by shard. A journal of
// another plan has none, and a journal that is removed meanwhile is ignored.
func (c *Counter) Games() (map[int]map[uint64]bool, error) {
	paths, err := Paths(c.d)
	if err != nil {
		return nil, err
	}
	files, shards := map[string]*counted{}, map[int]map[uint64]bool{}
	for _, name := range paths {
		f := c.files[name]
		if f == nil {
			s, _ := ShardOf(path.Base(name))
			f = &counted{shard: s, games: map[uint64]bool{}}
		}
		err := f.read(c.d, name, c.plan)
		if disk.IsGone(err) { // the shard is committed
			continue
		}
		if err != nil {
			return nil, &fault.FileError{Op: "read", Path: name, Err: err}
		}
		files[name] = f
		f.addTo(shards)
	}
	c.files = files
	return shards, nil
}

// addTo adds the games of a journal to those of its shard. A game may be in several
// journals of the shard.
func (f *counted) addTo(shards map[int]map[uint64]bool) {
	if shards[f.shard] == nil {
		shards[f.shard] = map[uint64]bool{}
	}
	for game := range f.games {
		shards[f.shard][game] = true
	}
}

// read reads the frames that were appended since the last call.
func (f *counted) read(d disk.Dir, name, plan string) error {
	size, err := d.Size(name)
	if err != nil || size == f.size {
		return err
	}
	file, err := d.FS.Open(d.Path(name))
	if err != nil {
		return err
	}
	defer file.Close()
	f.size = size
	in := bufio.NewReader(io.NewSectionReader(file, f.offset, size-f.offset))
	if f.offset == 0 {
		found := make([]byte, len(header(plan, f.shard)))
		if _, err := io.ReadFull(in, found); err != nil || string(found) != header(plan, f.shard) {
			return endOfFile(err)
		}
		f.head, f.offset = string(found), int64(len(found))
	}
	return f.readFrames(in)
}

// readFrames reads the frames of a journal, up to the first one that is incomplete or damaged. A process may
// be writing it.
func (f *counted) readFrames(in io.Reader) error {
	var head [frameHeader]byte
	for {
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return endOfFile(err)
		}
		n := int64(binary.LittleEndian.Uint32(head[:]))
		if n > maxFrame || n > f.size-f.offset-frameHeader {
			return nil
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			return endOfFile(err)
		}
		if sumOf(f.head, body) != binary.LittleEndian.Uint32(head[4:]) {
			return nil
		}
		if record := cutRecord(body); record != nil {
			r, err := ParseRecord(record)
			if err != nil {
				return nil
			}
			f.games[r.Game] = true
		} else if _, _, err := parseDecisions(body); err != nil {
			return nil
		}
		f.offset += frameHeader + n
	}
}

// endOfFile returns nil for the end of a file, and other errors unchanged.
func endOfFile(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}
