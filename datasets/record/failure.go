package record

import (
	"errors"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/plan"
)

// AppendFailure appends a failure, as one line of JSON, to .selfplay/failures.jsonl of
// the dataset in root, or on this machine if root is in an object store. It syncs the file and
// returns its path. It needs no lock: several
// processes may append at once.
func AppendFailure(root string, failure any) (path string, err error) {
	d, err := disk.At(root)
	if err != nil {
		return "", err
	}
	path = d.Path(plan.FailuresName)
	f, err := disk.OpenAppend(path)
	if err != nil {
		return path, err
	}
	_, err = f.Write(append(canonical.Marshal(failure), '\n'))
	return path, errors.Join(err, f.Sync(), f.Close())
}
