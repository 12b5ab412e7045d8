// Package encode turns games into numbers: a position into an array of fixed length and
// back, a move into an action number and back, a game record into rows of a table. It also
// holds the catalog of games.
//
// # Files
//
//	catalog.go    Game: all facts of a game; Catalog; Games, those of this module
//	reasons.go    why games end; reasons of one game alone
//	facts.go      the facts of the catalog for programs; gametable.go those of boards and
//	              gametable_actions.go those of actions, for other languages
//	layout.go     Layout: positions as arrays
//	actions.go    Actions: moves as numbers
//	identity.go   which elements of a layout identify a position
//	planes.go     the layout planes, for every game
//	grid.go       names and symmetries of rectangular boards; flip.go those of texts
//	board.go      how a board is drawn
//	preset.go     flags that suit a game
//	wdl.go        what a score is worth; models.go the fitted models; static.go the fingerprint of static scores
//	deblunder.go  value targets that differ from the outcome before a blunder
//	cotulenh.go, chess.go, contrast.go
//	              the entry and the compact layout of each game;
//	              <game>_actions.go its action numbers, <game>_planes.go its planes,
//	              <game>_flip.go its symmetry, <game>_board.go its board
//	table.go      tables as columns of little-endian bytes
//	view.go       View: how games become rows
//	columns.go    the columns of rows; extra.go the extra columns
//	filter.go     which decisions get a row; choose.go the choice,
//	              material.go counts pieces by kind and side, phase.go thirds of a game
//	where.go      conditions that choose decisions: where_words.go the words, where_parse.go the parser,
//	              where_scan.go its tokens
//	rows.go       record to rows; replay.go replays a record
//	struct.go     rows as bytes of fixed size
//	markdown.go   documentation of columns and elements as tables
//	json.go       JSON objects with ordered members; JSON with rounded floats
//
// # Conventions
//
// Compact arrays are absolute: they do not depend on the side to move, which is a column of
// its own. Planes are from the view of the side to move. A View can flip compact arrays and
// action numbers to that view too. Integers are little endian. Every number here is in
// datasets, is frozen by golden files, and changes only with a new version.
package encode
