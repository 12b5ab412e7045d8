//go:build !race

package making

// stride is 1: see race_test.go.
const stride = 1
