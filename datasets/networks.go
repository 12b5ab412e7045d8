package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// Networks of players are files of the dataset, so that its games can be played again from
// the dataset alone. The plan names them by their SHA-256; this package does not look into
// them. They are written before the plan and never change.

const (
	networksName  = "nets"
	networkSuffix = ".safetensors"

	maxNetworks = 16
	maxNetwork  = 64 << 20 // bytes
)

// ErrNoNetwork: the dataset lacks a network of its plan.
var ErrNoNetwork = errors.New("network is missing")

// NetworkAdvice says what to do about a damaged network. Neither a run nor Repair makes it again.
const NetworkAdvice = "put the right file in its place, or move it away and run the command with net=FILE again"

// IsNetworkDamage reports whether an error says that the file of a network is missing or damaged. It
// then says what to do too.
func IsNetworkDamage(err error) bool {
	var file *FileError
	return errors.Is(err, ErrCorrupt) && errors.As(err, &file) && path.Dir(file.Path) == networksName
}

// networkFile returns the name of the file of a network.
func networkFile(sum string) string { return path.Join(networksName, sum+networkSuffix) }

// networkEntry describes a network in the manifest.
type networkEntry struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// networkEntries returns the networks of a plan for the manifest.
func (p Plan) networkEntries() (list []networkEntry) {
	for _, sum := range p.Networks {
		list = append(list, networkEntry{networkFile(sum), sum})
	}
	return list
}

// checkNetworks checks the names of networks: hexadecimal digits of SHA-256, sorted.
func (p Plan) checkNetworks() error {
	if len(p.Networks) > maxNetworks {
		return fmt.Errorf("check plan: %d networks: want at most %d", len(p.Networks), maxNetworks)
	}
	for i, sum := range p.Networks {
		if len(sum) != 2*sha256.Size || strings.Trim(sum, "0123456789abcdef") != "" {
			return fmt.Errorf("check plan: network %q: want a SHA-256 in hexadecimal", sum)
		}
		if i > 0 && p.Networks[i-1] >= sum {
			return fmt.Errorf("check plan: network %s: want them sorted, each once", sum)
		}
	}
	return nil
}

// SetNetworks makes a plan name networks, each once.
func (p *Plan) SetNetworks(files [][]byte) {
	p.Networks = nil
	for _, data := range files {
		p.Networks = append(p.Networks, sumOfNetwork(data))
	}
	slices.Sort(p.Networks)
	p.Networks = slices.Compact(p.Networks)
}

func sumOfNetwork(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Network returns the file of a network of the dataset by its SHA-256. The error is
// ErrNoNetwork if the plan names no such network or the file does not exist, and ErrCorrupt
// if the file has another sum.
func (ds *Dataset) Network(sum string) ([]byte, error) {
	if !slices.Contains(ds.h.plan.Networks, sum) {
		return nil, fmt.Errorf("read %s: %w: its plan names no network %s", ds.d.String(), ErrNoNetwork, sum)
	}
	return readNetwork(ds.d, sum)
}

// Networks returns the files of all networks of the dataset.
func (ds *Dataset) Networks() (files [][]byte, err error) {
	for _, sum := range ds.h.plan.Networks {
		data, err := ds.Network(sum)
		if err != nil {
			return nil, err
		}
		files = append(files, data)
	}
	return files, nil
}

func readNetwork(d disk.Dir, sum string) ([]byte, error) {
	name := networkFile(sum)
	data, err := d.ReadFileUpTo(name, maxNetwork)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fault.Corrupt("%w: put the right file in its place, or run the command with net=FILE again", ErrNoNetwork)
	case err == nil && sumOfNetwork(data) != sum:
		err = fault.Corrupt("another network: its SHA-256 is %s: %s", sumOfNetwork(data), NetworkAdvice)
	}
	if err != nil {
		return nil, &FileError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

// networksOf returns the given files by their sums. It returns an error if a file that the
// plan names is neither given nor in the dataset: nothing has been written yet.
func (o *Options) networksOf(d disk.Dir, p Plan) (files map[string][]byte, err error) {
	files = map[string][]byte{}
	for _, data := range o.Networks {
		files[sumOfNetwork(data)] = data
	}
	for _, sum := range p.Networks {
		if files[sum] != nil {
			continue
		}
		if _, err := readNetwork(d, sum); err != nil {
			return nil, fmt.Errorf("make %s: %w", d.String(), err)
		}
	}
	return files, nil
}

// placeNetworks writes the networks of the plan that the dataset lacks, and checks the others.
func placeNetworks(d disk.Dir, p Plan, files map[string][]byte) error {
	if len(p.Networks) == 0 {
		return nil
	}
	if err := d.MakeFolders(networksName); err != nil {
		return err
	}
	for _, sum := range p.Networks {
		found, err := d.Exists(networkFile(sum))
		if err == nil && !found {
			err = d.Create(networkFile(sum), files[sum])
			if errors.Is(err, fs.ErrExist) { // another task was faster
				err = nil
			}
		}
		if err == nil {
			_, err = readNetwork(d, sum)
		}
		if err != nil {
			return err
		}
	}
	return d.FS.SyncDir(d.Root)
}

// checkNetworks reports networks that are missing or damaged, and other files beside them.
func (v *verifier) checkNetworks() {
	plan := v.ds.h.plan
	for _, sum := range plan.Networks {
		if _, err := readNetwork(v.ds.d, sum); err != nil {
			v.problem(ProblemNetwork, noShard, networkFile(sum), err)
		}
	}
	for _, name := range v.list(networksName) {
		if sum, ok := strings.CutSuffix(name, networkSuffix); !ok || !slices.Contains(plan.Networks, sum) {
			v.problem(ProblemForeign, noShard, path.Join(networksName, name), fault.Corrupt("the plan does not name this network"))
		}
	}
}
