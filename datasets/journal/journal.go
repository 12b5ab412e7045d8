package journal

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// A journal keeps the finished games of an open shard, in the order in which they were
// finished, so that a run that was killed repeats only those that it had under way. Each
// process that works on a shard writes one of its own, named as
// journal/00007.0123456789abcdef.log; all are read when the shard is resumed and removed
// when it is committed.
//
//	selfplay journal 1 <plan hash> <shard>\n
//	length uint32 | CRC-32C uint32 | record      one a game, little endian, see journal_record.go
//
// What follows the first frame that is not whole and right does not count: a process
// may have been killed, or a machine lost what was never synced, in the middle of it.

// journalName is the folder of journals in a dataset.
const Folder = disk.Hidden + "/journal"

const (
	magic       = "selfplay journal 1 "
	frameHeader = 8
	maxFrame    = 1 << 28
)

// syncEvery bounds what a power cut costs. A kill costs nothing that was written. Tests
// change it.
var SyncEvery = 5 * time.Second

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// journal is the one that this process writes for a shard.
type Writer struct {
	name   string
	d      disk.Dir
	f      disk.File
	buffer []byte
	synced time.Time
	named  bool // its name survives a power cut
}

func header(plan string, shard int) string {
	return fmt.Sprintf("%s%s %d\n", magic, plan, shard)
}

// createJournal begins a journal for a shard.
func Create(d disk.Dir, plan string, shard int) (*Writer, error) {
	var id [8]byte
	rand.Read(id[:]) // of the name only: no byte of the dataset depends on it
	j := &Writer{d: d, name: path.Join(Folder, prefix(shard)+hex.EncodeToString(id[:])+".log"), synced: time.Now()}
	var err error
	if j.f, err = d.FS.Create(d.Path(j.name)); err != nil {
		return nil, &fault.FileError{Op: "write", Path: j.name, Err: err}
	}
	if _, err := j.f.Write([]byte(header(plan, shard))); err != nil {
		return nil, errors.Join(&fault.FileError{Op: "write", Path: j.name, Err: err}, j.f.Close())
	}
	return j, nil
}

// add writes a game.
func (j *Writer) Add(r *engine.Record) error {
	frame := appendRecord(append(j.buffer[:0], make([]byte, frameHeader)...), r)
	j.buffer = frame
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-frameHeader))
	binary.LittleEndian.PutUint32(frame[4:], crc32.Checksum(frame[frameHeader:], castagnoli))
	if _, err := j.f.Write(frame); err != nil {
		return &fault.FileError{Op: "write", Path: j.name, Err: err}
	}
	if now := time.Now(); now.Sub(j.synced) >= SyncEvery {
		j.synced = now
		return j.sync()
	}
	return nil
}

// sync makes what was written survive a power cut. The name is synced with the
// first games, so that a shard that is made in a moment costs no sync at all.
func (j *Writer) sync() error {
	err := j.f.Sync()
	if err == nil && !j.named {
		err = j.d.SyncFolder(j.name)
		j.named = err == nil
	}
	if err != nil {
		return &fault.FileError{Op: "write", Path: j.name, Err: err}
	}
	return nil
}

// keep leaves the journal for a later run.
func (j *Writer) Keep() error { return errors.Join(j.sync(), j.f.Close()) }

// close is keep without a sync: the games are about to be in a shard.
func (j *Writer) Close() error { return j.f.Close() }

// shardPrefix begins the names of the journals of a shard.
func prefix(shard int) string { return fmt.Sprintf("%05d.", shard) }

// journaledShard returns the shard of which a file is a journal, by its name.
func ShardOf(name string) (int, bool) {
	number, _, _ := strings.Cut(name, ".")
	s, err := strconv.Atoi(number)
	return s, err == nil
}

// journals returns the names of the journals of a shard.
func names(d disk.Dir, shard int) (list []string, err error) {
	names, err := d.List(Folder)
	for _, name := range names {
		if strings.HasPrefix(name, prefix(shard)) {
			list = append(list, path.Join(Folder, name))
		}
	}
	return list, err
}

// dropJournals removes the journals of a shard that is committed.
func Drop(d disk.Dir, shard int) error {
	names, err := names(d, shard)
	for _, name := range names {
		err = errors.Join(err, d.Remove(name))
	}
	return err
}

// sweepJournals removes the journals of committed shards: what a run left that was
// killed between the two. Whoever still writes to one works on a shard that counts
// already.
func Sweep(d disk.Dir, committed map[int]bool) error {
	names, err := d.List(Folder)
	for _, name := range names {
		if s, ok := ShardOf(name); ok && committed[s] {
			err = errors.Join(err, d.Remove(path.Join(Folder, name)))
		}
	}
	return err
}

// readJournals returns the games from first to end-1 of a shard that were finished. Two
// journals that tell one game differently are ErrNondeterminism.
func Read(d disk.Dir, plan string, shard int, first, end uint64) (map[uint64]*engine.Record, error) {
	frames, err := readFrames(d, plan, shard)
	if err != nil {
		return nil, err
	}
	games := map[uint64]*engine.Record{}
	for game, frame := range frames {
		if game < first || game >= end {
			continue
		}
		if games[game], err = parseRecord(frame); err != nil {
			return nil, err // it was parsed before
		}
	}
	return games, nil
}

// readFrames returns the records in the journals of a shard, by their games.
func readFrames(d disk.Dir, plan string, shard int) (map[uint64][]byte, error) {
	names, err := names(d, shard)
	if err != nil {
		return nil, err
	}
	games := map[uint64][]byte{}
	for _, name := range names {
		data, err := d.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // another task has committed the shard
			continue
		}
		if err != nil {
			return nil, &fault.FileError{Op: "read", Path: name, Err: err}
		}
		if err := addGames(games, data, header(plan, shard)); err != nil {
			return nil, &fault.FileError{Op: "read", Path: name, Err: err}
		}
	}
	return games, nil
}

// addGames collects the records of a journal by their games. A journal of something
// else has none.
func addGames(games map[uint64][]byte, data []byte, head string) error {
	data, ok := bytes.CutPrefix(data, []byte(head))
	for ok {
		var frame []byte
		if frame, data, ok = cutFrame(data); !ok {
			break
		}
		r, err := parseRecord(frame)
		if err != nil {
			break
		}
		if there := games[r.Game]; there != nil && !bytes.Equal(there, frame) {
			return fmt.Errorf("%w: game %d is told in two ways", fault.ErrNondeterminism, r.Game)
		}
		games[r.Game] = frame
	}
	return nil
}

// cutFrame returns the record of the first frame; false if it is not whole and right.
func cutFrame(data []byte) (frame, rest []byte, ok bool) {
	if len(data) < frameHeader {
		return nil, nil, false
	}
	n, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	data = data[frameHeader:]
	if n > maxFrame || uint64(n) > uint64(len(data)) || crc32.Checksum(data[:n], castagnoli) != sum {
		return nil, nil, false
	}
	return data[:n], data[n:], true
}
