package record

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

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

// CheckOpened is CheckSum for an open file, which it leaves at its beginning.
func CheckOpened(f disk.File, want FileEntry) error {
	sum, err := sumReader(f)
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return want.compare(sum)
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
