package export

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// Files of a folder beside those of the shards.
const (
	metadataFile = "metadata.json" // what the numbers mean
	sumsFile     = "SHA256SUMS"    // for sha256sum -c
)

// converted is what convert and shuffle print.
type converted struct {
	Form  string `json:"format"`
	Out   string `json:"out"`
	Files int    `json:"files"` // with rows or games
	Rows  uint64 `json:"rows,omitempty"`
	Games uint64 `json:"games,omitempty"` // of a form that is made of games
	Bytes int64  `json:"bytes"`
}

// publish gives the folder its name, if all went well, and says what is in it.
func (v *conversion) publish(c *cli.Context, d *disk.Pending, files []*outFile, err error) error {
	if err != nil {
		d.Discard()
		return err
	}
	if err := d.Publish(); err != nil {
		return fmt.Errorf("write %s: %w", v.out, err)
	}
	if app.Quiet(c) {
		return nil
	}
	done, unit := converted{Form: v.form.Name, Out: v.out}, "rows"
	all := &done.Rows
	if v.games != nil {
		all, unit = &done.Games, "games"
	}
	for _, f := range files {
		if f.split != "" {
			done.Files++
		}
		*all += f.rows
		done.Bytes += f.bytes
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(done)
	}
	_, err = fmt.Fprintf(c.App.Writer, "%d %s in %d files of %s, %d bytes: %s\n", *all, unit, done.Files, done.Form, done.Bytes, done.Out)
	return err
}

// finishFolder adds the files that tell of the others, sums last.
func (v *conversion) finishFolder(d *disk.Pending, files []*outFile) ([]*outFile, error) {
	small := []smallFile{{metadataFile, tablefile.MetadataJSON(v.form.Metadata(v.spec))}}
	if v.form.Index {
		small = append(small, indexes(files)...)
	}
	for _, t := range small {
		f, err := writeSmall(d, t)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	sums, err := writeSmall(d, smallFile{sumsFile, sumsOf(files)})
	return append(files, sums), err
}

// outFile is a file of a draft on its way to disk, summed while it is written.
type outFile struct {
	name   string
	split  string // that its rows are of; "" for a file about others
	rows   uint64 // or games
	bytes  int64
	sha256 hash.Hash
	md5    hash.Hash // nil where nobody asks for it
	f      *os.File
	w      *bufio.Writer
}

func createOut(d *disk.Pending, name, split string, md5Too bool) (*outFile, error) {
	f, err := os.OpenFile(d.Path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	o := &outFile{name: name, split: split, f: f, sha256: sha256.New()}
	sinks := []io.Writer{f, o.sha256}
	if md5Too {
		o.md5 = md5.New()
		sinks = append(sinks, o.md5)
	}
	o.w = bufio.NewWriterSize(io.MultiWriter(sinks...), 256<<10)
	return o, nil
}

// Write counts and writes.
func (o *outFile) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	o.bytes += int64(n)
	return n, err
}

// finish completes the file on disk unless there was an error before.
func (o *outFile) finish(err error) error {
	if err == nil {
		err = o.w.Flush()
	}
	if err == nil {
		err = o.f.Sync()
	}
	err = errors.Join(err, o.f.Close())
	o.f, o.w = nil, nil // there may be many files
	return err
}

// smallFile is one that is made in memory.
type smallFile struct {
	name string
	data []byte
}

func writeSmall(d *disk.Pending, t smallFile) (*outFile, error) {
	f, err := createOut(d, t.name, "", false)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(t.data)
	return f, f.finish(err)
}

// sumsOf returns the file that sha256sum checks.
func sumsOf(files []*outFile) []byte {
	var b bytes.Buffer
	for _, f := range slices.SortedFunc(slices.Values(files), func(a, b *outFile) int { return strings.Compare(a.name, b.name) }) {
		fmt.Fprintf(&b, "%x  %s\n", f.sha256.Sum(nil), f.name)
	}
	return b.Bytes()
}

// indexes returns an index of the files of each split.
func indexes(files []*outFile) (list []smallFile) {
	for _, split := range []string{datasets.Train, datasets.Validation} {
		var shards []tablefile.Shard
		for _, f := range files {
			if f.split == split {
				shards = append(shards, tablefile.Shard{URL: f.name, MD5: hex.EncodeToString(f.md5.Sum(nil)), Rows: f.rows, FileSize: f.bytes})
			}
		}
		if len(shards) > 0 {
			list = append(list, smallFile{split + "-index.json", tablefile.WIDS(split, shards)})
		}
	}
	return list
}
