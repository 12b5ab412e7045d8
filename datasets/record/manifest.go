package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
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
	Results   []namedCount   `json:"results"`
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

// namedCount is a ResultCount with names.
type namedCount struct {
	Result string `json:"result"`
	Reason string `json:"reason"`
	Games  uint64 `json:"games"`
}

// Entry describes one shard. Its JSON is that of entryJSON.
type Entry struct {
	Shard     int
	Split     string // of the whole shard, in format 1 only
	FirstGame uint64
	Games     uint64
	Files     []FileEntry // those of Commit.Files
}

// entryJSON is the JSON of an entry. Format 1 has a split and two named files, later ones a list.
type entryJSON struct {
	Shard     int         `json:"shard"`
	Split     string      `json:"split,omitempty"`
	FirstGame uint64      `json:"first_game"`
	Games     uint64      `json:"games"`
	Positions *FileEntry  `json:"positions,omitempty"`
	GamesFile *FileEntry  `json:"games_file,omitempty"`
	Files     []FileEntry `json:"files,omitempty"`
}

// MarshalJSON writes the text that appendText writes too, without white space.
func (s Entry) MarshalJSON() ([]byte, error) {
	j := entryJSON{Shard: s.Shard, Split: s.Split, FirstGame: s.FirstGame, Games: s.Games, Files: s.Files}
	if s.isFormat1() {
		j.Positions, j.GamesFile, j.Files = &s.Files[plan.PositionsFile], &s.Files[plan.GamesFile], nil
	}
	return canonical.Marshal(j), nil
}

// isFormat1 reports whether the entry has the two named files of format 1.
func (s Entry) isFormat1() bool { return s.Split != "" && len(s.Files) == 2 }

// UnmarshalJSON reads an entry of any format. Readers of manifests compare the whole text too, so it
// need not be strict.
func (s *Entry) UnmarshalJSON(text []byte) error {
	var j entryJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*s = Entry{j.Shard, j.Split, j.FirstGame, j.Games, j.Files}
	if j.Positions != nil && j.GamesFile != nil {
		s.Files = []FileEntry{*j.Positions, *j.GamesFile}
	}
	return nil
}

// Entry returns the entry of the shard in the manifest.
func (c *Commit) Entry() Entry { return Entry{c.Shard, c.Split, c.FirstGame, c.Games, c.Files} }

// equal compares two entries.
func (s Entry) equal(o Entry) bool {
	return s.Shard == o.Shard && s.Split == o.Split && s.FirstGame == o.FirstGame && s.Games == o.Games && slices.Equal(s.Files, o.Files)
}

// namedCounts returns counts with the names of results and reasons.
func namedCounts(d plan.Description, counts ResultCounts) (list []namedCount) {
	for _, n := range counts.List() {
		list = append(list, namedCount{d.ResultName(n.Result), d.ReasonName(n.Reason), n.Games})
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
