package journal

import (
	"bufio"
	"encoding/binary"
	"io"
	"path"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

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
	names, err := c.d.ListFiles(Folder)
	if err != nil {
		return nil, err
	}
	files, shards := map[string]*counted{}, map[int]map[uint64]bool{}
	for _, name := range names {
		s, ok := ShardOf(name)
		if !ok || !fileName.MatchString(name) {
			continue
		}
		f := c.files[name]
		if f == nil {
			f = &counted{shard: s, games: map[uint64]bool{}}
		}
		err := f.read(c.d, path.Join(Folder, name), c.plan)
		if disk.IsGone(err) { // the shard is committed
			continue
		}
		if err != nil {
			return nil, &fault.FileError{Op: "read", Path: path.Join(Folder, name), Err: err}
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
