package making

import (
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// networksOf returns the given files by their sums. It returns an error if a file that the
// plan names is neither given nor in the dataset: nothing has been written yet.
func (o *Options) networksOf(d disk.Dir, p plan.Plan) (files map[string][]byte, err error) {
	files = map[string][]byte{}
	for _, data := range o.Networks {
		files[plan.SumOfNetwork(data)] = data
	}
	for _, sum := range p.Networks {
		if files[sum] != nil {
			continue
		}
		if _, err := plan.ReadNetwork(d, sum); err != nil {
			return nil, fmt.Errorf("make %s: %w", d.String(), err)
		}
	}
	return files, nil
}

// placeNetworks writes the networks of the plan that the dataset lacks, and checks the others.
func placeNetworks(d disk.Dir, p plan.Plan, files map[string][]byte) error {
	if len(p.Networks) == 0 {
		return nil
	}
	if err := d.MakeFolders(plan.NetworksFolder); err != nil {
		return err
	}
	for _, sum := range p.Networks {
		found, err := d.Exists(plan.NetworkName(sum))
		if err == nil && !found {
			err = d.Create(plan.NetworkName(sum), files[sum])
			if errors.Is(err, fs.ErrExist) { // another task was faster
				err = nil
			}
		}
		if err == nil {
			_, err = plan.ReadNetwork(d, sum)
		}
		if err != nil {
			return err
		}
	}
	return d.FS.SyncDir(d.Root)
}
