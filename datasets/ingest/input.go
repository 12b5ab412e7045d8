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
	Empty  uint64 // without moves

	contents []content
}

// content is that of a file, or of a file in an archive, unpacked.
type content struct{ name, sha256 string }

// Setting returns what a plan says about the input that was read with these options.
func (i *Input) Setting(o Options) string {
	text := fmt.Sprintf("%s%s v%d %s games=%d bad=%d", plan.ImportPart, o.Form.Name, o.Form.Version, i.SHA256, i.Games, i.Bad)
	if i.Empty > 0 {
		text += fmt.Sprintf(" empty=%d", i.Empty)
	}
	if o.WholePawns {
		text += " whole=pawns"
	}
	return text
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
	in := &Input{Path: path}
	err = walk(path, counted, exts, 0, func(name string, r io.Reader) error { return in.readContent(name, r, visit) })
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, counted); err != nil { // what follows an archive
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	in.SHA256, in.Bytes = hex.EncodeToString(hash.Sum(nil)), counted.n
	return in, nil
}

// readContent calls visit for a content and keeps its sum: the same games may be packed in several ways.
func (i *Input) readContent(name string, r io.Reader, visit func(name string, r io.Reader) error) error {
	hash := sha256.New()
	counted := &countingReader{r: io.TeeReader(r, hash)}
	if err := visit(name, counted); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, counted); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if counted.n > 0 { // empty files have no games in common
		i.contents = append(i.contents, content{name, hex.EncodeToString(hash.Sum(nil))})
	}
	return nil
}

// refuseTwice refuses contents that come twice.
func refuseTwice(inputs []Input) error {
	seen := map[string]string{}
	for i := range inputs {
		for _, c := range inputs[i].contents {
			if other, twice := seen[c.sha256]; twice {
				return fmt.Errorf("read %s: it has the same content as %s", c.name, other)
			}
			seen[c.sha256] = c.name
		}
	}
	return nil
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
