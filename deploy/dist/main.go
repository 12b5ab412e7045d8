// Command dist builds the release archives of the last commit: static programs for every
// target, with README, licence, systemd units, and the licences of all modules in the programs.
// The same commit and the same Go version give the same bytes on every machine:
//
//   - it builds a fresh clone of the last commit, without C, paths and build identifiers
//   - the version is that of internal/release, and of the tag of the commit, if it has one
//   - files in archives are sorted, have no owner, and have the time of the commit
//
// Files of this package:
//
//	main.go      flags, targets and sums
//	source.go    the clone, its version and its programs
//	notices.go   the licences of linked modules
//	archive.go   tar and zip files
//	wheels       the script that makes wheels of the programs in archives
//	twice        the script that makes archives, wheels and image twice, and compares them
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// targets are the systems and processors with an archive.
const targets = "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"

// programs are the commands in an archive.
var programs = []string{"selfplay", "export"}

// documents are the files of the repository in every archive.
var documents = []string{"CHANGELOG.md", "LICENSE", "README.md"}

// units are the files for systemd in archives for Linux.
const units = "deploy/systemd/*"

func main() {
	out := flag.String("out", "dist", "write the archives to `DIR`")
	list := flag.String("targets", targets, "build for these `SYSTEMS/PROCESSORS`, with spaces between them")
	flag.Parse()
	if err := run(*out, strings.Fields(*list)); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// run builds the archives and SHA256SUMS in the folder out.
func run(out string, targets []string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	s, err := clone(".")
	if err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	var sums strings.Builder
	for _, target := range targets {
		name, data, err := s.archive(target)
		if err == nil {
			err = os.WriteFile(filepath.Join(out, name), data, 0o644)
		}
		if err != nil {
			return fmt.Errorf("build for %s: %w", target, err)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		fmt.Printf("%s: %d bytes\n", filepath.Join(out, name), len(data))
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
