package datasets

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"strconv"
)

// An entrySum is a SHA-256 of everything that an entry of a manifest says, or of the bytes of
// a whole manifest.
type entrySum [sha256.Size]byte

// sum returns the sum of the entry. It is for comparisons in memory and is never stored.
func (s *manifestShard) sum() entrySum {
	b := strconv.AppendInt(make([]byte, 0, 512), int64(s.Shard), 10)
	b = strconv.AppendQuote(append(b, ' '), s.Split)
	b = strconv.AppendUint(append(b, ' '), s.FirstGame, 10)
	b = strconv.AppendUint(append(b, ' '), s.Games, 10)
	for _, f := range s.files() {
		b = strconv.AppendQuote(append(b, ' '), f.Name)
		b = strconv.AppendInt(append(b, ' '), f.Bytes, 10)
		b = strconv.AppendQuote(append(b, ' '), f.SHA256)
		b = strconv.AppendUint(append(b, ' '), f.Rows, 10)
		b = strconv.AppendQuote(append(b, ' '), f.RowDigest)
	}
	return sha256.Sum256(b)
}

// write writes the canonical JSON of the manifest. w keeps the first error.
func (m *manifest) write(w *bufio.Writer) {
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
}

// filesTail ends the text of a manifest without entries.
const filesTail = "]\n}\n"

// entryWriter writes all members but Files.
func (m *manifest) entryWriter(w *bufio.Writer) *entryWriter {
	head := *m
	head.Files = []manifestShard{}
	_, _ = w.Write(bytes.TrimSuffix(encodeIndented(head), []byte(filesTail)))
	return &entryWriter{w: w}
}

// add writes an entry.
func (w *entryWriter) add(s manifestShard) {
	if w.entries > 0 {
		_ = w.w.WriteByte(',')
	}
	w.entries++
	writeElement(w.w, s)
}

// close writes the end of the manifest.
func (w *entryWriter) close() {
	if w.entries > 0 {
		_, _ = w.w.WriteString("\n  ")
	}
	_, _ = w.w.WriteString(filesTail)
}

// writeElement writes an element of a list that is a member of the outermost object.
func writeElement(w *bufio.Writer, v any) {
	const indent = "    "
	_, _ = w.WriteString("\n" + indent)
	compact := encodeJSON(v)
	_, _ = w.Write(appendIndented(make([]byte, 0, 2*len(compact)), compact, indent))
}
