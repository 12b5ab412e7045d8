package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"selfplay/datasets/plan"
)

// Input is a file that was read.
type Input struct {
	Path   string
	SHA256 string // of the file as it is, packed or not, in hexadecimal
	Bytes  int64
	Games  uint64 // that were taken
	Bad    uint64 // that were not
}

// Setting returns what a plan says about the input.
func (i *Input) Setting(f Form) string {
	return fmt.Sprintf("%s%s v%d %s games=%d bad=%d", plan.ImportPart, f.Name, f.Version, i.SHA256, i.Games, i.Bad)
}

// readInput reads a file and calls visit for its content, or for that of every file in it.
func readInput(path string, exts []string, visit func(name string, r io.Reader) error) (*Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("read %s: it is a directory: want files", path)
	}
	hash := sha256.New()
	counted := &countingReader{r: io.TeeReader(f, hash)}
	if err := walk(path, counted, exts, 0, visit); err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, counted); err != nil { // what follows an archive
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &Input{Path: path, SHA256: hex.EncodeToString(hash.Sum(nil)), Bytes: counted.n}, nil
}

// countingReader counts the bytes that are read.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
