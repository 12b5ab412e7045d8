//go:build !race

package colfile

// stride is the step of tests that try every byte of a file: see race_test.go.
const stride = 1
