//go:build race

package colfile

// stride is the step of tests that try every byte of a file. The race detector makes
// them ten times slower and finds nothing new from one byte to the next.
const stride = 7
