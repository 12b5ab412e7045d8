package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// Networks of players are files of the dataset, so that its games can be played again from
// the dataset alone. The plan names them by their SHA-256; this package does not look into
// them. They are written before the plan and never change.

// Networks of a dataset: nets/HEX.safetensors.
const (
	NetworksFolder = "nets"
	NetworkSuffix  = ".safetensors"

	maxNetworks = 16
	maxNetwork  = 64 << 20 // bytes
)

// ErrNoNetwork means that the dataset lacks a network of its plan.
var ErrNoNetwork = errors.New("network is missing")

// NetworkAdvice says what to do about a damaged network. Neither a run nor Repair makes it again.
const NetworkAdvice = "put the right file in its place, or move it away and run the command with net=FILE again"

// IsNetworkDamage reports whether an error says that the file of a network is missing or damaged. It
// then says what to do too.
func IsNetworkDamage(err error) bool {
	var file *fault.FileError
	return errors.Is(err, fault.ErrCorrupt) && errors.As(err, &file) && path.Dir(file.Path) == NetworksFolder
}

// NetworkName returns the name of the file of a network.
func NetworkName(sum string) string { return path.Join(NetworksFolder, sum+NetworkSuffix) }

// checkNetworks checks the names of networks.
func checkNetworks(networks []string) error {
	if len(networks) > maxNetworks {
		return fmt.Errorf("check plan: %d networks: want at most %d", len(networks), maxNetworks)
	}
	return checkSums("network", networks)
}

// checkSums checks a list of things that are named by hexadecimal digits of SHA-256, sorted.
func checkSums(what string, sums []string) error {
	for i, sum := range sums {
		if len(sum) != 2*sha256.Size || strings.Trim(sum, "0123456789abcdef") != "" {
			return fmt.Errorf("check plan: %s %q: want a SHA-256 in hexadecimal", what, sum)
		}
		if i > 0 && sums[i-1] >= sum {
			return fmt.Errorf("check plan: %s %s: want them sorted, each once", what, sum)
		}
	}
	return nil
}

// SumOfNetwork returns the SHA-256 of the file of a network in hexadecimal.
func SumOfNetwork(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// ReadNetwork reads the file of the network with this SHA-256 in hexadecimal. The error is
// ErrNoNetwork or fault.ErrCorrupt if there is none or another one.
func ReadNetwork(d disk.Dir, sum string) ([]byte, error) {
	name := NetworkName(sum)
	data, err := d.ReadFileUpTo(name, maxNetwork)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fault.Corrupt("%w: put the right file in its place, or run the command with net=FILE again", ErrNoNetwork)
	case err == nil && SumOfNetwork(data) != sum:
		err = fault.Corrupt("another network: its SHA-256 is %s: %s", SumOfNetwork(data), NetworkAdvice)
	}
	if err != nil {
		return nil, &fault.FileError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}
