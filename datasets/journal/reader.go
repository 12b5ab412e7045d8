package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"sync/atomic"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// Read returns the finished games from first to end-1 in the journals of a shard, by
// their numbers. The caller owns the records. Journals of another plan count as empty. If
// two journals hold different records of one game, the error is ErrNondeterminism.
func Read(d disk.Dir, plan string, shard int, first, end uint64) (map[uint64]*engine.Record, error) {
	paths, err := pathsOf(d, shard)
	if err != nil {
		return nil, err
	}
	return readGames(d, paths, header(plan, shard), first, end)
}

// ReadFile is Read for a single journal of the shard. path is one of Paths.
func ReadFile(d disk.Dir, path, plan string, shard int, first, end uint64) (map[uint64]*engine.Record, error) {
	return readGames(d, []string{path}, header(plan, shard), first, end)
}

// readGames returns the games from first to end-1 in the journals that begin with head.
func readGames(d disk.Dir, paths []string, head string, first, end uint64) (map[uint64]*engine.Record, error) {
	records, err := readRecords(d, paths, head)
	if err != nil {
		return nil, err
	}
	games := map[uint64]*engine.Record{}
	for game, record := range records {
		if game < first || game >= end {
			continue
		}
		if games[game], err = ParseRecord(record); err != nil {
			return nil, err // cannot happen: addRecords has parsed it
		}
	}
	return games, nil
}

// maxFile is the size in bytes of the largest journal that is read: a million games of
// 16 KiB.
const maxFile = 16 << 30

// readRecords returns the encoded records in journals that begin with head, by game.
func readRecords(d disk.Dir, paths []string, head string) (map[uint64][]byte, error) {
	records := map[uint64][]byte{}
	for _, path := range paths {
		data, err := d.ReadFileUpTo(path, maxFile)
		if errors.Is(err, fs.ErrNotExist) { // another task has committed the shard
			continue
		}
		if err == nil {
			err = addRecords(records, data, head)
		}
		if err != nil {
			return nil, &fault.FileError{Op: "read", Path: path, Err: err}
		}
	}
	return records, nil
}

// addRecords adds the records of a journal that begins with head.
func addRecords(records map[uint64][]byte, data []byte, head string) error {
	data, ok := bytes.CutPrefix(data, []byte(head))
	for ok {
		var record []byte
		if record, data, ok = cutFrame(data, head); !ok {
			break
		}
		r, err := ParseRecord(record)
		if err != nil {
			break
		}
		if other := records[r.Game]; other != nil && !bytes.Equal(other, record) {
			return fmt.Errorf("%w: game %d differs between journals", fault.ErrNondeterminism, r.Game)
		}
		records[r.Game] = record
	}
	return nil
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
		if games = games[1:]; len(games) == 0 {
			return nil
		}
	}
	return fmt.Errorf("read games: the source has no game %d", games[0])
}
