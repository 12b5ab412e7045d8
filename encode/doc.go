// Package encode turns games into numbers: a position into an array of fixed
// length and back, a move into an action number and back, a record of a game into
// rows of a table. It also holds the catalog of games, the one list that a new
// game is added to.
//
//	catalog.go    Game: the rules of a game with its layouts and actions
//	layout.go     what a layout and an action numbering are
//	planes.go     the layout planes, for every game
//	cotulenh.go, chess.go, contrast.go
//	              the numbers of each game; <game>_planes.go its planes
//	table.go      tables as columns of little-endian bytes
//	rows.go       record to rows
//	markdown.go   the documentation of columns and elements as tables
//
// Compact arrays are absolute: they are not turned to the side that decides, which
// is a column of its own. Planes are turned to it. Packed integers are little endian. Every number here stands
// in datasets, is frozen by golden files, and changes only with a new version.
package encode
