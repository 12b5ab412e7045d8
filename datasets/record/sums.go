package record

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"sync"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// CheckSum compares the SHA-256 of a file with its entry. A difference is ErrCorrupt.
func CheckSum(d disk.Dir, name string, want FileEntry) error {
	sum, err := SumFile(d, name)
	if err != nil {
		return err
	}
	return want.compare(sum)
}

// CheckOpened is CheckSum for an open file, which it leaves anywhere.
func CheckOpened(f disk.File, want FileEntry) error {
	sum, err := sumReader(f)
	if err != nil {
		return err
	}
	return want.compare(sum)
}

// CheckKnown is CheckOpened that believes what the process knows of a file of this path; see KnownSum.
func CheckKnown(path string, f disk.File, want FileEntry) error {
	file, ok := f.(interface{ Stat() (fs.FileInfo, error) })
	if !ok { // of an object store
		return CheckOpened(f, want)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	sum, known := KnownSum(path, info)
	if !known {
		sum, err = LearnSum(path, info, f)
	}
	if err != nil {
		return err
	}
	return want.compare(sum)
}

// known is the memory of the process: the sums of files, by path.
var known sync.Map // of string to knownSum

// knownSum is the sum of a file that looked like this.
type knownSum struct {
	info fs.FileInfo
	sum  string
}

// KnownSum returns the SHA-256 of a file, if the process has computed it and size, time and inode of the
// file are the same since.
func KnownSum(path string, info fs.FileInfo) (sum string, found bool) {
	v, found := known.Load(path)
	if !found {
		return "", false
	}
	k := v.(knownSum)
	same := k.info.Size() == info.Size() && k.info.ModTime().Equal(info.ModTime()) && (info.Sys() == nil || os.SameFile(k.info, info))
	return k.sum, same
}

// LearnSum computes the SHA-256 of a file that has been opened, for KnownSum too. info was read before.
func LearnSum(path string, info fs.FileInfo, r io.Reader) (sum string, err error) {
	sum, err = sumReader(r)
	if err == nil {
		known.Store(path, knownSum{info, sum})
	}
	return sum, err
}

// compare compares a SHA-256 with that of the entry.
func (e FileEntry) compare(sum string) error {
	if sum != e.SHA256 {
		return fault.Corrupt("SHA-256 %.12s, want %.12s", sum, e.SHA256)
	}
	return nil
}

// SumFile returns the SHA-256 of a file in hexadecimal.
func SumFile(d disk.Dir, name string) (string, error) {
	f, err := d.FS.Open(d.Path(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumReader(f)
}

// sumReader returns the SHA-256 of what it reads in hexadecimal.
func sumReader(r io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
