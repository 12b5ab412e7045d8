// Package journal keeps the games of an open shard, so that a run that was killed repeats
// only the searches, or the fast games, it had under way.
//
// Each process that works on a shard appends to a journal of its own: games in the order in
// which they finish, and before that the decisions of games whose players think long. Of a game
// under way the journal with the most decisions counts. A later run of the shard reads all of them ([Read]). The
// journals of a committed shard are removed ([Drop], [Sweep]).
//
// # Format
//
// A journal is .selfplay/journal/<shard>.<id>.log, with a shard of at least five decimal
// digits and a random id of 16 hexadecimal digits:
//
//	header  "selfplay journal 1 <plan hash> <shard>\n"
//	frames  length uint32 | CRC-32C of header and body uint32 | body
//	body    0 | record: a finished game
//	        1 | n | random source, 20 bytes | record: decisions of a game under way
//
// The checksum covers the header, so a frame is valid only under the plan, which includes
// the seed, and the shard that it was written for. The record has the number of its game.
// That of decisions continues the lists of the frames before in this journal, which have n
// decisions; the first one, with n = 0, has the opening too. The random source is that of
// the game after its last ply, as math/rand/v2 encodes a PCG.
//
// In a record numbers are uvarints. Texts and lists begin with their length, a uvarint,
// and the elements of a list have the width of their type. Fixed-width numbers are little
// endian.
//
//	game, start, first player, second player, opening plies, result, reason,
//	actions, move ranks, best, scores, nodes, policy sizes, policy actions, policy weights,
//	old best, old scores, old nodes, tags
//
// Tags are texts, as many as the rest of the record has.
//
// A reader ignores a journal with another header, and everything from the first frame on
// that is incomplete or fails its checksum: a process may have been killed in the middle
// of a frame, or a power cut may have lost data that was never synced.
//
// # Durability
//
// A frame survives a kill of the process as soon as [Writer.Add] or [Writer.AddDecisions] returns. It survives a
// power cut after the next sync, at most one sync interval and one game later.
package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"path"
	"regexp"
	"strconv"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// Folder is the folder of journals, relative to the dataset.
const Folder = disk.Hidden + "/journal"

// version is that of the format.
const version = 1

// header returns the first line of a journal.
func header(plan string, shard int) string {
	return fmt.Sprintf("selfplay journal %d %s %d\n", version, plan, shard)
}

// prefix begins the file names of the journals of a shard.
func prefix(shard int) string { return fmt.Sprintf("%05d.", shard) }

// ShardOf returns the shard of a journal, given its file name without folder. It is false
// for other names.
func ShardOf(name string) (int, bool) {
	number, _, _ := strings.Cut(name, ".")
	s, err := strconv.Atoi(number)
	return s, err == nil
}

// fileName matches the names of journals.
var fileName = regexp.MustCompile(`^[0-9]{5}\.[0-9a-f]+\.log$`)

// IsName reports whether a journal may have this name in Folder.
func IsName(name string) bool { return fileName.MatchString(name) }

// Paths returns all journals, relative to the dataset. ShardOf their base names is valid.
func Paths(d disk.Dir) (paths []string, err error) {
	paths, _, err = list(d, "")
	return paths, err
}

// Unreadable returns what has the name of a journal but is no file, or too large for one, with the reasons. A run goes
// on without it: the games of a journal can be played again.
func Unreadable(d disk.Dir) (map[string]error, error) {
	_, bad, err := list(d, "")
	return bad, err
}

// list returns the journals whose names begin with a prefix, and what is none.
func list(d disk.Dir, prefix string) (paths []string, bad map[string]error, err error) {
	names, err := d.List(Folder)
	bad = map[string]error{}
	for _, name := range names {
		if !IsName(name) || !strings.HasPrefix(name, prefix) {
			continue
		}
		info, err := d.FS.Lstat(d.Path(path.Join(Folder, name)))
		switch {
		case disk.IsGone(err): // its shard is committed
		case err != nil:
			return nil, nil, err
		case !info.Mode().IsRegular():
			bad[path.Join(Folder, name)] = fault.Corrupt("no regular file")
		case info.Size() > maxFile:
			bad[path.Join(Folder, name)] = fault.Corrupt("%d bytes, more than a journal has", info.Size())
		default:
			paths = append(paths, path.Join(Folder, name))
		}
	}
	return paths, bad, err
}

// Drop removes the journals of a committed shard. It tries all of them and joins the
// errors.
func Drop(d disk.Dir, shard int) error { return sweep(d, func(s int) bool { return s == shard }) }

// Sweep removes the journals of all committed shards: those of runs that were killed
// between commit and Drop. Another process may still write to one of them; its shard is
// committed already, so its games are not needed.
func Sweep(d disk.Dir, committed map[int]bool) error {
	return sweep(d, func(s int) bool { return committed[s] })
}

// sweep removes the journals of the wanted shards. Only regular files with the name of a
// journal are journals.
func sweep(d disk.Dir, want func(shard int) bool) error {
	names, err := d.ListFiles(Folder)
	for _, name := range names {
		if s, _ := ShardOf(name); fileName.MatchString(name) && want(s) {
			err = errors.Join(err, d.Remove(path.Join(Folder, name)))
		}
	}
	return err
}

const (
	frameHeader = 8       // bytes: length, checksum
	maxFrame    = 1 << 28 // bytes of a body
)

// Kinds of frames, the first byte of a body.
const (
	kindFinished  = 0
	kindDecisions = 1
)

// randomBytes is the size of the random source in a body.
const randomBytes = 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf returns the checksum of a body in the journal that begins with head. It covers
// head too: a frame is valid only in journals of its own plan and shard.
func sumOf(head string, body []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(head), castagnoli), castagnoli, body)
}

// appendFrame appends the frame of a finished game to a journal that begins with head.
func appendFrame(dst []byte, head string, r *engine.Record) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, frameHeader)...)
	dst = AppendRecord(append(dst, kindFinished), r)
	return sealFrame(dst, start, head)
}

// appendDecisions appends the frame of the decisions of a game since an earlier frame, which ended with
// from of them.
func appendDecisions(dst []byte, head string, from int, part *engine.Record, src *rand.PCG) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, frameHeader)...)
	dst = binary.AppendUvarint(append(dst, kindDecisions), uint64(from))
	dst, _ = src.AppendBinary(dst) // never fails
	return sealFrame(AppendRecord(dst, part), start, head)
}

// sealFrame writes length and checksum of the frame that begins at start.
func sealFrame(dst []byte, start int, head string) []byte {
	frame := dst[start:]
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-frameHeader))
	binary.LittleEndian.PutUint32(frame[4:], sumOf(head, frame[frameHeader:]))
	return dst
}

// cutFrame returns the body of the first frame of a journal that begins with head; false
// if the frame is incomplete or fails its checksum.
func cutFrame(data []byte, head string) (body, rest []byte, ok bool) {
	if len(data) < frameHeader {
		return nil, nil, false
	}
	n, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
	data = data[frameHeader:]
	if n > maxFrame || uint64(n) > uint64(len(data)) || sumOf(head, data[:n]) != sum {
		return nil, nil, false
	}
	return data[:n], data[n:], true
}

// cutRecord returns the encoded record of a finished game in a body, nil if the body has decisions.
func cutRecord(body []byte) []byte {
	if len(body) > 0 && body[0] == kindFinished {
		return body[1:]
	}
	return nil
}

// parseDecisions parses a body with decisions.
func parseDecisions(body []byte) (from int, part *engine.Unfinished, err error) {
	p := &recordParser{data: body}
	kind := p.number(255)
	from = int(p.number(1 << 30))
	part = new(engine.Unfinished)
	if p.invalid || kind != kindDecisions || len(p.data) < randomBytes || part.Source.UnmarshalBinary(p.data[:randomBytes]) != nil {
		return 0, nil, fault.Corrupt("invalid decisions of a game")
	}
	r, err := ParseRecord(p.data[randomBytes:])
	if err == nil {
		part.Record = *r
	}
	return from, part, err
}

// AppendRecord appends the encoded record of a game, in the layout of the package
// comment.
func AppendRecord(dst []byte, r *engine.Record) []byte {
	dst = binary.AppendUvarint(dst, r.Game)
	for _, text := range []string{r.Start, r.Players[0], r.Players[1]} {
		dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
	}
	for _, n := range []uint64{uint64(r.OpeningPlies), uint64(r.Outcome.Result), uint64(r.Outcome.Reason)} {
		dst = binary.AppendUvarint(dst, n)
	}
	for _, list := range gamerow.Lists(r) {
		n, _ := gamerow.SizeOf(list)
		dst = gamerow.AppendList(binary.AppendUvarint(dst, uint64(n)), list)
	}
	for _, text := range r.Tags {
		dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
	}
	return dst
}

// ParseRecord parses a record that takes all of data. The result shares no memory with
// data.
func ParseRecord(data []byte) (*engine.Record, error) {
	p := &recordParser{data: data}
	r := &engine.Record{Game: p.number(^uint64(0)), Start: string(p.list(1))}
	r.Players = [2]string{string(p.list(1)), string(p.list(1))}
	r.OpeningPlies = uint16(p.number(1<<16 - 1))
	r.Outcome = engine.Outcome{Result: engine.Result(p.number(255)), Reason: engine.Reason(p.number(255))}
	for _, list := range gamerow.Lists(r) {
		_, width := gamerow.SizeOf(list)
		gamerow.ReadList(list, p.list(width))
	}
	for len(p.data) > 0 {
		r.Tags = append(r.Tags, string(p.list(1)))
	}
	if p.invalid || len(p.data) > 0 {
		return nil, fault.Corrupt("invalid record of a game")
	}
	return r, nil
}

// recordParser consumes an encoded record. After an error it returns zeros and empty
// lists.
type recordParser struct {
	data    []byte // not yet consumed
	invalid bool
}

func (p *recordParser) fail() {
	p.invalid, p.data = true, nil
}

// number consumes a number, which is at most limit.
func (p *recordParser) number(limit uint64) uint64 {
	v, n := binary.Uvarint(p.data)
	if n <= 0 || v > limit {
		p.fail()
		return 0
	}
	p.data = p.data[n:]
	return v
}

// list consumes a list of elements of size bytes and returns them as bytes of data.
func (p *recordParser) list(size int) []byte {
	n := p.number(uint64(len(p.data) / size))
	if uint64(len(p.data)) < n*uint64(size) { // after the bytes of the length
		p.fail()
		return nil
	}
	v := p.data[:n*uint64(size)]
	p.data = p.data[len(v):]
	return v
}
