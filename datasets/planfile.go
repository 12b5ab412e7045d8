package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// FormatVersion is the version of the directory: file names, plan.json and commit
// records. A higher version in a file is ErrUnsupported.
const FormatVersion = 1

// planFile is the JSON of plan.json.
type planFile struct {
	Format      int             `json:"format"`
	Hash        string          `json:"hash"`
	Plan        Plan            `json:"plan"`
	Description descriptionJSON `json:"description"`
	About       About           `json:"about"`
}

// encode returns the bytes of plan.json.
func (h *header) encode() []byte {
	return encodeIndented(planFile{FormatVersion, h.hash, h.plan, h.description.toJSON(), h.about})
}

// parseHeader reads plan.json and checks both hashes. It checks plan and description too:
// hashes do not show an edit that renews them.
func parseHeader(data []byte) (*header, error) {
	if err := checkFormat(data); err != nil {
		return nil, err
	}
	var f planFile
	if err := decodeJSON(data, &f); err != nil {
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
	h := &header{f.Plan, f.Hash, d, f.About}
	return h, h.check()
}

// readHeader reads the plan of a dataset. The error is ErrNotDataset if there is neither
// a plan nor a commit record, and ErrCorrupt if only the plan is missing.
func readHeader(d disk.Dir) (*header, error) {
	data, err := d.ReadFile(PlanName)
	if errors.Is(err, fs.ErrNotExist) {
		shards, listErr := d.List(commitsName)
		if len(shards) == 0 && listErr == nil {
			return nil, fmt.Errorf("open %s: %w: no %s", d, fault.ErrNotDataset, PlanName)
		}
		data, err = d.ReadFile(PlanName) // another task may have written plan and records meanwhile
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &fault.FileError{Op: "read", Path: PlanName, Err: fault.Corrupt("missing: %w", errors.Join(err, listErr))}
		}
	}
	if err != nil && !errors.Is(err, fault.ErrCorrupt) {
		return nil, err
	}
	var h *header
	if err == nil {
		h, err = parseHeader(data)
	}
	if err != nil {
		return nil, &fault.FileError{Op: "read", Path: PlanName, Err: err}
	}
	return h, nil
}

// checkFormat refuses data of a newer program, before anything else is decoded.
func checkFormat(data []byte) error {
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return fault.Corrupt("%v", err)
	}
	return checkVersion(version.Format)
}

// checkVersion refuses the format of a newer program.
func checkVersion(format int) error {
	if format > FormatVersion {
		return fmt.Errorf("format %d: %w: this program reads formats up to %d", format, fault.ErrUnsupported, FormatVersion)
	}
	if format < 1 {
		return fault.Corrupt("format %d", format)
	}
	return nil
}
