// Package scan reads whole datasets with several goroutines.
//
//	scan.go    Counter: how far a scan is
//	tables.go  Tables: rows in the order of the dataset, read ahead
//	games.go   Games: all games in any order, collected by several goroutines
package scan

import (
	"bytes"
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

// Part returns a counter for the rows of a part of a shard. It belongs to one goroutine.
func (n *Counter) Part(p *record.Part) *PartCounter { return &PartCounter{n: n, p: p} }

// PartCounter counts the games of a part by the game numbers of its rows.
type PartCounter struct {
	n     *Counter
	p     *record.Part
	games uint64 // that had rows
	last  []byte // number of the last one; nil before the first row
}

// Rows counts the rows of a table and their games.
func (c *PartCounter) Rows(t *encode.Table) {
	before, column := c.games, encode.ColumnNamed(t.Columns, encode.GameColumn)
	for row := range t.Rows {
		if game := t.Cell(column, row); !bytes.Equal(game, c.last) {
			c.games++
			c.last = append(c.last[:0], game...)
		}
	}
	c.n.Add(c.games-before, uint64(t.Rows))
}

// End counts the games without rows.
func (c *PartCounter) End() { c.n.Add(c.p.Games-c.games, 0) }
