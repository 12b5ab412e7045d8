package record

import (
	"slices"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// CheckLevel says how much of a new data file is read back before its shard is committed.
type CheckLevel uint8

const (
	// CheckFull compares the SHA-256, decodes every row and compares the row digest.
	CheckFull CheckLevel = 0
	// CheckLight decodes the first and the last row group and compares the row count. In
	// Parquet it misses flipped bits there that still decode, and all damage between them;
	// VerifySums finds it later. Of an Arrow file it compares the SHA-256.
	CheckLight CheckLevel = 1
)

// Check compares the file name with the entry that describes it.
func (l CheckLevel) Check(d disk.Dir, name string, s colfile.Spec, want FileEntry) error {
	f, err := d.FS.Open(d.Path(name))
	if err != nil {
		return &fault.FileError{Op: "check", Path: want.Name, Err: err}
	}
	defer f.Close()
	// The Arrow reader must not see damaged bytes; the Parquet reader copes with them.
	if l == CheckFull || s.Format == plan.Arrow {
		if err := CheckSum(d, name, want); err != nil {
			return &fault.FileError{Op: "check", Path: want.Name, Err: err}
		}
	}
	r, err := colfile.NewReader(f, s)
	if err == nil {
		err = l.Compare(r, s, want)
	}
	if err != nil {
		return &fault.FileError{Op: "check", Path: want.Name, Err: err}
	}
	return nil
}

// Compare compares an open file with its entry.
func (l CheckLevel) Compare(r colfile.Reader, s colfile.Spec, want FileEntry) error {
	if !slices.Equal(r.Metadata(), s.Metadata) {
		return fault.Corrupt("metadata of another file")
	}
	if l == CheckLight {
		return compareEnds(r, s, want)
	}
	digest, err := colfile.DigestRows(r, s.Columns)
	if err != nil {
		return err
	}
	if digest.Rows != want.Rows || digest.Sum() != want.RowDigest {
		return fault.Corrupt("%d rows with digest %s, want %d with %s", digest.Rows, digest.Sum(), want.Rows, want.RowDigest)
	}
	return nil
}

// compareEnds is the light check.
func compareEnds(r colfile.Reader, s colfile.Spec, want FileEntry) error {
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
