package datasets

import "slices"

// Check is how much of a new file is read again before it counts.
type Check uint8

const (
	// CheckFull compares the SHA-256, decodes every row and compares the row digest.
	CheckFull Check = 0
	// CheckLight decodes the first and the last row group and compares row counts.
	CheckLight Check = 1
)

// check reads back the file name, which must hold what was written.
func (c Check) check(d dir, name string, s tableSpec, want Digest) error {
	f, err := d.disk.Open(d.path(name))
	if err != nil {
		return &FileError{"check", want.Name, err}
	}
	defer f.Close()
	if c == CheckFull || s.format == Arrow { // arrowReader needs it; Parquet stands any bytes
		if err := checkSum(d, name, want); err != nil {
			return &FileError{"check", want.Name, err}
		}
	}
	r, err := newTableReader(f, s)
	if err == nil {
		err = c.compare(r, s, want)
	}
	if err != nil {
		return &FileError{"check", want.Name, err}
	}
	return nil
}

func (c Check) compare(r tableReader, s tableSpec, want Digest) error {
	if !slices.Equal(r.Metadata(), s.metadata) {
		return corrupt("the metadata is of another file")
	}
	if c == CheckLight {
		return compareEnds(r, s, want)
	}
	digest := newRowDigest(s.columns)
	for g := range r.Groups() {
		if err := digestGroup(r, g, digest); err != nil {
			return err
		}
	}
	if digest.rows != want.Rows || digest.sum() != want.RowDigest {
		return corrupt("%d rows of digest %s, want %d of %s", digest.rows, digest.sum(), want.Rows, want.RowDigest)
	}
	return nil
}

// compareEnds is the light check.
func compareEnds(r tableReader, s tableSpec, want Digest) error {
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
		if err := digestGroup(r, g, newRowDigest(s.columns)); err != nil {
			return err
		}
	}
	if rows != want.Rows {
		return corrupt("%d rows, want %d", rows, want.Rows)
	}
	return nil
}
