// Package nets holds the network that ships with the program for each game: the files in its
// folder files, named GAME-gN.safetensors by game and generation. GAME is its other name. A network
// never changes under GAME-gN; its identity is the SHA-256 of the file. Another release may have
// another generation.
package nets

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
	"sync"
)

//go:embed files
var files embed.FS

const (
	folder = "files"
	suffix = ".safetensors"
)

// network is one of the files.
type network struct {
	name string // GAME-gN
	data []byte
	sum  [sha256.Size]byte
}

// networks returns all of them, sorted by name. Players are parsed for every request to a server, so
// the files are read once.
var networks = sync.OnceValue(func() (list []network) {
	entries, _ := files.ReadDir(folder) // it is in the program
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok {
			data, _ := files.ReadFile(path.Join(folder, e.Name()))
			list = append(list, network{name, data, sha256.Sum256(data)})
		}
	}
	return list
})

// Names returns the names GAME-gN of the networks, sorted.
func Names() (names []string) {
	for _, n := range networks() {
		names = append(names, n.name)
	}
	return names
}

// File returns the file of a network by one of its names. The caller must not change it. It
// returns false if there is no network of this name.
func File(name string) (data []byte, ok bool) {
	for _, n := range networks() {
		if game, _, _ := strings.Cut(n.name, "-"); name == n.name || name == game {
			return n.data, true
		}
	}
	return nil, false
}

// NameOf returns the name GAME-gN of the network with this SHA-256, "" if it does not ship.
func NameOf(sum [sha256.Size]byte) string {
	for _, n := range networks() {
		if n.sum == sum {
			return n.name
		}
	}
	return ""
}

// identity finds the identities of networks in a text, such as the name of a player.
var identity = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// Named returns a text with the names GAME-gN of the networks that ship in place of their identities. The name
// of a player parses to the same player.
func Named(text string) string {
	return identity.ReplaceAllStringFunc(text, func(id string) string {
		var sum [sha256.Size]byte
		_, _ = hex.Decode(sum[:], []byte(id[len("sha256:"):])) // they are hexadecimal digits
		name := NameOf(sum)
		if name == "" {
			return id
		}
		return name
	})
}

// shownDigits is the number of hexadecimal digits by which people tell networks apart.
const shownDigits = 12

// Shown is Named for people: of networks that do not ship, it leaves the first digits of the identity.
func Shown(text string) string {
	return identity.ReplaceAllStringFunc(Named(text), func(id string) string { return id[:len("sha256:")+shownDigits] })
}
