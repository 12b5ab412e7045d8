//go:build race

package making

// stride is the step of tests that try every disk operation. The race detector makes them
// ten times slower and finds nothing new from one operation to the next.
const stride = 7
