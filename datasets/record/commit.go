package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/plan"
	"selfplay/engine"
)

// Commit is the commit record of a shard. A shard counts if and only if its record exists
// and matches its files. Every field but Build and Sum is a function of the plan and of Games.
type Commit struct {
	Format    int           `json:"format"`
	Plan      string        `json:"plan"` // hash
	Shard     int           `json:"shard"`
	FirstGame uint64        `json:"first_game"`
	Games     uint64        `json:"games"`
	Rows      uint64        `json:"rows"` // of the positions table
	Results   []ResultCount `json:"results"`
	Dropped   []Dropped     `json:"dropped,omitempty"` // one for each part of the plan's filter
	Files     []FileEntry   `json:"files"`             // positions and games of each part
	Build     string        `json:"build"`             // version of the program that made the shard

	// Sum is the SHA-256 of the record's canonical JSON without this member.
	Sum string `json:"sum,omitempty"`
}

// ResultCount is the number of games with one result and reason. The numbers index
// Description.Results and Description.Reasons.
type ResultCount struct {
	Result uint8  `json:"result"`
	Reason uint8  `json:"reason"`
	Games  uint64 `json:"games"`
}

// FileEntry describes a data file, in commit records and in the manifest.
type FileEntry struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Rows   uint64 `json:"rows"`
	// RowDigest is computed from the values of the rows. It does not depend on format,
	// board type or batch size. See colfile.RowDigest.
	RowDigest string `json:"row_digest"`
}

// Bytes returns the size of all files.
func (c *Commit) Bytes() (n int64) {
	for _, f := range c.Files {
		n += f.Bytes
	}
	return n
}

// Same reports whether two records are equal except for Build and Sum, which covers Build.
func (c *Commit) Same(o *Commit) bool {
	a, b := *c, *o
	a.Build, b.Build = "", ""
	a.Sum, b.Sum = "", ""
	return string(canonical.Marshal(a)) == string(canonical.Marshal(b))
}

// Encode returns the bytes of the record, with its sum.
func (c *Commit) Encode() []byte {
	bare := c.encodeBare()
	sum := sha256.Sum256(bare)
	summed := fmt.Appendf(bare[:len(bare)-1], `,"sum":"%x"}`, sum)
	return append(canonical.AppendIndented(make([]byte, 0, 2*len(summed)), summed, ""), '\n')
}

// encodeBare returns the canonical JSON of the record without Sum, its last member.
func (c *Commit) encodeBare() []byte {
	bare := *c
	bare.Sum = ""
	return canonical.Marshal(bare)
}

// sum returns the value that Sum must have.
func (c *Commit) sum() string {
	sum := sha256.Sum256(c.encodeBare())
	return hex.EncodeToString(sum[:])
}

// ResultCounts counts games by result and reason.
type ResultCounts map[[2]uint8]uint64

// Add counts a game.
func (r ResultCounts) Add(o engine.Outcome) { r[[2]uint8{uint8(o.Result), uint8(o.Reason)}]++ }

// List returns the counts, sorted by result, then reason.
func (r ResultCounts) List() []ResultCount {
	var list []ResultCount
	for k, n := range r {
		list = append(list, ResultCount{k[0], k[1], n})
	}
	slices.SortFunc(list, func(a, b ResultCount) int {
		return (int(a.Result)-int(b.Result))*256 + int(a.Reason) - int(b.Reason)
	})
	return list
}

// Dropped is the number of rows that one part of the plan's filter dropped. A row counts
// for the first part that drops it.
type Dropped struct {
	Filter string `json:"filter"`
	Rows   uint64 `json:"rows"`
}

// DroppedRows pairs counts with the parts of the filter of a plan. Without a filter it returns nil.
func DroppedRows(p plan.Plan, counts []uint64) (list []Dropped) {
	for i, part := range p.Filter {
		list = append(list, Dropped{part, counts[i]})
	}
	return list
}

// Plies returns the number of plies of the shard's games: rows of the positions table, and
// rows that the filter dropped.
func (c *Commit) Plies() uint64 {
	n := c.Rows
	for _, d := range c.Dropped {
		n += d.Rows
	}
	return n
}
