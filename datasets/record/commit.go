// Package record says what a dataset has: which shards are committed, what is in their files, and what follows from both.
//
// A Commit is the record of one shard. The shard counts if and only if its record exists and matches
// the plan and the files. The manifest repeats the records of all shards, with their totals, for readers
// without .selfplay/. Records and manifest are two witnesses: if they disagree, neither is changed.
// The target is the number of games of the last run.
//
// Whole records take about 1 KB a shard, and a dataset may have 100,000. So a Set keeps a Shard of each
// record, and a manifest is read and written one Entry at a time.
//
// Three files follow from the plan and the records and can be written again at any time: the card (README.md) for
// people, croissant.json for programs, and the manifest, which vouches for both. Their texts may change between versions
// of the program, because the manifest has the sums of the texts that were written.
package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"

	"selfplay/datasets/colfile"
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

// A Part is what one split has of a committed shard, by its record; a plan.Part is what the plan says of it, and a
// datasets.Part reads it.
type Part struct {
	plan.Part
	Commit *Commit // of the shard
	Shard  int
	Rows   uint64       // of its positions
	Files  [2]FileEntry // positions, games
}

// Parts returns the parts of the shard, training before validation.
func (c *Commit) Parts() (list []*Part) {
	for i := 0; i+1 < len(c.Files); i += 2 {
		files := [2]FileEntry(c.Files[i : i+2])
		list = append(list, &Part{
			Part:   plan.Part{Split: plan.SplitOfName(files[0].Name), Games: files[plan.GamesFile].Rows},
			Commit: c, Shard: c.Shard, Rows: files[plan.PositionsFile].Rows, Files: files,
		})
	}
	return list
}

// PartsOf returns the parts of shards.
func PartsOf(commits []*Commit) (list []*Part) {
	for _, c := range commits {
		list = append(list, c.Parts()...)
	}
	return list
}

// PartOf returns the part of a shard that has a split, or nil.
func (c *Commit) PartOf(split string) *Part {
	for _, p := range c.Parts() {
		if p.Split == split {
			return p
		}
	}
	return nil
}

// Outcomes returns the outcomes that games of the shard have.
func (p *Part) Outcomes() (list []engine.Outcome) {
	for _, r := range p.Commit.Results {
		list = append(list, engine.Outcome{Result: engine.Result(r.Result), Reason: engine.Reason(r.Reason)})
	}
	return list
}

// Bytes returns the size of both files.
func (p *Part) Bytes() int64 {
	return p.Files[plan.PositionsFile].Bytes + p.Files[plan.GamesFile].Bytes
}

// Spec returns the columns, metadata and encoding of file f of the part.
func (p *Part) Spec(file *plan.File, f int) colfile.Spec {
	return file.Spec(plan.Tables[f], p.Shard, p.Part)
}

// entryKey stands for the entry of a shard in a manifest. Two of them are equal if the
// entries are.
type entryKey struct {
	Shard int
	Games uint64
	sum   EntrySum
}

// Shard is what stays in memory of a record: all that sums and checks of many shards need.
type Shard struct {
	entryKey
	Rows, Plies uint64
	Sizes       [maxFiles]int64 // of Commit.Files, in bytes; 0 for files that the shard does not have
}

// maxFiles is the largest number of files of a shard: two of each split.
const maxFiles = 4

// Bytes returns the size of all files.
func (r *Shard) Bytes() (n int64) {
	for _, size := range r.Sizes {
		n += size
	}
	return n
}

// PositionBytes returns the size of the files of positions.
func (r *Shard) PositionBytes() int64 {
	return r.Sizes[plan.PositionsFile] + r.Sizes[2+plan.PositionsFile]
}

// An EntrySum is a SHA-256 of everything that an entry of a manifest says, or of the bytes of
// a whole manifest.
type EntrySum [sha256.Size]byte

// Totals sums up committed shards. Its members are those of manifest.json.
type Totals struct {
	Shards int    `json:"shards"`
	Games  uint64 `json:"games"`
	Rows   uint64 `json:"rows"` // of the positions table
	Bytes  int64  `json:"bytes"`
}

// Add adds a shard.
func (t *Totals) Add(s Shard) {
	t.Shards++
	t.Games += s.Games
	t.Rows += s.Rows
	t.Bytes += s.Bytes()
}

// Remove takes a shard away that was added.
func (t *Totals) Remove(s Shard) {
	t.Shards--
	t.Games -= s.Games
	t.Rows -= s.Rows
	t.Bytes -= s.Bytes()
}

// addPart adds a part of a shard.
func (t *Totals) addPart(p *Part) {
	t.Shards++
	t.Games += p.Games
	t.Rows += p.Rows
	t.Bytes += p.Bytes()
}

// Counts says how far a dataset is, or the part of it that a task makes. Rows and bytes are no members: programs
// print them, and games in journals, at other places.
type Counts struct {
	Target     uint64 `json:"target"` // games; 0 if unknown
	Shards     int    `json:"shards"` // of the target
	ShardsDone int    `json:"shards_done"`
	Games      uint64 `json:"games"` // committed
}

// SplitTotals sums up the parts of one split. Its shards are those that have games of it.
type SplitTotals struct {
	Split string `json:"split"`
	Totals
}

// Every command reads all records, and package encoding/json takes most of that time. scanCommit reads
// the text that Commit.encode writes, and no other: a text that differs in one byte is left to
// encoding/json, which also says what is wrong.

// scanCommit reads a canonical record. It reports false if the text may not be canonical or its sum is
// wrong.
func scanCommit(data []byte) (c *Commit, ok bool) {
	c = new(Commit)
	t := textScanner{rest: data}
	c.Format = t.integer("{\n  \"format\": ")
	c.Plan = t.str(",\n  \"plan\": ")
	c.Shard = t.integer(",\n  \"shard\": ")
	c.FirstGame = t.number(",\n  \"first_game\": ", math.MaxUint64)
	c.Games = t.number(",\n  \"games\": ", math.MaxUint64)
	c.Rows = t.number(",\n  \"rows\": ", math.MaxUint64)
	t.list(",\n  \"results\": ", func() { c.Results = append(c.Results, t.result()) })
	if t.has(",\n  \"dropped\": ") {
		t.list("", func() { c.Dropped = append(c.Dropped, t.dropped()) })
	}
	t.list(",\n  \"files\": ", func() { c.Files = append(c.Files, t.file()) })
	c.Build = t.str(",\n  \"build\": ")
	bare := len(data) - len(t.rest) // of the text before the sum
	c.Sum = t.str(",\n  \"sum\": ")
	t.expect("\n}\n")
	if t.failed || len(t.rest) > 0 || c.Sum == "" {
		return nil, false
	}
	var sum [2 * sha256.Size]byte
	digest := sha256.Sum256(append(compacted(data[:bare]), '}'))
	hex.Encode(sum[:], digest[:])
	return c, string(sum[:]) == c.Sum
}

func (t *textScanner) result() (n ResultCount) {
	n.Result = uint8(t.number("\n      \"result\": ", math.MaxUint8))
	n.Reason = uint8(t.number(",\n      \"reason\": ", math.MaxUint8))
	n.Games = t.number(",\n      \"games\": ", math.MaxUint64)
	return n
}

func (t *textScanner) dropped() (d Dropped) {
	d.Filter = t.str("\n      \"filter\": ")
	d.Rows = t.number(",\n      \"rows\": ", math.MaxUint64)
	return d
}

func (t *textScanner) file() (f FileEntry) {
	f.Name = t.str("\n      \"name\": ")
	f.Bytes = int64(t.number(",\n      \"bytes\": ", math.MaxInt64))
	f.SHA256 = t.str(",\n      \"sha256\": ")
	f.Rows = t.number(",\n      \"rows\": ", math.MaxUint64)
	f.RowDigest = t.str(",\n      \"row_digest\": ")
	return f
}

// textScanner reads JSON that is indented by two spaces a level. After the first text that it does not
// expect it has failed, and all values are zero.
type textScanner struct {
	rest   []byte
	failed bool
}

// has skips a text if it comes next.
func (t *textScanner) has(text string) bool {
	if t.failed || len(t.rest) < len(text) || string(t.rest[:len(text)]) != text {
		return false
	}
	t.rest = t.rest[len(text):]
	return true
}

func (t *textScanner) expect(text string) {
	if !t.has(text) {
		t.failed = true
	}
}

// list reads a list, which is not empty, of the outermost object. one reads the members of an element.
func (t *textScanner) list(before string, one func()) {
	t.expect(before + "[\n    {")
	for !t.failed {
		one()
		t.expect("\n    }")
		if !t.has(",\n    {") {
			break
		}
	}
	t.expect("\n  ]")
}

// integer is number for a value of type int.
func (t *textScanner) integer(before string) int { return int(t.number(before, math.MaxInt)) }

// number reads a number up to most, in the digits of strconv.
func (t *textScanner) number(before string, most uint64) (n uint64) {
	t.expect(before)
	digits := 0
	for digits < len(t.rest) && '0' <= t.rest[digits] && t.rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.ParseUint(string(t.rest[:digits]), 10, 64)
	if t.failed || err != nil || n > most || digits > 1 && t.rest[0] == '0' {
		t.failed = true
		return 0
	}
	t.rest = t.rest[digits:]
	return n
}

// str reads a string of printable ASCII that JSON writes as it is.
func (t *textScanner) str(before string) string {
	t.expect(before + `"`)
	end := bytes.IndexByte(t.rest, '"')
	if t.failed || end < 0 || !canonical.IsPlain(t.rest[:end]) {
		t.failed = true
		return ""
	}
	text := string(t.rest[:end])
	t.rest = t.rest[end+1:]
	return text
}

// compacted returns indented JSON, whose strings are plain, without white space between its tokens.
func compacted(text []byte) []byte {
	out := make([]byte, 0, len(text))
	quoted := false
	for _, c := range text {
		if c == '"' {
			quoted = !quoted
		}
		if quoted || c != ' ' && c != '\n' {
			out = append(out, c)
		}
	}
	return out
}
