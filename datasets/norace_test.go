//go:build !race

package datasets

// stride is 1: see race_test.go.
const stride = 1
