package gameindex

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"path/filepath"
	"strings"
)

// The index file is a sequence of sections, little endian:
//
//	magic     8 bytes, with the version
//	head      JSON: plan hash, model, and the counts below
//	shards    n times number u32, games u32, SHA-256 of the games file
//	names     the names of the players, each with its length as u32 before it
//	pairs     n times two u32
//	columns   result, reason, plies, drop, drop_ply, players, opening: all games, shard by shard
//
// A section begins with its length as u64 and ends with its CRC-32C as u32. Any deviation makes
// the whole file worthless, and it is made again.
const magic = "SPgames1"

// Suffixes of the files beside the index file.
const (
	partialSuffix = ".partial" // the file that is being written
	lockSuffix    = ".lock"    // locked by the process that writes
)

// head is the first section of an index file.
type head struct {
	Plan   string `json:"plan"` // hash
	A      int    `json:"a"`    // the model of drops, 0 without one
	B      int    `json:"b"`
	Shards int    `json:"shards"`
	Games  int    `json:"games"`
	Names  int    `json:"names"`
	Pairs  int    `json:"pairs"`
}

// head returns the head of a file of this index, without counts.
func (ix *Index) head() head {
	h := head{Plan: ix.ds.PlanHash()}
	if w := ix.shape.WDL; w != nil {
		h.A, h.B = w.A, w.B
	}
	return h
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// shardBytes is the size of a shard in its section.
const shardBytes = 4 + 4 + sha256.Size

// maxBase is the longest part of a name in bytes that comes from the dataset. With the hash and
// the suffixes, the name of a file is below the 255 bytes that file systems take.
const maxBase = 128

// fileName returns the name of the index file of a dataset. It has a hash of the whole path,
// because datasets in different folders may have the same name.
func fileName(cache, root string) string {
	whole := root
	if abs, err := filepath.Abs(root); err == nil && !strings.Contains(root, "://") {
		whole = abs
	}
	sum := sha256.Sum256([]byte(whole))
	base := filepath.Base(filepath.Clean(whole))
	base = strings.ToValidUTF8(base[:min(len(base), maxBase)], "")
	return filepath.Join(cache, base+"-"+hex.EncodeToString(sum[:8])+".games")
}
