// Package encode turns games into numbers: a position into an array of fixed
// length and back, a move into an action number and back, a record of a game into
// rows of a table. It also holds the catalog of games, the one list that a new
// game is added to.
//
//	catalog.go    Game: the rules of a game with its layouts and actions
//	layout.go     what a layout and an action numbering are
//	identity.go   which elements of a layout make a position
//	planes.go     the layout planes, for every game
//	cotulenh.go, chess.go, contrast.go
//	              the numbers of each game; <game>_planes.go its planes,
//	              <game>_turn.go the other side of its boards and actions
//	wdl.go        what a score is worth
//	table.go      tables as columns of little-endian bytes
//	view.go       View: how games become rows
//	columns.go    the columns of rows; extra.go those on request
//	filter.go     which decisions get a row; choose.go chooses them
//	rows.go       record to rows; replay.go a game played again
//	markdown.go   the documentation of columns and elements as tables
//
// Compact arrays are absolute: they are not turned to the side that decides, which
// is a column of its own. Planes are turned to it. A View may turn the former too,
// and with any layout the actions. Packed integers are little endian. Every number
// here stands in datasets, is frozen by golden files, and changes only with a new
// version.
package encode
