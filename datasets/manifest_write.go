package datasets

import (
	"bytes"
	"crypto/sha256"
	"io"
)

// An entrySum is the SHA-256 of the JSON of a manifestShard, or of a whole manifest.
type entrySum [sha256.Size]byte

// text returns the canonical JSON of an entry.
func (s *manifestShard) text() []byte { return bytes.TrimSuffix(encodeJSON(s, "  "), []byte("\n")) }

// sum returns the SHA-256 of the canonical JSON.
func (s *manifestShard) sum() entrySum { return sha256.Sum256(s.text()) }

// encode returns the canonical JSON of the manifest.
func (m *manifest) encode() []byte {
	var b bytes.Buffer
	w := m.entryWriter(&b)
	for _, s := range m.Files {
		w.add(s)
	}
	w.close()
	return b.Bytes()
}

// An entryWriter writes a manifest entry by entry. It returns no errors: its output is a
// buffer or a hash.
type entryWriter struct {
	w       io.Writer
	entries int
}

// filesTail ends the text of a manifest without entries.
const filesTail = "]\n}\n"

// entryWriter writes all members but Files.
func (m *manifest) entryWriter(w io.Writer) *entryWriter {
	head := *m
	head.Files = []manifestShard{}
	_, _ = w.Write(bytes.TrimSuffix(encodeJSON(head, "  "), []byte(filesTail)))
	return &entryWriter{w: w}
}

// add writes an entry and returns its sum.
func (w *entryWriter) add(s manifestShard) entrySum {
	text := s.text()
	separator := ",\n    "
	if w.entries == 0 {
		separator = separator[1:]
	}
	w.entries++
	_, _ = io.WriteString(w.w, separator)
	_, _ = w.w.Write(bytes.ReplaceAll(text, []byte("\n"), []byte("\n    ")))
	return sha256.Sum256(text)
}

// close writes the end of the manifest.
func (w *entryWriter) close() {
	if w.entries > 0 {
		_, _ = io.WriteString(w.w, "\n  ")
	}
	_, _ = io.WriteString(w.w, filesTail)
}
