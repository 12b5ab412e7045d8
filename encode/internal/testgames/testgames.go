// Package testgames lets tests add games to the catalog. Only package encodetest sets it.
package testgames

// Entries build the added catalog entries, each an encode.Game. The result has an open
// type because package encode imports this package.
var Entries []func() any
