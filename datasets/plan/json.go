package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
)

// FormatVersion is the version of the directory: file names, plan.json and commit records. Another one in a
// file is ErrUnsupported.
const FormatVersion = 1

// fileJSON is the JSON of plan.json.
type fileJSON struct {
	Format      int             `json:"format"`
	Hash        string          `json:"hash"`
	Plan        Plan            `json:"plan"`
	Description descriptionJSON `json:"description"`
	About       About           `json:"about"`
}

// Encode returns the bytes of plan.json.
func (h *File) Encode() []byte {
	return canonical.MarshalIndented(fileJSON{FormatVersion, h.Hash, h.Plan, h.Description.toJSON(), h.About})
}

// Parse reads plan.json and checks both hashes. It checks plan and description too:
// hashes do not show an edit that renews them.
func Parse(data []byte) (*File, error) {
	if err := checkBuild(data); err != nil {
		return nil, err
	}
	var f fileJSON
	if err := canonical.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if hash := f.Plan.Hash(); hash != f.Hash {
		return nil, fault.Corrupt("plan hash %.12s, but the file says %.12s", hash, f.Hash)
	}
	d, err := f.Description.description()
	if err != nil {
		return nil, err
	}
	if hash := d.Hash(); hash != f.Plan.Description {
		return nil, fault.Corrupt("description hash %.12s, but the plan says %.12s", hash, f.Plan.Description)
	}
	if err := f.Plan.Validate(); err != nil {
		return nil, err
	}
	h := &File{f.Plan, f.Hash, d, f.About}
	return h, h.check()
}

// Read reads the plan of a dataset. The error is ErrNotDataset if there is neither
// a plan nor a commit record, and ErrCorrupt if only the plan is missing.
func Read(d disk.Dir) (*File, error) {
	data, err := d.ReadFile(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		shards, listErr := d.List(CommitsFolder)
		if len(shards) == 0 && listErr == nil {
			return nil, fmt.Errorf("open %s: %w: no %s", d, fault.ErrNotDataset, FileName)
		}
		data, err = d.ReadFile(FileName) // another task may have written plan and records meanwhile
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &fault.FileError{Op: "read", Path: FileName, Err: fault.Corrupt("missing: %w", errors.Join(err, listErr))}
		}
	}
	if err != nil && !errors.Is(err, fault.ErrCorrupt) {
		return nil, err
	}
	var h *File
	if err == nil {
		h, err = Parse(data)
	}
	if err != nil {
		return nil, &fault.FileError{Op: "read", Path: FileName, Err: err}
	}
	return h, nil
}

// checkBuild refuses the plan of another build, before anything else is decoded.
func checkBuild(data []byte) error {
	var version struct {
		Plan struct {
			Prerelease int `json:"prerelease"`
		} `json:"plan"`
	}
	if err := CheckFormat(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return fault.Corrupt("%v", err)
	}
	return checkPrerelease(version.Plan.Prerelease)
}

// CheckFormat refuses data of another format, before anything else is decoded.
func CheckFormat(data []byte) error {
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return fault.Corrupt("%v", err)
	}
	return CheckVersion(version.Format)
}

// CheckVersion refuses another format.
func CheckVersion(format int) error {
	switch {
	case format < 1:
		return fault.Corrupt("format %d", format)
	case format != FormatVersion:
		return fmt.Errorf("format %d: %w: this program reads format %d; use the program that made the dataset", format, fault.ErrUnsupported, FormatVersion)
	}
	return nil
}
