package datasets

import (
	"errors"
	"os"
	"selfplay/datasets/disk"
)

// KeepFailure appends what is known of a failure as one line of JSON to a file beside
// the dataset in root, and returns its name. Several tasks may do so at once.
func KeepFailure(root string, failure any) (name string, err error) {
	name = (disk.Dir{Root: root}).Path(failuresName)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return name, err
	}
	_, err = f.Write(append(encodeJSON(failure, ""), '\n'))
	return name, errors.Join(err, f.Sync(), f.Close())
}
