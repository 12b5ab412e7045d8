// Package byteorder ends the program at start on big-endian machines. No part of the project has
// been checked on one, and tables of the rules come out wrong there.
//
// The check runs in init and not in main: otherwise a table of another package could panic first.
// Go initialises packages that are ready in the order of their import paths, and this package
// needs less than package engine. So it must import only packages that engine also needs.
package byteorder

import (
	"encoding/binary"
	"errors"
	"os"
	"path"
)

var errBigEndian = errors.New("big-endian machines are not supported: use a little-endian one, such as amd64 or arm64")

func init() {
	if err := check(binary.NativeEndian); err != nil {
		os.Stderr.WriteString(path.Base(os.Args[0]) + ": " + err.Error() + "\n")
		os.Exit(1)
	}
}

// check returns an error if a machine of this byte order is not supported.
func check(native binary.ByteOrder) error {
	if native.Uint16([]byte{1, 0}) != 1 {
		return errBigEndian
	}
	return nil
}
