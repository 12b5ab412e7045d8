//go:build !unix

package app

import "os"

// unsignalled returns stderr: writes raise no signals here.
func unsignalled() *os.File { return os.Stderr }
