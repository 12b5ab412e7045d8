//go:build !race

package colfile

// stride is 1: see race_test.go.
const stride = 1
