// Package engine is the contract between the games and everything that plays
// them: what a move, a position and a game are, how a game ends, the record of
// a finished game, and perft. It holds no rules; each game is a package of its
// own below this one, and all of them use nothing but the standard library.
//
// The contract is at the ply: one interface call a ply costs about a nanosecond
// and is nothing; inside a game everything is concrete code on a mailbox.
package engine

import "math/rand/v2"

// Move is one decision. A turn may take several: a CoTuLenh deployment is a run
// of moves by one side, ended by an explicit commit. Ask Turn who decides; never
// derive the side from the parity of the ply.
//
// The bits are the game's own and mean something only together with the
// position that listed the move. Moves are never stored; datasets hold the
// action numbers of package encode.
type Move uint32

// Side is a player: 0 moves first (red, white, Contrast's black).
type Side uint8

// The two sides, by who begins the game.
const (
	First  Side = 0
	Second Side = 1
)

// Other returns the opponent.
func (s Side) Other() Side { return s ^ 1 }

// Position is a mutable game state, owned by one goroutine. Its text is Markov:
// String says everything that legal moves depend on, so that Set(String())
// changes nothing but the history that repetition looks at.
type Position interface {
	// Reset goes back to the start of the game and forgets the history. Memory is
	// kept: a worker plays all its games on one Position.
	Reset()
	// Set makes the position the one that text describes and forgets the
	// history. A text that is refused (always a *TextError) leaves the position as
	// it was.
	Set(text string) error
	// String returns the canonical text.
	String() string

	// Turn returns the side that decides now.
	Turn() Side
	// Check reports whether the side to move is attacked where it hurts (its
	// commander, its king); false in games without such a thing.
	Check() bool
	// Moves appends every legal move to dst, each once. Their order is a function of
	// the moves played since Set or Reset; Do and Undo restore it. It lists what the
	// movement rules allow even where Outcome says that the game is over for
	// another reason.
	Moves(dst []Move) []Move
	// Do plays a move that Moves lists. Any other move is a bug of the caller.
	Do(m Move)
	// Undo takes back the last Do or Random, exactly: text, hash, history and
	// everything that Random reads. Without a move to take back it panics.
	Undo()
	// DoRandom plays a move drawn uniformly from the legal ones and returns it. It
	// reports false, and plays nothing, exactly where Outcome is not Ongoing. The
	// draw depends on the position and src alone, not on what was asked before.
	DoRandom(src *rand.PCG) (m Move, ok bool)
	// Outcome returns the result if the game is over here, else Ongoing.
	Outcome() Outcome
	// Hash returns the Zobrist hash of all that legal moves depend on: cells,
	// side to move and open session, not clocks.
	Hash() uint64

	// FormatMove writes a legal move in the game's wire form.
	FormatMove(m Move) string
	// ParseMove reads the wire form of a legal move; anything else is an error.
	ParseMove(text string) (Move, error)
}

// Game is the static half of a game: names and sizes. The moving half is made
// by New.
type Game struct {
	Name     string    // as in --game
	Title    string    // as in prose
	Rules    int       // version of the rules, raised by hand when any game could go differently
	Sides    [2]string // names of First and Second, also the results' names
	Variants []string  // names of the variants, the default first; nil if there is only one
	MaxPlies int       // default cap on the decisions of a game
	// Samplers are the ways of drawing a random move that the game has besides
	// Position.Random, the one that random players use by default first. Nil: they
	// draw uniformly.
	Samplers []Sampler
	// New returns a position at the start of a variant ("" is the default).
	New func(variant string) Position
}

// Sampler are a distribution over the legal moves with one parameter, a share.
type Sampler struct {
	Name    string // of the parameter, as in random:tile=0.25
	Default Fraction
	// DoRandom plays a drawn move on a position of the game and returns it, under the
	// same terms as Position.DoRandom but for the distribution.
	DoRandom func(p Position, src *rand.PCG, share Fraction) (m Move, ok bool)
}

// Counter is a Position that counts its legal moves faster than it lists them.
type Counter interface {
	Position
	// Count returns how many moves Moves lists.
	Count() int
}

// Reacher is a Position whose texts can describe what no game leads to.
type Reacher interface {
	Position
	// Reachable returns why no game leads to the position, nil if one may. It looks
	// at what is conserved; it does not search for a game.
	Reachable() error
}

// Algebraic is a Position that also writes moves the way players read them.
type Algebraic interface {
	Position
	// SAN returns a legal move in standard algebraic notation.
	SAN(m Move) string
}
