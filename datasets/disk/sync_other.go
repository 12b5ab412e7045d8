//go:build !unix

package disk

// noFollow does nothing: here an open cannot refuse links.
const noFollow = 0

// syncDir does nothing: here a directory cannot be opened to be synced.
func syncDir(string) error { return nil }
