// Package games holds the pages about the games, as parts of programs that show them.
package games

import "embed"

// Files has the page NAME.md of each game, and the pictures of the pages.
//
//go:embed *.md *.svg
var Files embed.FS
