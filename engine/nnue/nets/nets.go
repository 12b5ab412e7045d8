// Package nets holds the networks that ship with the program: the files in its folder
// files, named GAME-gN.safetensors by game and generation. A network never changes under this
// name; its identity is the SHA-256 of the file. GAME alone names the last generation, which
// another release may replace.
package nets

import (
	"crypto/sha256"
	"embed"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

//go:embed files
var files embed.FS

const (
	folder = "files"
	suffix = ".safetensors"
)

// Names returns the names of the networks, sorted.
func Names() (names []string) {
	list, _ := fs.Glob(files, path.Join(folder, "*"+suffix)) // the pattern is valid
	for _, name := range list {
		names = append(names, strings.TrimSuffix(path.Base(name), suffix))
	}
	return names
}

// File returns the file of a network, or of the last generation of a game. The caller must not
// change it. It returns false if there is no network of this name.
func File(name string) (data []byte, ok bool) {
	if last := lastOf(name); last != "" {
		name = last
	}
	data, err := files.ReadFile(path.Join(folder, name+suffix))
	return data, err == nil
}

// lastOf returns the network of a game with the highest generation, or "".
func lastOf(game string) (last string) {
	highest := -1
	for _, name := range Names() {
		of, number, _ := strings.Cut(name, "-g")
		if n, err := strconv.Atoi(number); of == game && err == nil && n > highest {
			last, highest = name, n
		}
	}
	return last
}

// NameOf returns the name of the network with this SHA-256, "" if it does not ship.
func NameOf(sum [sha256.Size]byte) string {
	for _, name := range Names() {
		if data, _ := File(name); sha256.Sum256(data) == sum {
			return name
		}
	}
	return ""
}
