// Package output writes files and folders outside of datasets, such as a converted
// dataset. An output appears when it is complete, or not at all, and it may replace an
// older one.
package output

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
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// Suffixes of temporary names beside a target that is replaced.
const (
	newSuffix = ".new" // the new output, complete
	oldSuffix = ".old" // the old output, until it is removed
)

// Output is a file or folder that is being written, as a disk.Pending. End it with
// PublishFile, PublishFolder or Discard.
type Output struct {
	*disk.Pending
	target  string
	replace bool // the target exists
}

// New begins an output. If the target exists, the error is fs.ErrExist unless replace is
// set; the old target then stays as it is until the new output is published. The caller
// has checked the old target with CheckReplaceable. Other errors are those of
// disk.NewPending.
func New(target string, replace bool) (*Output, error) {
	o := &Output{target: filepath.Clean(target)}
	if info, err := os.Lstat(o.target); err == nil {
		o.replace = replace
		if _, err := os.Lstat(o.target + oldSuffix); err == nil && replace && info.IsDir() {
			return o, &fs.PathError{Op: "create", Path: o.target + oldSuffix, Err: fs.ErrExist}
		}
	}
	name := o.target
	if o.replace {
		name += newSuffix
	}
	var err error
	o.Pending, err = disk.NewPending(name)
	return o, err
}

// PublishFile gives the file its final name. name is its name in the output.
func (o *Output) PublishFile(name string) error {
	if err := o.Pending.PublishFile(name); err != nil || !o.replace {
		return err
	}
	if err := os.Rename(o.target+newSuffix, o.target); err != nil { // replaces the old file
		return err
	}
	return o.sync()
}

// PublishFolder gives the folder its final name. The caller has finished its files. If the
// process dies while an old folder is replaced, both folders remain, under the target's
// name with .new and .old.
func (o *Output) PublishFolder() error {
	if err := o.Pending.Publish(); err != nil || !o.replace {
		return err
	}
	if err := os.Rename(o.target, o.target+oldSuffix); err != nil {
		return err
	}
	if err := os.Rename(o.target+newSuffix, o.target); err != nil {
		return errors.Join(err, os.Rename(o.target+oldSuffix, o.target))
	}
	if err := o.sync(); err != nil {
		return err
	}
	return os.RemoveAll(o.target + oldSuffix)
}

func (o *Output) sync() error { return disk.OS{}.SyncDir(filepath.Dir(o.target)) }

// WriteFile writes a target that is one file. See New for replace.
func WriteFile(target string, replace bool, write func(*File) error) (*File, error) {
	o, err := New(target, replace)
	if err != nil {
		return nil, err
	}
	f, err := o.Create(filepath.Base(o.target), "", false)
	if err == nil {
		err = f.Finish(write(f))
	}
	if err != nil {
		o.Discard()
		return nil, err
	}
	return f, o.PublishFile(f.Name)
}

// IsTaken reports whether err says that a path exists, and returns that path.
func IsTaken(err error) (path string, taken bool) {
	var p *fs.PathError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &p) {
		return p.Path, true
	}
	return "", false
}

// File is a file of an output. It computes its checksums while it is written. It belongs
// to one goroutine.
type File struct {
	Name  string // in the output
	Split string // of its rows; "" for a file that describes others
	Rows  uint64 // or games; set by the writer
	Bytes int64

	sha256 hash.Hash
	md5    hash.Hash // nil if not wanted
	f      *os.File
	w      *bufio.Writer
}

// Create creates a file in the output. The MD5 is computed only on request.
func (o *Output) Create(name, split string, withMD5 bool) (*File, error) {
	f, err := os.OpenFile(o.Path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	out := &File{Name: name, Split: split, f: f, sha256: sha256.New()}
	sinks := []io.Writer{f, out.sha256}
	if withMD5 {
		out.md5 = md5.New()
		sinks = append(sinks, out.md5)
	}
	out.w = bufio.NewWriterSize(io.MultiWriter(sinks...), 256<<10)
	return out, nil
}

// Write appends to the file.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	f.Bytes += int64(n)
	return n, err
}

// Finish closes the file. If err is nil, it first writes everything to disk. It returns err
// or its own error.
func (f *File) Finish(err error) error {
	if err == nil {
		err = f.w.Flush()
	}
	if err == nil {
		err = f.f.Sync()
	}
	err = errors.Join(err, f.f.Close())
	f.f, f.w = nil, nil // frees the buffer: an output may have many files
	return err
}

// SHA256 returns the checksum of what was written.
func (f *File) SHA256() []byte { return f.sha256.Sum(nil) }

// Names of the files that describe the others.
const (
	metadataName = "metadata.json" // the meaning of the numbers
	sumsName     = "SHA256SUMS"    // as sha256sum -c reads it
	indexSuffix  = "-index.json"   // after the name of a split
)

// Document is a file that is made in memory.
type Document struct {
	Name string
	Data []byte
}

// Describe adds the files that describe the others: metadata.json, an index for each split
// if index is set, the further documents, and SHA256SUMS. It returns all files.
func (o *Output) Describe(files []*File, metadata []encode.KeyValue, index bool, more ...Document) ([]*File, error) {
	small := append([]Document{{metadataName, tablefile.MetadataJSON(metadata)}}, more...)
	if index {
		small = append(small, indexes(files)...)
	}
	for _, s := range small {
		f, err := o.writeSmall(s)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	sums, err := o.writeSmall(Document{sumsName, sums(files)})
	return append(files, sums), err
}

func (o *Output) writeSmall(s Document) (*File, error) {
	f, err := o.Create(s.Name, "", false)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(s.Data)
	return f, f.Finish(err)
}

// sums returns the content of SHA256SUMS.
func sums(files []*File) []byte {
	var b bytes.Buffer
	for _, f := range slices.SortedFunc(slices.Values(files), func(a, b *File) int { return strings.Compare(a.Name, b.Name) }) {
		fmt.Fprintf(&b, "%x  %s\n", f.SHA256(), f.Name)
	}
	return b.Bytes()
}

// indexes returns an index of the files of each split.
func indexes(files []*File) (list []Document) {
	for _, split := range []string{plan.Train, plan.Validation} {
		var shards []tablefile.Shard
		for _, f := range files {
			if f.Split == split {
				shards = append(shards, tablefile.Shard{URL: f.Name, MD5: hex.EncodeToString(f.md5.Sum(nil)), Rows: f.Rows, FileSize: f.Bytes})
			}
		}
		if len(shards) > 0 {
			list = append(list, Document{split + indexSuffix, tablefile.WIDS(split, shards)})
		}
	}
	return list
}

// CheckReplaceable returns an error that says why the output at path, which exists, must
// not be replaced. A regular file may be replaced, and a folder whose files are all listed
// in its SHA256SUMS. A dataset, a file inside a dataset, or a folder with any other file
// may not.
func CheckReplaceable(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if err := checkOutsideDatasets(path); err != nil {
		return err
	}
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return checkSummed(path)
	}
	return errors.New("it is neither a regular file nor a folder")
}

// checkOutsideDatasets returns an error if path is a dataset or lies in one. A directory
// with a plan.json counts as a dataset even if the plan is damaged.
func checkOutsideDatasets(path string) error {
	full, err := resolve(path)
	if err != nil {
		return err
	}
	for dir := full; ; dir = filepath.Dir(dir) {
		if isDataset(dir) {
			return fmt.Errorf("%s is a dataset; remove it yourself if you no longer need it", dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// resolve returns the absolute path of a file that need not exist, without symbolic links in
// its folder.
func resolve(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if parent, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(parent, filepath.Base(full))
	}
	return full, nil
}

func isDataset(dir string) bool {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false
	}
	_, err := datasets.Open(dir)
	return !errors.Is(err, datasets.ErrNotDataset)
}

// LiesIn reports whether path is the directory dir or lies in it. path need not exist. Either may
// be the URL of an object store.
func LiesIn(path, dir string) (bool, error) {
	if disk.IsURL(path) || disk.IsURL(dir) {
		return strings.HasPrefix(strings.TrimRight(path, "/")+"/", strings.TrimRight(dir, "/")+"/"), nil
	}
	parent, err := os.Stat(dir)
	if err != nil {
		return false, err
	}
	full, err := resolve(path)
	if err != nil {
		return false, err
	}
	for ; full != filepath.Dir(full); full = filepath.Dir(full) {
		if info, err := os.Stat(full); err == nil && os.SameFile(info, parent) {
			return true, nil
		}
	}
	return false, nil
}

// checkSummed returns an error if the folder holds anything that its SHA256SUMS does not
// list.
func checkSummed(dir string) error {
	data, err := disk.ReadRegular(filepath.Join(dir, sumsName), disk.MaxFile)
	if err != nil {
		return fmt.Errorf("it is a folder without %s, so another program may have written it", sumsName)
	}
	listed := map[string]bool{sumsName: true}
	for line := range strings.Lines(string(data)) {
		if _, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  "); ok {
			listed[name] = true
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !listed[e.Name()] || !e.Type().IsRegular() {
			return fmt.Errorf("it holds %s, which %s does not list", e.Name(), sumsName)
		}
	}
	return nil
}
