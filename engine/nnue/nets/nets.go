// Package nets holds the networks that ship with the program: the files in its folder
// files, named NAME.safetensors. A network never changes under its name in a release; its
// identity is the SHA-256 of the file.
package nets

import (
	"embed"
	"io/fs"
	"path"
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

// File returns the file of a network. The caller must not change it. It returns false if
// there is no network of this name.
func File(name string) (data []byte, ok bool) {
	data, err := files.ReadFile(path.Join(folder, name+suffix))
	return data, err == nil
}
