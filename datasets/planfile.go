package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// FormatVersion is the version of the directory: names, plan.json and commit
// records. A higher one is refused.
const FormatVersion = 1

// About is what plan.json says outside the hash. It is fixed by the run that
// creates the dataset.
type About struct {
	Title   string `json:"title"`
	Licence string `json:"licence"`
	Creator string `json:"creator"`
	Date    string `json:"date"` // a clock would make equal datasets differ: 1970-01-01 unless told
	URL     string `json:"url,omitempty"`
}

// defaultDate stands where no date was given.
const defaultDate = "1970-01-01"

// planFile is plan.json.
type planFile struct {
	Format      int             `json:"format"`
	Hash        string          `json:"hash"`
	Plan        Plan            `json:"plan"`
	Description descriptionJSON `json:"description"`
	About       About           `json:"about"`
}

// header is what a dataset is: the plan and the texts beside it.
type header struct {
	plan        Plan
	hash        string
	description Description
	about       About
}

// encode returns the bytes of plan.json.
func (h *header) encode() []byte {
	return encodeJSON(planFile{FormatVersion, h.hash, h.plan, h.description.toJSON(), h.about}, "  ")
}

// parseHeader reads plan.json and checks both hashes.
func parseHeader(data []byte) (*header, error) {
	if err := checkFormat(data); err != nil {
		return nil, err
	}
	var f planFile
	if err := decodeJSON(data, &f); err != nil {
		return nil, err
	}
	if hash := f.Plan.Hash(); hash != f.Hash {
		return nil, fault.Corrupt("the plan has hash %.12s, the file says %.12s", hash, f.Hash)
	}
	d, err := f.Description.description()
	if err != nil {
		return nil, err
	}
	if hash := d.Hash(); hash != f.Plan.Description {
		return nil, fault.Corrupt("the description has hash %.12s, the plan says %.12s", hash, f.Plan.Description)
	}
	return &header{f.Plan, f.Hash, d, f.About}, f.Plan.Validate()
}

// checkFormat refuses what a newer program wrote before anything else is read
// of it.
func checkFormat(data []byte) error {
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return fault.Corrupt("%v", err)
	}
	if version.Format > FormatVersion {
		return fmt.Errorf("format %d, this program reads up to %d: %w", version.Format, FormatVersion, ErrUnsupported)
	}
	if version.Format < 1 {
		return fault.Corrupt("format %d", version.Format)
	}
	return nil
}

// readHeader reads the plan of the dataset in d; ErrNotDataset if there is none, nor a
// shard that once had one.
func readHeader(d disk.Dir) (*header, error) {
	data, err := d.ReadFile(planName)
	if errors.Is(err, fs.ErrNotExist) {
		if shards, bad := d.List(commitsName); len(shards) > 0 || bad != nil {
			return nil, &FileError{Op: "read", Path: planName, Err: fault.Corrupt("it is not there: %w", errors.Join(err, bad))}
		}
		return nil, fmt.Errorf("open %s: %w: no %s", d.Root, ErrNotDataset, planName)
	}
	if err != nil {
		return nil, err
	}
	h, err := parseHeader(data)
	if err != nil {
		return nil, &FileError{Op: "read", Path: planName, Err: err}
	}
	return h, nil
}
