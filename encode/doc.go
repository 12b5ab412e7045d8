// Package encode turns games into numbers: a position into an array of fixed length and
// back, a move into an action number and back, a game record into rows of a table. It also
// holds the catalog of games.
//
// # Conventions
//
// Compact arrays are absolute: they do not depend on the side to move, which is a column of
// its own. Planes are from the view of the side to move. A View can flip compact arrays and
// action numbers to that view too. Integers are little endian. Every number here is in
// datasets, is frozen by golden files, and changes only with a new version.
package encode
