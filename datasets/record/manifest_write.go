package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"strconv"

	"selfplay/datasets/internal/canonical"
)

// sum returns the sum of the entry. It is for comparisons in memory and is never stored.
func (s *Entry) sum() EntrySum {
	b := strconv.AppendInt(make([]byte, 0, 512), int64(s.Shard), 10)
	b = strconv.AppendUint(append(b, ' '), s.FirstGame, 10)
	b = strconv.AppendUint(append(b, ' '), s.Games, 10)
	for _, f := range s.Files {
		b = strconv.AppendQuote(append(b, ' '), f.Name)
		b = strconv.AppendInt(append(b, ' '), f.Bytes, 10)
		b = strconv.AppendQuote(append(b, ' '), f.SHA256)
		b = strconv.AppendUint(append(b, ' '), f.Rows, 10)
		b = strconv.AppendQuote(append(b, ' '), f.RowDigest)
	}
	return sha256.Sum256(b)
}

// Write writes the canonical JSON of the manifest. w keeps the first error.
func (m *Manifest) Write(w *bufio.Writer) {
	entries := m.entryWriter(w)
	for _, s := range m.Files {
		entries.add(s)
	}
	entries.close()
}

// An entryWriter writes a manifest entry by entry. The writer below keeps the first error.
type entryWriter struct {
	w       *bufio.Writer
	entries int
	line    []byte // of the last entry
}

// filesTail ends the text of a manifest without entries.
const filesTail = "]\n}\n"

// entryWriter writes all members but Files.
func (m *Manifest) entryWriter(w *bufio.Writer) *entryWriter {
	head := *m
	head.Files = []Entry{}
	_, _ = w.Write(bytes.TrimSuffix(canonical.MarshalIndented(head), []byte(filesTail)))
	return &entryWriter{w: w}
}

// add writes an entry.
func (w *entryWriter) add(s Entry) {
	if w.entries > 0 {
		_ = w.w.WriteByte(',')
	}
	w.entries++
	w.line = s.appendText(w.line[:0])
	_, _ = w.w.Write(w.line)
}

// close writes the end of the manifest.
func (w *entryWriter) close() {
	if w.entries > 0 {
		_, _ = w.w.WriteString("\n  ")
	}
	_, _ = w.w.WriteString(filesTail)
}

// appendText appends the canonical text of the entry, as an element of a list that is a member of the
// outermost object. Package encoding/json would take most of the time of a manifest.
func (s *Entry) appendText(b []byte) []byte {
	b = strconv.AppendInt(append(b, "\n    {\n      \"shard\": "...), int64(s.Shard), 10)
	b = strconv.AppendUint(append(b, ",\n      \"first_game\": "...), s.FirstGame, 10)
	b = strconv.AppendUint(append(b, ",\n      \"games\": "...), s.Games, 10)
	before := ",\n      \"files\": [\n        "
	for _, f := range s.Files {
		b = f.appendText(append(b, before...), "\n          ")
		before = ",\n        "
	}
	return append(b, "\n      ]\n    }"...)
}

// appendText appends the canonical text of a file. indent is a line break with the indent of its members.
func (f *FileEntry) appendText(b []byte, indent string) []byte {
	b = canonical.AppendString(append(append(append(b, '{'), indent...), "\"name\": "...), f.Name)
	b = strconv.AppendInt(append(append(append(b, ','), indent...), "\"bytes\": "...), f.Bytes, 10)
	b = canonical.AppendString(append(append(append(b, ','), indent...), "\"sha256\": "...), f.SHA256)
	b = strconv.AppendUint(append(append(append(b, ','), indent...), "\"rows\": "...), f.Rows, 10)
	b = canonical.AppendString(append(append(append(b, ','), indent...), "\"row_digest\": "...), f.RowDigest)
	return append(append(b, indent[:len(indent)-2]...), '}')
}
