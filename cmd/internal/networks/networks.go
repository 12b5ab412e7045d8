// Package networks finds the networks that players name.
package networks

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nets"
	"selfplay/workers"
)

// sumPrefix begins a reference by SHA-256.
const sumPrefix = "sha256:"

// Finder returns a function that finds networks by FILE, by the NAME of a network that ships
// with the program, or by sha256:HEX in one of some datasets. A directory that is no dataset
// has none.
func Finder(dirs ...string) workers.Networks {
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" })
	return func(reference string) ([]byte, error) {
		if sum, ok := strings.CutPrefix(reference, sumPrefix); ok {
			return findSum(dirs, sum)
		}
		if data, ok := nets.File(reference); ok {
			return data, nil
		}
		data, err := readFile(reference)
		if errors.Is(err, os.ErrNotExist) {
			err = errors.New("no such file" + hint(dirs) + shipped(reference))
		}
		return data, err
	}
}

// findSum finds a network by its SHA-256.
func findSum(dirs []string, sum string) ([]byte, error) {
	for _, dir := range dirs {
		ds, err := datasets.Open(dir)
		if err != nil {
			continue // who uses the dataset reports what is wrong with it
		}
		if data, err := ds.Network(sum); !errors.Is(err, plan.ErrNoNetwork) || slices.Contains(ds.Plan().Networks, sum) {
			return data, err
		}
	}
	for _, name := range nets.Names() {
		if data, _ := nets.File(name); nnue.FormatSum(sha256.Sum256(data)) == sumPrefix+sum {
			return data, nil
		}
	}
	where := "no dataset is given"
	if len(dirs) > 0 {
		where = strings.Join(dirs, " and ") + " has no such network"
	}
	return nil, fmt.Errorf("%s: pass its file%s", where, hint(dirs))
}

// hint names the networks in datasets.
func hint(dirs []string) string {
	var list []string
	for _, dir := range dirs {
		if ds, err := datasets.Open(dir); err == nil {
			for _, sum := range ds.Plan().Networks {
				list = append(list, fmt.Sprintf("net=%s%s is in %s", sumPrefix, sum, dir))
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "; " + strings.Join(list, ", ")
}

// shipped names the networks of the program, if a reference may be a mistyped name.
func shipped(reference string) string {
	if strings.ContainsRune(reference, filepath.Separator) {
		return ""
	}
	return "; the program has " + strings.Join(nets.Names(), ", ")
}

// readFile reads a regular file that is not larger than networks are.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, nnue.MaxFile+1))
}

// Read returns the file of a network by FILE or NAME.
func Read(reference string) ([]byte, error) { return Finder()(reference) }

// FilesOf returns the network files of players.
func FilesOf(players ...workers.PlayerSpec) (files [][]byte) {
	for _, p := range players {
		for _, n := range p.Networks() {
			files = append(files, n.Data)
		}
	}
	return files
}

// Cached returns find with a memory: a network that was found once is found again by its
// SHA-256. It is for one goroutine.
func Cached(find workers.Networks) workers.Networks {
	known := map[string][]byte{}
	return func(reference string) ([]byte, error) {
		if data, ok := known[reference]; ok {
			return data, nil
		}
		data, err := find(reference)
		if err == nil {
			known[nnue.FormatSum(sha256.Sum256(data))] = data
		}
		return data, err
	}
}

// Stored returns a function that finds networks by the NAME of one that ships with the program,
// or by sha256:HEX in some datasets. It opens no other file: others may name the networks.
func Stored(dirs func() []string) workers.Networks {
	return func(reference string) ([]byte, error) {
		if data, ok := nets.File(reference); ok {
			return data, nil
		}
		sum, ok := strings.CutPrefix(reference, sumPrefix)
		if !ok {
			return nil, fmt.Errorf("want %s, or %sHEX of a network in a dataset", strings.Join(nets.Names(), " or "), sumPrefix)
		}
		if data, err := findSum(dirs(), sum); err == nil {
			return data, nil
		}
		return nil, errors.New("no dataset here has such a network")
	}
}
