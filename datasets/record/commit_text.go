package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strconv"

	"selfplay/datasets/internal/canonical"
)

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
