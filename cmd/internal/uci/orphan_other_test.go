//go:build !linux

package uci

// The tests of orphans read /proc.
const parentArgument = "parent:"

func runParent(string) {}
