package datasets

import (
	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"slices"
)

// Check is how much of a new file is read again before it counts.
type Check uint8

const (
	// CheckFull compares the SHA-256, decodes every row and compares the row digest.
	CheckFull Check = 0
	// CheckLight decodes the first and the last row group and compares row counts.
	CheckLight Check = 1
)

// check reads back the file name, which must hold what was written.
func (c Check) check(d disk.Dir, name string, s colfile.Spec, want Digest) error {
	f, err := d.FS.Open(d.Path(name))
	if err != nil {
		return &FileError{Op: "check", Path: want.Name, Err: err}
	}
	defer f.Close()
	if c == CheckFull || s.Format == Arrow { // arrowReader needs it; Parquet stands any bytes
		if err := checkSum(d, name, want); err != nil {
			return &FileError{Op: "check", Path: want.Name, Err: err}
		}
	}
	r, err := colfile.NewReader(f, s)
	if err == nil {
		err = c.compare(r, s, want)
	}
	if err != nil {
		return &FileError{Op: "check", Path: want.Name, Err: err}
	}
	return nil
}

func (c Check) compare(r colfile.Reader, s colfile.Spec, want Digest) error {
	if !slices.Equal(r.Metadata(), s.Metadata) {
		return fault.Corrupt("the metadata is of another file")
	}
	if c == CheckLight {
		return compareEnds(r, s, want)
	}
	digest := colfile.NewRowDigest(s.Columns)
	for g := range r.Groups() {
		if err := colfile.DigestGroup(r, g, digest); err != nil {
			return err
		}
	}
	if digest.Rows != want.Rows || digest.Sum() != want.RowDigest {
		return fault.Corrupt("%d rows of digest %s, want %d of %s", digest.Rows, digest.Sum(), want.Rows, want.RowDigest)
	}
	return nil
}

// compareEnds is the light check.
func compareEnds(r colfile.Reader, s colfile.Spec, want Digest) error {
	rows := uint64(0)
	for g := range r.Groups() {
		n, err := r.Rows(g)
		if err != nil {
			return err
		}
		rows += uint64(n)
		if g > 0 && g < r.Groups()-1 {
			continue
		}
		if err := colfile.DigestGroup(r, g, colfile.NewRowDigest(s.Columns)); err != nil {
			return err
		}
	}
	if rows != want.Rows {
		return fault.Corrupt("%d rows, want %d", rows, want.Rows)
	}
	return nil
}
