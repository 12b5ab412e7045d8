// Package scan reads whole datasets with several goroutines.
//
//	scan.go    Counter: how far a scan is
//	tables.go  Tables: rows in the order of the dataset, read ahead
//	games.go   Games: all games in any order, collected by several goroutines
package scan

import (
	"encoding/binary"
	"sync/atomic"

	"selfplay/datasets/record"
	"selfplay/encode"
)

// Counter counts what has been read. Several goroutines may use it. The zero value is
// ready.
type Counter struct{ games, plies atomic.Uint64 }

// Add adds games and plies, or rows.
func (n *Counter) Add(games, plies uint64) {
	n.games.Add(games)
	n.plies.Add(plies)
}

// Progress returns the games and plies that have been read.
func (n *Counter) Progress() (games, plies uint64) { return n.games.Load(), n.plies.Load() }

// Shard returns a counter for the rows of one shard. It belongs to one goroutine.
func (n *Counter) Shard(c *record.Commit) *ShardCounter { return &ShardCounter{n: n, c: c} }

// ShardCounter counts the games of a shard by the game numbers of its rows.
type ShardCounter struct {
	n     *Counter
	c     *record.Commit
	games uint64
}

// Rows counts the rows of a table, and the games up to that of the last row.
func (s *ShardCounter) Rows(t *encode.Table) {
	if t.Rows == 0 {
		return
	}
	s.n.Add(0, uint64(t.Rows))
	game := binary.LittleEndian.Uint64(t.Cell(encode.ColumnNamed(t.Columns, encode.GameColumn), t.Rows-1))
	s.upTo(game - s.c.FirstGame + 1)
}

// End counts the games after the last row.
func (s *ShardCounter) End() { s.upTo(s.c.Games) }

func (s *ShardCounter) upTo(games uint64) {
	s.n.Add(games-s.games, 0)
	s.games = games
}
