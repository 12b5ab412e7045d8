package making

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// dataFile is a data file that is being written under a temporary name. Its SHA-256 and
// row digest are computed on the way.
type dataFile struct {
	d      disk.Dir
	name   string // final name
	tmp    string
	spec   colfile.Spec
	f      disk.File // nil after finish
	sum    hash.Hash
	bytes  *colfile.CountingWriter
	buffer *bufio.Writer
	table  colfile.Writer // nil after finish
	digest *colfile.RowDigest
}

func createDataFile(d disk.Dir, name string, s colfile.Spec) (*dataFile, error) {
	f := &dataFile{d: d, name: name, spec: s, sum: sha256.New(), digest: colfile.NewRowDigest(s.Columns)}
	f.tmp = d.TempName(path.Dir(name) + "-" + path.Base(name))
	file, err := d.FS.Create(d.Path(f.tmp))
	if err != nil {
		return nil, f.fail("create", err)
	}
	f.f = file
	f.bytes = &colfile.CountingWriter{W: io.MultiWriter(file, f.sum)}
	f.buffer = bufio.NewWriterSize(f.bytes, 32<<10)
	if f.table, err = colfile.NewWriter(f.buffer, s); err != nil {
		f.abandon()
		return nil, f.fail("write", err)
	}
	return f, nil
}

// fail returns err as a FileError. A nil err stays nil.
func (f *dataFile) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	return &fault.FileError{Op: op, Path: f.name, Err: err}
}

// write appends rows.
func (f *dataFile) write(t *encode.Table) error {
	f.digest.Add(t)
	return f.fail("write", f.table.Write(t))
}

// finish completes, syncs and closes the temporary file. It returns the entry of the
// file for the commit record.
func (f *dataFile) finish() (record.FileEntry, error) {
	err := f.table.Close()
	f.table = nil // its memory is free while the file is read back
	if err == nil {
		err = f.buffer.Flush()
	}
	if err == nil {
		err = f.f.Sync()
	}
	err = errors.Join(err, f.f.Close())
	f.f = nil
	return record.FileEntry{
		Name:      f.name,
		Bytes:     f.bytes.N,
		SHA256:    hex.EncodeToString(f.sum.Sum(nil)),
		Rows:      f.digest.Rows,
		RowDigest: f.digest.Sum(),
	}, f.fail("write", err)
}

// abandon removes the temporary file, if it still exists.
func (f *dataFile) abandon() {
	if f.f != nil {
		f.f.Close()
	}
	_ = f.d.Remove(f.tmp) // the next run sweeps temporary files
}

// publish gives the finished file its final name. If a killed run left a file with that
// name, it must be equal.
func (f *dataFile) publish(want record.FileEntry) error {
	err := f.d.Publish(f.tmp, f.name)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return f.fail("publish", err)
	}
	sum, err := record.SumFile(f.d, f.name)
	if err != nil {
		return f.fail("read", err)
	}
	if sum != want.SHA256 {
		return f.fail("publish", fmt.Errorf("%w: the existing file has SHA-256 %.12s, this run made %.12s", fault.ErrNondeterminism, sum, want.SHA256))
	}
	return f.fail("publish", f.d.FS.Remove(f.d.Root, f.tmp))
}
