package datasets

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
)

// An entrySum is a SHA-256 of everything that an entry of a manifest says, or of the bytes of
// a whole manifest.
type entrySum [sha256.Size]byte

// sum returns the sum of the entry. It is for comparisons in memory and is never stored.
func (s *manifestShard) sum() entrySum {
	b := fmt.Appendf(make([]byte, 0, 512), "%d %q %d %d", s.Shard, s.Split, s.FirstGame, s.Games)
	for _, f := range s.files() {
		b = fmt.Appendf(b, " %q %d %q %d %q", f.Name, f.Bytes, f.SHA256, f.Rows, f.RowDigest)
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
	_, _ = w.Write(bytes.TrimSuffix(encodeJSON(head, "  "), []byte(filesTail)))
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
	const line = "\n    "
	_, _ = w.WriteString(line)
	_, _ = w.Write(bytes.ReplaceAll(bytes.TrimSuffix(encodeJSON(v, "  "), []byte("\n")), []byte("\n"), []byte(line)))
}
