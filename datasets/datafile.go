package datasets

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
	"selfplay/encode"
)

// dataFile is a table on its way to disk: written under a name in tmp/, summed
// while it is written, published when it is checked.
type dataFile struct {
	d      disk.Dir
	name   string
	tmp    string
	spec   colfile.Spec
	f      disk.File
	sum    hash.Hash
	bytes  *colfile.CountingWriter
	buffer *bufio.Writer
	table  colfile.Writer
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
	f.buffer = bufio.NewWriterSize(f.bytes, 64<<10)
	if f.table, err = colfile.NewWriter(f.buffer, s); err != nil {
		f.abandon()
		return nil, f.fail("write", err)
	}
	return f, nil
}

func (f *dataFile) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	return &FileError{Op: op, Path: f.name, Err: err}
}

// write appends rows.
func (f *dataFile) write(t *encode.Table) error {
	f.digest.Add(t)
	return f.fail("write", f.table.Write(t))
}

// finish completes the file on disk, still in tmp/, and says what must be true
// of it.
func (f *dataFile) finish() (Digest, error) {
	err := f.table.Close()
	if err == nil {
		err = f.buffer.Flush()
	}
	if err == nil {
		err = f.f.Sync()
	}
	err = errors.Join(err, f.f.Close())
	f.f = nil
	return Digest{
		Name:      f.name,
		Bytes:     f.bytes.N,
		SHA256:    hex.EncodeToString(f.sum.Sum(nil)),
		Rows:      f.digest.Rows,
		RowDigest: f.digest.Sum(),
	}, f.fail("write", err)
}

// abandon removes what is in tmp/.
func (f *dataFile) abandon() {
	if f.f != nil {
		f.f.Close()
	}
	f.d.Remove(f.tmp) // the next run sweeps what stays
}

// publish gives the finished file its name. A file of that name which is already
// there, left by a run that was killed before its commit, must be equal.
func (f *dataFile) publish(want Digest) error {
	err := f.d.Publish(f.tmp, f.name)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return f.fail("publish", err)
	}
	there, err := sumFile(f.d, f.name)
	if err != nil {
		return f.fail("read", err)
	}
	if there != want.SHA256 {
		return f.fail("publish", fmt.Errorf("%w: there is a file with other content", ErrNondeterminism))
	}
	return f.fail("publish", f.d.FS.Remove(f.d.Path(f.tmp)))
}

// checkSum reports whether the file name has the SHA-256 that is wanted.
func checkSum(d disk.Dir, name string, want Digest) error {
	sum, err := sumFile(d, name)
	if err != nil {
		return err
	}
	if sum != want.SHA256 {
		return fault.Corrupt("SHA-256 %.12s, want %.12s", sum, want.SHA256)
	}
	return nil
}

// sumFile returns the SHA-256 of a file in hexadecimal.
func sumFile(d disk.Dir, name string) (string, error) {
	f, err := d.FS.Open(d.Path(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
