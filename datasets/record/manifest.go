package record

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// Manifest is the JSON of manifest.json: totals, and the sums of all files. It follows
// from the plan and the commit records. Its last members vouch for the documents.
type Manifest struct {
	Format   int        `json:"format"`
	PlanHash string     `json:"plan_hash"`
	Game     string     `json:"game"`
	About    plan.About `json:"about"`
	Totals
	Splits    []SplitTotals  `json:"splits"`
	Results   []NamedCount   `json:"results"`
	Dropped   []Dropped      `json:"dropped,omitempty"` // rows that the filter dropped
	Networks  []networkEntry `json:"networks,omitempty"`
	Documents []DocumentSum  `json:"documents"` // of documentNames, in that order
	Files     []Entry        `json:"files"`
}

// documentNames are the documents whose sums are in a manifest.
var documentNames = []string{plan.FileName, plan.CardName, plan.CroissantName}

// DocumentSum describes a document. The program that writes a dataset chooses the words
// of its card. Another version has other words for the same dataset; the sum tells it
// that the stored text is unchanged.
type DocumentSum struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// SumDocument returns the entry of a document in the manifest.
func SumDocument(name string, data []byte) DocumentSum {
	sum := sha256.Sum256(data)
	return DocumentSum{name, len(data), hex.EncodeToString(sum[:])}
}

// SumStored is SumDocument for a document on disk.
func SumStored(d disk.Dir, name string) (DocumentSum, error) {
	s := NewSummer()
	err := d.Scan(name, func(r io.Reader) error {
		_, err := io.Copy(s, r)
		return err
	})
	return s.Document(name), err
}

// A Summer is the sum of the bytes that are written to it.
type Summer struct {
	hash  hash.Hash
	bytes int
}

// NewSummer returns the sum of no bytes.
func NewSummer() *Summer { return &Summer{hash: sha256.New()} }

func (s *Summer) Write(p []byte) (int, error) {
	s.bytes += len(p)
	return s.hash.Write(p)
}

// Document returns the entry of a document with the bytes written so far.
func (s *Summer) Document(name string) DocumentSum {
	return DocumentSum{name, s.bytes, hex.EncodeToString(s.hash.Sum(nil))}
}

// NamedCount is a ResultCount with names.
type NamedCount struct {
	Result string `json:"result"`
	Reason string `json:"reason"`
	Games  uint64 `json:"games"`
}

// Entry describes one shard.
type Entry struct {
	Shard     int         `json:"shard"`
	FirstGame uint64      `json:"first_game"`
	Games     uint64      `json:"games"`
	Files     []FileEntry `json:"files"` // those of Commit.Files
}

// Entry returns the entry of the shard in the manifest.
func (c *Commit) Entry() Entry { return Entry{c.Shard, c.FirstGame, c.Games, c.Files} }

// equal compares two entries.
func (s Entry) equal(o Entry) bool {
	return s.Shard == o.Shard && s.FirstGame == o.FirstGame && s.Games == o.Games && slices.Equal(s.Files, o.Files)
}

// namedCounts returns counts with the names of results and reasons.
func namedCounts(d plan.Description, counts ResultCounts) (list []NamedCount) {
	for _, n := range counts.List() {
		list = append(list, NamedCount{d.ResultName(n.Result), d.ReasonName(n.Reason), n.Games})
	}
	return list
}

// networkEntry describes a network in the manifest.
type networkEntry struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// networkEntries returns the networks of a plan for the manifest.
func networkEntries(p plan.Plan) (list []networkEntry) {
	for _, sum := range p.Networks {
		list = append(list, networkEntry{plan.NetworkName(sum), sum})
	}
	return list
}
