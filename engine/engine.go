// Package engine defines the contract between games and the code that plays them:
// moves, positions, games, outcomes, game records and perft. It contains no rules.
// Each game is a subpackage that imports only this package and the standard library.
//
// The interface works at the level of the ply. One interface call costs about a
// nanosecond per ply, which is negligible; inside a game all code is concrete and
// works on a mailbox board.
//
// Subpackages: chess, contrast and cotulenh hold the rules of one game each; search
// plays any of them; nnue scores them with networks; enginetest is their conformance suite.
//
// # Units
//
// Scores are integers in centi-units (see Evaluator). Probabilities are thousandths
// (see Fraction). A ply is one Move; a turn may take several plies. Depths, caps and
// clocks count plies unless their comment says otherwise.
//
// # Sources
//
//	Lemire, "Fast random integer generation in an interval", 2019      Below
//	Steele, Lea, Flood, "Fast splittable pseudorandom number
//	generators", 2014                                                  Mix
//	chessprogramming.org/Perft                                         Perft
package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Move is one decision. A turn may take several: a CoTuLenh deployment is a sequence
// of moves by one side that ends with an explicit commit. Call Turn to find the side
// that decides; never derive it from the parity of the ply.
//
// The game defines the bits. They have a meaning only together with the position that
// listed the move. Moves are never stored; datasets store the action numbers of
// package encode.
type Move uint32

// Side is a player. First moves first: white in chess, red in CoTuLenh, black in
// Contrast.
type Side uint8

// The two sides, in the order in which they start the game.
const (
	First  Side = 0
	Second Side = 1
)

// Other returns the opponent.
func (s Side) Other() Side { return s ^ 1 }

// Position is a mutable game state. One goroutine owns it; no method is safe for
// concurrent use. Its text is Markov: String contains everything that legal moves
// depend on. Set(String()) therefore changes nothing except the history, which only
// repetition rules read.
type Position interface {
	// Reset returns to the start of the game and clears the history. It keeps
	// allocated memory, so a worker can play all its games on one Position.
	Reset()
	// Set sets up the position that text describes and clears the history. If text is
	// invalid, Set returns a *TextError and leaves the position unchanged.
	Set(text string) error
	// String returns the canonical text.
	String() string

	// Turn returns the side to move.
	Turn() Side
	// Check reports whether the king or commander of the side to move is attacked. It
	// is always false in games without such a piece.
	Check() bool
	// Moves appends every legal move to dst, each exactly once. The order depends only
	// on the moves played since Set or Reset; Undo restores it. Moves applies the
	// movement rules only: it may list moves where Outcome reports that the game is
	// over for another reason.
	Moves(dst []Move) []Move
	// Do plays m. Moves must list m in this position; the result is undefined
	// otherwise.
	Do(m Move)
	// Undo takes back the last Do or DoRandom. It restores text, hash, history and
	// everything that DoRandom reads. It panics if no move has been played since Set
	// or Reset.
	Undo()
	// DoRandom draws one legal move uniformly, plays it and returns it. It returns
	// false and plays nothing exactly where Outcome is not Ongoing. The draw depends
	// only on the position and on src, not on earlier calls of other methods.
	DoRandom(src *rand.PCG) (m Move, ok bool)
	// Outcome returns how the game ended, or Ongoing.
	Outcome() Outcome
	// Hash returns the Zobrist hash of everything that legal moves depend on: board,
	// hands, side to move and open turn. Clocks are excluded.
	Hash() uint64

	// FormatMove returns the wire form of a legal move.
	FormatMove(m Move) string
	// ParseMove parses the wire form of a move. It returns an error if the move is not
	// legal here.
	ParseMove(text string) (Move, error)
}

// Game is the static half of a game: names and sizes. New creates the dynamic half.
type Game struct {
	Name     string    // value of --game
	Title    string    // name in prose
	Rules    int       // version of the rules; raise it whenever any game could take a different course
	Sides    [2]string // names of First and Second, also used for results
	Variants []string  // names of the variants, the default first, which may have no name (""); nil if the game has only one
	MaxPlies int       // default ply limit of a game
	// MostMoves is an upper bound of the legal moves of a position of a game. Nothing but the bound of
	// the memory of searches depends on it.
	MostMoves int
	// Samplers lists the game's non-uniform move distributions. Random players use the
	// first one by default. Nil: random players draw uniformly.
	Samplers []Sampler
	// Starts lists the variants whose games need not begin at the same position.
	Starts []Starts
	// New returns a position at the start of a variant: one of Variants, or "" for the
	// default. It panics if the game has variants and variant is none of them.
	New func(variant string) Position
}

// HasVariant reports whether New takes a name: that of a variant, or "" for the default.
func (g *Game) HasVariant(name string) bool { return name == "" || slices.Contains(g.Variants, name) }

// NamedVariants returns the names of the variants that have one.
func (g *Game) NamedVariants() []string {
	return slices.DeleteFunc(slices.Clone(g.Variants), func(name string) bool { return name == "" })
}

// TitleOf returns the title of a variant: with its name if that of the default is empty.
func (g *Game) TitleOf(variant string) string {
	if variant == "" || g.Variants[0] != "" {
		return g.Title
	}
	return g.Title + " (" + variant + ")"
}

// Starts are the first positions of a variant, numbered from 0.
type Starts struct {
	Variant string
	Count   int
	Ways    []string // to draw one, the default first
	// Draw returns the text of a first position, "" for the start of the game. It depends on src alone. The way is one of Ways, or a
	// number below Count, which names the position.
	Draw func(way string, src *rand.PCG) string
}

// StartsOf returns the first positions of a variant, nil if all its games begin at the start.
func (g *Game) StartsOf(variant string) *Starts {
	i := slices.IndexFunc(g.Starts, func(s Starts) bool { return s.Variant == variant })
	if i < 0 {
		return nil
	}
	return &g.Starts[i]
}

// Check returns an error if Draw does not take a way.
func (s *Starts) Check(way string) error {
	if n, isNumber := s.Number(way); slices.Contains(s.Ways, way) || isNumber && n < s.Count {
		return nil
	}
	return fmt.Errorf("%q: want %s or a number from 0 to %d", way, strings.Join(s.Ways, ", "), s.Count-1)
}

// Number returns the number that a way is, false if it is one of Ways.
func (s *Starts) Number(way string) (n int, ok bool) {
	n, err := strconv.Atoi(way)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == way
}

// Sampler is a distribution over the legal moves with one parameter, a Fraction.
type Sampler struct {
	Name    string   // name of the parameter, as in random:tile=0.25
	Default Fraction // value of the parameter if none is given
	// DoRandom draws a move from the distribution with the given parameter, plays it
	// on p and returns it. Apart from the distribution it behaves like
	// Position.DoRandom. p must come from New of the same game.
	DoRandom func(p Position, src *rand.PCG, value Fraction) (m Move, ok bool)
}

// Counter is a Position that counts its legal moves faster than it lists them.
type Counter interface {
	Position
	// Count returns the number of moves that Moves lists.
	Count() int
}

// Reacher is a Position that can detect texts that no game leads to.
type Reacher interface {
	Position
	// Reachable returns why no game leads to the position, or nil if it finds no
	// reason. It checks invariants only and does not search for a game.
	Reachable() error
}

// Numbered is a Position whose text has the number of the full move, from 1. A full move
// ends with the second side's turn.
type Numbered interface {
	Position
	FullMove() uint16
}

// Algebraic is a Position that also formats and parses moves in algebraic notation.
type Algebraic interface {
	Position
	// SAN returns a legal move in standard algebraic notation.
	SAN(m Move) string
	// ParseSAN parses a move in algebraic notation. It returns an error if no legal move
	// fits, or several do.
	ParseSAN(text string) (Move, error)
}

// TurnNotation is a Position with a notation for people that writes a turn of one or more moves as one text, as
// Algebraic writes a move. A text need not belong to one turn alone.
type TurnNotation interface {
	Position
	// SAN returns the text of a legal move outside its turn. No other legal move has it.
	SAN(m Move) string
	// TurnSAN returns the text of a turn that begins here, or of the rest of the turn that is open. The moves are legal
	// one after the other, and only the last of them may end the turn. sure reports whether ReadTurn returns these moves
	// and no others.
	TurnSAN(moves []Move) (text string, sure bool)
	// ReadTurn returns the turns that a text can mean here, the likeliest first, no two of which end in the same
	// position. It returns an error if there is none: a *RulingError if another program has other rules.
	ReadTurn(text string) ([][]Move, error)
}

// EndReader is a TurnNotation whose games other programs keep with a text of how they end.
type EndReader interface {
	TurnNotation
	// EndsIn returns an error unless the text goes with a game whose last turn begins here. name is the turn as the game has it.
	EndsIn(text string, turn []Move, name string) error
}

// RulingError is the error of a turn that another program may allow, but a ruling of the game forbids.
type RulingError struct {
	Ruling string // its name
	Err    error
}

func (e *RulingError) Error() string { return e.Err.Error() + " (ruling " + e.Ruling + ")" }
func (e *RulingError) Unwrap() error { return e.Err }

// Defaults answers the questions of Position and Evaluator that most games answer with a
// constant. A position embeds it, and declares the methods that its game answers otherwise.
type Defaults struct{}

// Check is false: no piece is royal.
func (Defaults) Check() bool { return false }

// Hangs is false: a search skips no move because of it.
func (Defaults) Hangs(Move) bool { return false }

// GivesCheck is false.
func (Defaults) GivesCheck(Move) bool { return false }

// Placement is 0: only its gain orders a move.
func (Defaults) Placement(Move) int { return 0 }

// Tuning turns all margins off.
func (Defaults) Tuning() *Tuning { return &noMargins }

var noMargins Tuning

// TextError describes why a position text was rejected, and where.
type TextError struct {
	Kind     string // stable name of the fault for programs, such as FEN_INVALID_PIECE
	Category string // check that found the fault: structure, lexical, terrain, …
	Rank     int    // board rank as printed; 0 if the fault has no rank
	Column   int    // character in the text of that rank, from 1; 0 if the fault has no column
	Msg      string // explanation for people: what was found and what is expected
}

func (e *TextError) Error() string {
	where := ""
	if e.Rank > 0 {
		where = "rank " + strconv.Itoa(e.Rank)
		if e.Column > 0 {
			where += " column " + strconv.Itoa(e.Column)
		}
		where += ": "
	}
	return "parse position: " + where + e.Msg + " (" + e.Kind + ")"
}

// Perft counts the legal move sequences of length depth. Only an empty move list ends
// a sequence early; Outcome is ignored. Moves of the last ply are counted, not played.
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	counter, _ := p.(Counter)
	return perft(p, counter, make([][]Move, depth))
}

// perft reuses one list per level, so that a long count does not allocate. counter is
// p if p implements Counter, else nil.
func perft(p Position, counter Counter, lists [][]Move) uint64 {
	if len(lists) == 1 && counter != nil {
		return uint64(counter.Count())
	}
	list := p.Moves(lists[0][:0])
	lists[0] = list
	if len(lists) == 1 {
		return uint64(len(list))
	}
	var nodes uint64
	for _, m := range list {
		p.Do(m)
		nodes += perft(p, counter, lists[1:])
		p.Undo()
	}
	return nodes
}

// PerftLeaf is Perft with Do and Undo at every leaf. It measures making moves, where
// Perft measures move generation.
func PerftLeaf(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	return perftLeaf(p, make([][]Move, depth))
}

func perftLeaf(p Position, lists [][]Move) uint64 {
	list := p.Moves(lists[0][:0])
	lists[0] = list
	if len(lists) == 1 {
		for _, m := range list {
			p.Do(m)
			p.Undo()
		}
		return uint64(len(list))
	}
	var nodes uint64
	for _, m := range list {
		p.Do(m)
		nodes += perftLeaf(p, lists[1:])
		p.Undo()
	}
	return nodes
}
