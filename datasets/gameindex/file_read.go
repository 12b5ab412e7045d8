package gameindex

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"selfplay/datasets"
	"selfplay/internal/goroutine"
)

// load returns the shards of the index file that are still committed, in order, and their players.
// A file that is missing, damaged or of another plan, model or version has none.
func (ix *Index) load(commits []*datasets.Commit) ([]*shard, players) {
	if ix.file == "" {
		return nil, players{}
	}
	f, err := os.Open(ix.file)
	if err != nil {
		return nil, players{}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, players{}
	}
	shards, p, err := readFile(f, info.Size(), ix.head())
	if err != nil {
		return nil, players{}
	}
	return committed(shards, commits), p
}

// committed returns the shards that are committed as they were, with their records.
func committed(shards []*shard, commits []*datasets.Commit) (list []*shard) {
	i := 0
	for _, c := range commits { // both ascend
		for i < len(shards) && shards[i].commit.Shard < c.Shard {
			i++
		}
		if i < len(shards) && shards[i].same(c) {
			shards[i].commit = c
			list = append(list, shards[i])
		}
	}
	return list
}

// errFile: the index file is damaged, or of another dataset or version.
var errFile = errors.New("no index file of this dataset")

// readFile reads an index file of size bytes. want is the head without counts. The records of the
// shards have only what identifies them.
func readFile(f io.ReaderAt, size int64, want head) (_ []*shard, _ players, err error) {
	r := &sectionReader{f: f, at: int64(len(magic)), size: size}
	text := make([]byte, len(magic))
	if _, err := f.ReadAt(text, 0); err != nil || string(text) != magic {
		return nil, players{}, errFile
	}
	h, err := r.head(want)
	if err != nil {
		return nil, players{}, err
	}
	shards, err := r.shards(h)
	if err != nil {
		return nil, players{}, err
	}
	p, err := r.players(h)
	if err != nil {
		return nil, players{}, err
	}
	return shards, p, r.columns(h, shards)
}

// maxHead bounds the size of a head in bytes.
const maxHead = 4096

// head reads the head and compares it with want.
func (r *sectionReader) head(want head) (h head, err error) {
	n := r.length()
	if n > maxHead {
		return h, fmt.Errorf("%w: head of %d bytes", errFile, n)
	}
	text, err := r.whole(n)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, fmt.Errorf("%w: %w", errFile, err)
	}
	if h.Plan != want.Plan || h.A != want.A || h.B != want.B {
		return h, fmt.Errorf("%w: another plan or model", errFile)
	}
	for _, count := range [4]int{h.Shards, h.Games, h.Names, h.Pairs} {
		if count < 0 || int64(count) > r.size {
			return h, fmt.Errorf("%w: %d shards, games or players in %d bytes", errFile, count, r.size)
		}
	}
	return h, nil
}

// shards reads what identifies the shards, and makes room for their games.
func (r *sectionReader) shards(h head) (list []*shard, err error) {
	data, err := r.whole(shardBytes * int64(h.Shards))
	if err != nil {
		return nil, err
	}
	games, last := 0, -1
	for ; len(data) > 0; data = data[shardBytes:] {
		number, n := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
		c := &datasets.Commit{Shard: int(number), Games: uint64(n)}
		c.Files[datasets.GamesFile].SHA256 = hex.EncodeToString(data[8:shardBytes])
		games += int(c.Games)
		if c.Shard <= last || games > h.Games {
			return nil, fmt.Errorf("%w: shard %d after shard %d, or %d games", errFile, c.Shard, last, games)
		}
		last = c.Shard
		list = append(list, &shard{commit: c})
	}
	if games != h.Games || int64(games)*gameBytes > r.size-r.at {
		return nil, fmt.Errorf("%w: %d games, want %d", errFile, games, h.Games)
	}
	for i, s := range list {
		list[i] = newShard(s.commit)
	}
	return list, nil
}

// players reads names and pairs.
func (r *sectionReader) players(h head) (p players, err error) {
	data, err := r.whole(r.length())
	if err != nil {
		return p, err
	}
	for range h.Names {
		if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
			return p, fmt.Errorf("%w: names of players", errFile)
		}
		n := 4 + int(binary.LittleEndian.Uint32(data))
		p.names = append(p.names, string(data[4:n]))
		data = data[n:]
	}
	if len(data) > 0 {
		return p, fmt.Errorf("%w: %d bytes after the names of players", errFile, len(data))
	}
	if data, err = r.whole(8 * int64(h.Pairs)); err != nil {
		return p, err
	}
	for ; len(data) > 0; data = data[8:] {
		of := pair{binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])}
		if int(of[0]) >= h.Names || int(of[1]) >= h.Names {
			return p, fmt.Errorf("%w: player %d of %d", errFile, max(of[0], of[1]), h.Names)
		}
		p.pairs = append(p.pairs, of)
	}
	return p, nil
}

// columns reads the columns, several at once.
func (r *sectionReader) columns(h head, shards []*shard) error {
	g := goroutine.New()
	for _, c := range fileColumns() {
		s, err := r.section(int64(c.size) * int64(h.Games))
		if err != nil {
			return errors.Join(err, g.Wait())
		}
		g.Go(func() error { return s.column(c, shards) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if r.at != r.size {
		return fmt.Errorf("%w: %d bytes after the last section", errFile, r.size-r.at)
	}
	return checkPairs(shards, h.Pairs)
}

// column reads a column of all shards.
func (s *section) column(c fileColumn, shards []*shard) error {
	var block []byte
	for _, sh := range shards {
		n := c.size * sh.games()
		if cap(block) < n {
			block = make([]byte, n)
		}
		if err := s.read(block[:n]); err != nil {
			return err
		}
		c.read(sh, block[:n])
	}
	return s.check()
}

// checkPairs checks that the pairs of players exist.
func checkPairs(shards []*shard, pairs int) error {
	for _, s := range shards {
		for _, id := range s.players {
			if int(id) >= pairs {
				return fmt.Errorf("%w: pair %d of %d", errFile, id, pairs)
			}
		}
	}
	return nil
}
