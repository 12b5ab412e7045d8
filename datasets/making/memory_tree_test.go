package making

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// clone returns a copy of the disk on which everything is synced.
func (d *memoryDisk) clone() *memoryDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newMemoryDisk()
	copies := map[*memoryInode]*memoryInode{}
	for folder, names := range d.folders {
		names = maps.Clone(names)
		for name, inode := range names {
			if copies[inode] == nil {
				copies[inode] = &memoryInode{bytes.Clone(inode.data), bytes.Clone(inode.data), inode.folder}
			}
			names[name] = copies[inode]
		}
		after.folders[folder], after.synced[folder] = names, maps.Clone(names)
	}
	return after
}

// tree returns the files of the dataset in root, like the function tree.
func (d *memoryDisk) tree(root string) map[string]string {
	files := map[string]string{}
	for folder, names := range d.folders {
		below, ok := strings.CutPrefix(folder, root)
		if !ok {
			continue
		}
		for name, inode := range names {
			if !inode.folder {
				files[strings.TrimPrefix(filepath.ToSlash(filepath.Join(below, name)), "/")] = string(inode.data)
			}
		}
	}
	delete(files, disk.LockName)
	delete(files, plan.TargetName)
	return files
}

// loadDisk returns a memory disk with the files of a folder of the machine's disk, all
// synced, under the path root.
func loadDisk(t testing.TB, from, root string) *memoryDisk {
	t.Helper()
	d := newMemoryDisk()
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(root, strings.TrimPrefix(name, from))
		if e.IsDir() {
			return d.MkdirAll(target)
		}
		data, err := os.ReadFile(name)
		d.folders[filepath.Dir(target)][filepath.Base(target)] = &memoryInode{data: data}
		return err
	})
	must.Do(t, err)
	return d.clone()
}

// state returns a digest of all files and folders below root. It does not depend on the
// random parts of the names of temporary files and journals, nor on what is synced.
func (d *memoryDisk) state(root string) string {
	var list []string
	for folder, names := range d.folders {
		below, ok := strings.CutPrefix(folder, root)
		if !ok {
			continue
		}
		list = append(list, below)
		for name, inode := range names {
			switch owner, rest, _ := strings.Cut(name, "."); filepath.ToSlash(below) {
			case "/" + disk.TempFolder:
				name = rest
			case "/" + journal.Folder:
				name = owner
			}
			list = append(list, below+" "+name+" "+string(inode.data))
		}
	}
	slices.Sort(list)
	sum := sha256.New()
	for _, text := range list {
		fmt.Fprintf(sum, "%d %s", len(text), text)
	}
	return string(sum.Sum(nil))
}
