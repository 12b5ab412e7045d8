package journal

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"selfplay/datasets/disk"
)

// Folder is the folder of journals, relative to the dataset.
const Folder = disk.Hidden + "/journal"

// version is that of the format.
const version = 1

// header returns the first line of a journal.
func header(plan string, shard int) string {
	return fmt.Sprintf("selfplay journal %d %s %d\n", version, plan, shard)
}

// prefix begins the file names of the journals of a shard.
func prefix(shard int) string { return fmt.Sprintf("%05d.", shard) }

// ShardOf returns the shard of a journal, given its file name without folder. It is false
// for other names.
func ShardOf(name string) (int, bool) {
	number, _, _ := strings.Cut(name, ".")
	s, err := strconv.Atoi(number)
	return s, err == nil
}

// fileName matches the names of journals.
var fileName = regexp.MustCompile(`^[0-9]{5}\.[0-9a-f]+\.log$`)

// IsName reports whether a journal may have this name in Folder.
func IsName(name string) bool { return fileName.MatchString(name) }

// Paths returns all journals, relative to the dataset. ShardOf their base names is valid.
func Paths(d disk.Dir) (paths []string, err error) {
	names, err := d.ListFiles(Folder)
	for _, name := range names {
		if fileName.MatchString(name) {
			paths = append(paths, path.Join(Folder, name))
		}
	}
	return paths, err
}

// pathsOf returns the journals of a shard, relative to the dataset.
func pathsOf(d disk.Dir, shard int) (paths []string, err error) {
	names, err := d.List(Folder)
	for _, name := range names {
		if strings.HasPrefix(name, prefix(shard)) {
			paths = append(paths, path.Join(Folder, name))
		}
	}
	return paths, err
}

// Drop removes the journals of a committed shard. It tries all of them and joins the
// errors.
func Drop(d disk.Dir, shard int) error { return sweep(d, func(s int) bool { return s == shard }) }

// Sweep removes the journals of all committed shards: those of runs that were killed
// between commit and Drop. Another process may still write to one of them; its shard is
// committed already, so its games are not needed.
func Sweep(d disk.Dir, committed map[int]bool) error {
	return sweep(d, func(s int) bool { return committed[s] })
}

// sweep removes the journals of the wanted shards. Only regular files with the name of a
// journal are journals.
func sweep(d disk.Dir, want func(shard int) bool) error {
	names, err := d.ListFiles(Folder)
	for _, name := range names {
		if s, _ := ShardOf(name); fileName.MatchString(name) && want(s) {
			err = errors.Join(err, d.Remove(path.Join(Folder, name)))
		}
	}
	return err
}
