//go:build race

package colfile

// stride is the step of tests that try every byte, or every operation of a disk. The
// race detector makes them ten times slower and has nothing to find from one byte to the
// next.
const stride = 7
