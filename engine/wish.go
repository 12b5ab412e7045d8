package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Arbiter is a Position that says why a move is not legal.
type Arbiter interface {
	Position
	// Wish returns a legal move as a wish.
	Wish(m Move) Wish
	// Obstacle returns why no legal move fulfils a wish: the first reason that holds, in
	// the order of their numbers. It returns the zero value if some legal move does.
	Obstacle(w Wish) Obstacle
}

// Guarded is a Position in which pieces guard squares, such as against aircraft.
type Guarded interface {
	Position
	// Zones returns what the pieces of a side guard.
	Zones(side Side) []Zone
}

// Zone is the squares that a piece guards, by name.
type Zone struct {
	Guard   string // the square of the piece
	Squares []string
}

// Wish is a move as a player at a board expresses it: a piece, where it goes and what it does
// there. It need not be legal. Squares have the names that texts of moves give them. Several
// moves can fulfil one wish, such as promotions.
type Wish struct {
	From string // the square that a piece leaves; "" for EndTurn
	// Piece is the letter of the piece that leaves its stack, in upper case. It is "" for a
	// whole stack and for a piece that stands alone.
	Piece string
	To    string
	Way   Way
	// Tile is what is laid after the move, as texts of moves have it, such as c3b; its square alone leaves the kind open, and
	// "" leaves it open whether one is laid.
	Tile string
}

// Fulfils reports whether a legal move, as a wish, fulfils another one.
func (w Wish) Fulfils(wanted Wish) bool {
	if wanted.Way == AnyWay && w.Way != EndTurn {
		wanted.Way = w.Way
	}
	if strings.HasPrefix(w.Tile, wanted.Tile) {
		wanted.Tile = w.Tile
	}
	return w == wanted
}

// Way is what a move does on the square that it goes to. Its text is stable.
type Way string

// The ways.
const (
	AnyWay  Way = ""        // a wish that leaves the way open
	Quiet   Way = "move"    // goes to an empty square
	Capture Way = "capture" // takes what stands there, and goes there
	Stay    Way = "stay"    // takes what stands there, and stays
	Suicide Way = "suicide" // takes what stands there, and is lost
	Join    Way = "join"    // forms a stack with what stands there
	Castle  Way = "castle"
	EndTurn Way = "commit" // ends a turn that takes several moves
)

// Ways returns the ways, AnyWay first.
func Ways() []Way { return []Way{AnyWay, Quiet, Capture, Stay, Suicide, Join, Castle, EndTurn} }

// Known reports whether a way is one of Ways.
func (w Way) Known() bool { return slices.Contains(Ways(), w) }

// Obstacle is why a move is not legal.
type Obstacle struct {
	Why  Why
	At   string // the square that is responsible, "" if none is
	Text string // one sentence
}

// NewObstacle returns an obstacle with a sentence of a format and its arguments. It writes the first letter in upper
// case, unless it begins the name of a square.
func NewObstacle(why Why, at, format string, args ...any) Obstacle {
	text := fmt.Sprintf(format, args...)
	isSquare := text[1] >= '0' && text[1] <= '9'
	if !isSquare {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return Obstacle{why, at, text}
}

// Why is a kind of obstacle. Its text is stable.
type Why uint8

// The kinds of obstacles, in the order in which they count.
const (
	NoObstacle    Why = iota // the move is legal
	Over                     // the game is over
	NoPiece                  // no such piece of the side to move may go from there
	Range                    // the piece does not go that far, or in that direction
	Target                   // what stands on the square is nothing for this way
	InTheWay                 // another piece stands in the way
	OfTerrain                // the piece cannot go over, or stand on, a square
	OfAirDefense             // air defense stops an air force
	OfCastling               // the king may not castle now
	OfTile                   // the tile cannot be laid
	Attacked                 // the own king or commander would be attacked, or exposed
	StaysAttacked            // the own king or commander is attacked, and stays so
	CannotEnd                // the turn that the move is a part of could not end
)

var whyNames = [...]string{
	"", "over", "no_piece", "range", "target", "blocked", "terrain", "air_defense", "castling", "tile", "attacked", "stays_attacked", "unfinished",
}

// Whys returns the texts of all kinds of obstacles, by number.
func Whys() []string { return slices.Clone(whyNames[:]) }

func (w Why) String() string { return whyNames[w] }
